import Foundation

/// The rows of the list that a screen shows, each as a line to choose by number.
enum PlainRows {
    private static let commands: Set<CommandID> = [
        .open, .remove, .useProfile, .editProfile, .removeProfile, .makeDefault, .openExchange,
        .startScenario,
    ]

    /// Whether a command is about the selected row, so that it has to be asked which. Some screens are copied as a whole.
    static func isAboutRow(_ command: CommandID, _ model: Model) -> Bool {
        guard labels(model).count > 1 else { return false }
        return commands.contains(command)
            || [.copy, .saveCopy].contains(command) && [.claims, .exchange].contains(model.focus)
            || command == .renew && model.focus == .accounts
    }

    /// Whether not every row of the list knows the command: whether this one does shows when it is chosen.
    static func isOfSomeRows(_ command: CommandID, _ model: Model) -> Bool {
        [.copy, .saveCopy, .openExchange].contains(command) || command == .renew && isAboutRow(command, model)
    }

    static func labels(_ model: Model) -> [String] {
        if model.inspector != nil { return inspected(model) }
        switch model.routes.last {
        case .check(let state):
            return state.rows.map { "\($0.finding.subject): \($0.finding.verdict.word)" }
        case .signInForm(let form): return form.rows.map { describe($0, of: form) }
        case nil:
            return model.accounts.visible.map { describe(model.accounts.all[$0], by: model.now) }
        case .profiles(let state):
            return state.entries.map { entry in
                let marks = ProfilesView(state, model).marks(of: entry)
                return [entry.name, entry.draft.authority, marks].filter { !$0.isEmpty }.joined(separator: ", ")
            }
        case .scenarios: return (model.profile?.scenarios ?? []).map { "\($0.title): \($0.story)" }
        case .claims(let state):
            return state.rows.map { PlainBody.line($0, model) }
        default: return []
        }
    }

    /// The steps of a flow, or the parameters of the exchange that was opened.
    private static func inspected(_ model: Model) -> [String] {
        if let (list, _) = model.inspectedExchange { return list.all.map(\.name) }
        return model.inspected?.rows.map { "\($0.title): \($0.status.word)" } ?? []
    }

    private static func describe(_ row: SignInForm.Row, of form: SignInForm) -> String {
        switch row {
        case .way(let subject): form.offer(subject).map { describe($0, isChosen: subject == .way(form.way)) } ?? ""
        case .scope(let scope): "Scope \(scope), \(form.chosenScopes.contains(scope) ? "asked for" : "left out")"
        case .prompt: "Ask for: \(form.prompt.title)"
        case .field(let field): "\(SignInFormView.label(field)): \(form.text(field))"
        }
    }

    private static func describe(_ offer: WayOffer, isChosen: Bool) -> String {
        "\(offer.title)\(isChosen ? ", chosen" : ""). \(offer.isOpen ? "" : "Not now: ")\(offer.reason)"
    }

    private static func describe(_ account: AccountSummary, by now: Date?) -> String {
        let guests = account.guestTenants.map { "guest in \($0)" }
        let parts = [
            account.name, account.username, account.tenant.map { "tenant \($0)" }, account.environment,
            account.token.map { "token: \($0.sentence(by: now))" },
            account.isFromOtherApplication ? "signed in in another application" : nil,
        ]
        return (parts.compactMap(\.self) + guests).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

import Diagnosis
import TerminalUI

extension Destination {
    static let signInForm = Destination { context in
        var form = SignInForm(
            offers: SignInForm.offers(context), method: context.preferredMethod,
            profileScopes: context.profile?.scopes ?? [], recent: context.recentScopes)
        let id = context.makeEffectID()
        // Queries the URL handler each time, because registrations change.
        form.asking = id
        return Opening(form, [.askURLHandler(id, context.profile)])
    }
}

extension SignInForm: ConsoleScreen {
    package enum Layer: String, KeyLayer { case rows = "Sign in with options", field = "Sign-in field" }

    fileprivate static func offers(_ context: Context) -> [MethodOffer] {
        MethodOffer.all(
            profile: context.profile, proposal: context.proposal, brokerRefusal: context.brokerRefusal,
            handler: context.urlHandler)
    }

    package var layer: Layer { field == nil ? .rows : .field }
    var waits: [Wait] { asking.map { [Wait($0, .leave)] } ?? [] }

    func title(_ context: Context) -> String { Layer.rows.rawValue }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        SignInFormView(form: self, context: context).draw(on: &surface, in: rect)
    }

    func extent(_ context: Context) -> Extent? {
        let view = SignInFormView(form: self, context: context)
        return Extent(position: selection, last: rows.count - 1, page: view.pageHeight, shown: view.shown)
    }

    mutating func go(to position: Int, _ context: inout Context) { select(row: position) }

    static let commands: [Command] =
        [
            Command("submitForm", [.enter], "Sign in with these options.", hint: "sign in", if: canBeChosen) {
                form, context in
                let request = form.request
                return .move(.replace(.signIn(nil, request, in: context.chain(startingWith: request.method))))
            },
            Command(
                "chooseRow", [.character(" ")], "Choose the method, toggle the scope, or change the prompt.",
                hint: "choose", in: [.rows], inLines: .absent, if: canBeChosen
            ) { form, _ in
                form.choose()
                return .none
            },
            Command(
                "nextAnswer", [.right, .character("l")], "Choose the next prompt.", in: [.rows], inLines: .absent
            ) { form, _ in
                form.chooseAnswer(by: 1)
                return .none
            },
            Command(
                "previousAnswer", [.left, .character("h")], "Choose the previous prompt.", in: [.rows], inLines: .absent
            ) { form, _ in
                form.chooseAnswer(by: -1)
                return .none
            },
        ]
        + upAndDown([.up, .backTab, .character("k")], [.down, .tab, .character("j")], hint: "next", in: [.rows])
        + upAndDown([.up, .backTab], [.down, .tab], hint: "next", in: [.field]) + ends(in: [.rows])
        + [back("Cancel and go back.", hint: "cancel")] + finding(in: [.rows])
        + [close(closingCancels, in: [.rows]), interrupt]

    private static func canBeChosen(_ form: SignInForm, _ context: Context) -> Availability {
        form.obstacle.map(Availability.unavailable) ?? .available
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { press(key) ? Reaction.none : nil }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        insert(text)
        return .none
    }

    mutating func refresh(_ context: Context) {
        replace(offers: Self.offers(context), otherwise: context.preferredMethod)
    }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .urlHandlerAsked(_, let handler) = message else { return .none }
        context.urlHandler = handler
        asking = nil
        refresh(context)
        return .none
    }

    // Line mode.

    func isBusy(_ context: Context) -> Bool { false }

    func rowLabels(_ context: Context) -> [String] { rows.map(describe) }

    /// Afterwards the chosen method's row is selected, because submitting from a method's row uses that method.
    var rowAnswers: RowAnswers? { RowAnswers(labels: rows.map(describe), command: "chooseRow", rest: rowOfMethod) }

    private func describe(_ row: Row) -> String {
        switch row {
        case .method(let subject): offer(subject).map { describe($0, isChosen: subject == .method(method)) } ?? ""
        case .scope(let scope): "Scope \(scope), \(chosenScopes.contains(scope) ? "selected" : "not selected")"
        case .prompt: "Prompt: \(prompt.title)"
        case .field(let field): "\(SignInFormView.label(field)): \(text(field))"
        }
    }

    private func describe(_ offer: MethodOffer, isChosen: Bool) -> String {
        "\(offer.title)\(isChosen ? ", chosen" : ""). \(offer.isOpen ? "" : "Not now: ")\(offer.reason)"
    }

    func question(_ context: Context) -> LineQuestion? {
        field.map { LineQuestion(prompt: "\(SignInFormView.label($0)) (empty keeps \"\(text($0))\")") }
    }

    mutating func answer(_ answer: String, _ context: inout Context) -> Reaction {
        if !answer.isEmpty { fill(answer) }
        select(row: rowOfMethod)
        return .none
    }
}

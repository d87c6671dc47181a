import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// What a screen says, in lines that are read from the top: no columns, nothing that is cut off.
enum PlainBody {
    static func lines(_ model: Model) -> [String] {
        if let question = dialog(model) { return question.split(separator: "\n").map(String.init) }
        if model.inspector != nil { return inspector(model) }
        guard let route = model.routes.last else { return root(model) + walk(model) }
        return (own(route, model) ?? drawn(model)) + walk(model)
    }

    /// What a scenario wants to be looked at and done next.
    private static func walk(_ model: Model) -> [String] {
        guard let walk = model.profile?.walk, model.screenFocus != .scenarios, !model.isBusy else { return [] }
        let next = walk.next.map { "Step \(walk.done + 1) of \(walk.steps.count): \($0.instruction)." }
        let comment = walk.stop ?? walk.last.map { "Look: \($0.look)" }
        return [comment ?? "\(walk.title): \(walk.story)", next ?? walk.teaches]
    }

    /// The lines of the screens that have some; one that is added gets by with what it draws.
    private static func own(_ route: Route, _ model: Model) -> [String]? {
        if case .claims(let state) = route { return claims(state, model) }
        if case .failure(let state) = route { return failure(state, model) }
        if case .check(let state) = route { return check(state) }
        if case .signInForm = route { return ["Sign in with options."] }
        if case .scenarios = route { return ["Scenarios."] + PlainRows.labels(model).map { "- \($0)" } }
        if case .profiles(let state) = route { return profiles(state, model) }
        if case .providers(let choice) = route { return providers(choice, model) }
        if case .setUp(let state) = route { return setUp(state) }
        return nil
    }

    private static func root(_ model: Model) -> [String] {
        switch model.root {
        case .accounts(let profile): accounts(model, profile)
        case .problem(let problem, let path): [problem.title, problem.reason, problem.nextStep, "File: \(path)"]
        case .unconfigured: []
        }
    }

    /// Of a screen that has no lines of its own: what it draws where there is room for all of it.
    private static func drawn(_ model: Model) -> [String] {
        let size = Size(width: 100, height: 300)
        var model = model
        model.options.ascii = true
        return view(model, size).lines.dropFirst(2).dropLast().filter { !$0.isEmpty }
    }

    private static func dialog(_ model: Model) -> String? {
        switch model.overlay {
        case .confirmRemoval(let account, let focus): Dialog.removal(of: account, focus: focus).plainText
        case .offerInteraction(let account, let reason, let focus):
            Dialog.interaction(for: account, reason: reason, focus: focus).plainText
        case .confirmProfileRemoval(let name, let focus): Dialog.profileRemoval(of: name, focus: focus).plainText
        case .confirmDiscard(let focus): Dialog.discard(focus: focus).plainText
        default: nil
        }
    }

    private static func accounts(_ model: Model, _ profile: ProgramProfile) -> [String] {
        let title = "Accounts. Profile \(profile.name), \(profile.authority)."
        let state = model.accounts
        if case .failed(let report) = state.phase {
            return [title, "The accounts could not be read. \(report.reason) \(report.advice)"]
        }
        let count = state.visible.count
        let counted =
            state.all.isEmpty
            ? "No account yet."
            : state.isFiltered
                ? "\(count) of \(state.all.count) accounts contain \"\(state.filter)\":"
                : count == 1 ? "1 account:" : "\(count) accounts:"
        return [title, counted] + PlainRows.labels(model).map { "- \($0)" } + profile.hints
    }

    private static func claims(_ state: ClaimsState, _ model: Model) -> [String] {
        let about =
            ["\(state.tab.title)\(state.comparison.map { " beside \($0.title)" } ?? "")."]
            + (state.tab == .pasted ? [] : origin(state.acquisition, model))
        if state.comparison != nil { return about + state.rows.map { "- \(line($0, model))" } }
        guard case .decoded(let token) = state.token else {
            return about + ClaimsView(state, model).unreadableLines(width: 1000).map(\.text)
        }
        if state.showsJSON {
            return about + ["Header:"] + token.headerJSON.split(separator: "\n").map(String.init) + ["Claims:"]
                + token.claimsJSON.split(separator: "\n").map(String.init)
        }
        return about + state.rows.map { "- \(line($0, model))" }
    }

    /// Whose the tokens are, where they came from, and how long they last.
    private static func origin(_ acquisition: Acquisition?, _ model: Model) -> [String] {
        guard let acquisition else { return [] }
        let expiry = acquisition.expiresOn.map { date in
            "The access token expires \(model.now.map { Moment.relative(date, to: $0) } ?? "") (\(Moment.utc(date)))."
        }
        return [
            "For \(acquisition.account.displayName).",
            acquisition.isFromCache ? "From the cache." : "From the authority \(acquisition.authority).",
            "Scopes: \(acquisition.scopes.joined(separator: " "))", expiry,
        ].compactMap(\.self)
    }

    /// One row of a token: its name first, because that is what one listens for.
    static func line(_ row: ClaimsRow, _ model: Model) -> String {
        switch row {
        case .verdict(let verdict): "Check of \(verdict.rule): \(verdict.outcome.word). \(verdict.explanation)"
        case .claim(let claim): claimLine(claim, ClaimDictionary.bundled.entry(forClaim: claim.name)?.meaning, model)
        case .header(let claim):
            "header " + claimLine(claim, ClaimDictionary.bundled.entry(forHeader: claim.name)?.meaning, model)
        case .difference(let difference):
            "\(difference.name): \(difference.left?.text ?? "none"); beside it: \(difference.right?.text ?? "none")."
        }
    }

    private static func claimLine(_ claim: MSALTokenClaim, _ meaning: String?, _ model: Model) -> String {
        let times = claim.date.map { date in
            ", "
                + [Moment.utc(date), model.now.map { Moment.relative(date, to: $0) }].compactMap(\.self)
                .joined(separator: ", ")
        }
        return "\(claim.name): \(claim.text)\(times ?? "").\(meaning.map { " \($0)" } ?? "")"
    }

    private static func failure(_ state: FailureState, _ model: Model) -> [String] {
        ["Error."] + state.report.text(in: model.options.timeZone).split(separator: "\n").map(String.init)
    }

    private static func check(_ state: CheckState) -> [String] {
        ["Check of the set-up."]
            + state.rows.map { row in
                "- \(row.area.title), \(row.finding.subject): \(row.finding.verdict.word). \(said(row.finding))"
            }
    }

    /// A flow as its report has it; an exchange with what each of its parameters means.
    private static func inspector(_ model: Model) -> [String] {
        guard let (list, _) = model.inspectedExchange else {
            return model.inspected.map { TraceReport($0).text.split(separator: "\n").map(String.init) } ?? []
        }
        return ["\(list.exchange.method) \(list.exchange.address)"]
            + list.sections.flatMap { section in
                ["\(section.title):"] + section.parameters.map(line)
            }
    }

    private static func line(_ parameter: MSALFlowParameter) -> String {
        let meaning = ParameterDictionary.bundled.entry(for: parameter).map { " \($0.meaning) (\($0.source))" }
        return "- \(parameter.name): \(parameter.shown).\(meaning ?? "")"
    }

    private static func profiles(_ state: ProfilesState, _ model: Model) -> [String] {
        if let problem = state.problem { return ["Profiles."] + said(problem) }
        return ["Profiles, kept in \(model.configPath):"] + PlainRows.labels(model).map { "- \($0)" }
    }

    private static func providers(_ choice: ProviderChoice, _ model: Model) -> [String] {
        let problem = choice.problem.map(said) ?? []
        let first = model.root == .unconfigured ? ["Welcome. Nothing is set up yet."] : []
        return problem + first + [
            "Where do people sign in? The answers are kept in \(model.configPath), which you can read and edit."
        ]
    }

    private static func setUp(_ state: SetUpState) -> [String] {
        let answers = state.shownFields.map { field in
            let finding = state.judgement[field].map { " \(said($0))" } ?? ""
            return "\(field.title): \(state.draft[field]).\(finding)"
        }
        guard case .found(let findings) = state.answer else { return (state.problem.map(said) ?? []) + answers }
        return (state.problem.map(said) ?? []) + answers + findings.map { "The authority: \(said($0))" }
    }

    private static func said(_ finding: CheckFinding) -> String {
        [finding.fact, finding.fix].compactMap(\.self).joined(separator: " ")
    }

    private static func said(_ report: ErrorReport) -> [String] {
        ["Error: \(report.headline) \(report.reason) \(report.advice)"]
    }
}

extension StyledLine {
    fileprivate var text: String { spans.map(\.text).joined() }
}

extension Dialog {
    fileprivate var plainText: String { "\(title)\n\(message)" }
}

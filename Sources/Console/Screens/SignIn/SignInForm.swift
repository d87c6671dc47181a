import Diagnosis
import MSAL
import TerminalUI

/// The options of a sign-in while the user chooses. The defaults fit this machine, so that Enter alone signs in.
package struct SignInForm: ViewedScreen, WorkingScreen, FollowingScreen {
    static let closing = Wait.Closing.leave

    package enum Field: String, Sendable, CaseIterable {
        case scopes, loginHint, domainHint, tenant, claims
    }

    package enum Row: Sendable, Hashable {
        case method(MethodOffer.Subject)
        case scope(String)
        case prompt
        case field(Field)
    }

    package private(set) var method: SignInMethod
    package private(set) var prompt = MSALPromptType.default
    /// The scopes to choose from: the profile's, then recently granted ones.
    package let scopes: [String]
    package private(set) var chosenScopes: Set<String>
    var pane: ListPane
    private var texts: [Field: TextField] = [:]
    package private(set) var offers: [MethodOffer]
    /// The pending query for the desktop's URL handler.
    package var running: EffectID?

    package var rows: [Row] {
        offers.map { Row.method($0.subject) } + scopes.map(Row.scope) + [.field(.scopes), .prompt]
            + Field.allCases.filter { $0 != .scopes }.map(Row.field)
    }

    package init(offers: [MethodOffer], method: SignInMethod, profileScopes: [String], recent: [String] = []) {
        self.method = method
        scopes = (profileScopes + recent.filter { !profileScopes.contains($0) }).withoutAlwaysRequested
        chosenScopes = Set(profileScopes)
        self.offers = offers
        pane = ListPane(selection: offers.firstIndex { $0.subject == .method(method) } ?? 0)
    }

    package var rowOfMethod: Int { rows.firstIndex(of: .method(.method(method))) ?? 0 }

    package func offer(_ subject: MethodOffer.Subject) -> MethodOffer? { offers.first { $0.subject == subject } }

    package var obstacle: String? {
        guard case .method(let subject) = row, let offer = offer(subject), !offer.isOpen else { return nil }
        return offer.reason
    }

    package var row: Row? { rows[at: selection] }

    func textField(_ field: Field) -> TextField { texts[field] ?? TextField() }
    package func text(_ field: Field) -> String { textField(field).text }

    /// The selected text field, which takes the keys.
    package var field: Field? { if case .field(let field) = row { field } else { nil } }

    private mutating func choose() {
        switch row {
        case .method(.method(let method)): self.method = method
        case .scope(let scope):
            if chosenScopes.remove(scope) == nil { chosenScopes.insert(scope) }
        case .prompt: prompt = prompt.moved(by: 1)
        case .method(.closed), .field, nil: break
        }
    }

    /// Chooses the options of a request that failed, so that the user can correct them.
    fileprivate mutating func choose(_ request: SignInRequest) {
        (method, prompt) = (request.method, request.prompt)
        chosenScopes = Set(scopes).intersection(request.scopes)
        let typed: [Field: String?] = [
            .scopes: request.scopes.filter { !scopes.contains($0) }.joined(separator: " "),
            .loginHint: request.loginHint, .domainHint: request.domainHint, .tenant: request.tenant,
            .claims: request.claims,
        ]
        texts = typed.compactMapValues { $0.map(TextField.init) }
        selection = rowOfMethod
    }

    /// The request that Enter sends. On a method's row, it uses that method.
    package var request: SignInRequest {
        let typed = text(.scopes).split(separator: " ").map(String.init)
        let chosen = scopes.filter(chosenScopes.contains)
        var request = SignInRequest(scopes: chosen + typed.filter { !chosen.contains($0) }, method: method)
        if case .method(.method(let selected)) = row { request.method = selected }
        func given(_ field: Field) -> String? { text(field).isEmpty ? nil : text(field) }
        request.prompt = prompt
        (request.loginHint, request.domainHint) = (given(.loginHint), given(.domainHint))
        (request.tenant, request.claims) = (given(.tenant), given(.claims))
        return request
    }

    package enum Layer: String, KeyLayer { case rows = "Sign-in options", field = "Sign-in field" }

    fileprivate static func offers(_ context: Context) -> [MethodOffer] {
        MethodOffer.all(
            profile: context.profile, proposal: context.proposal, brokerRejection: context.brokerRejection,
            handler: context.urlHandler)
    }

    package var layer: Layer { field == nil ? .rows : .field }

    func title(_ context: Context) -> String { Layer.rows.rawValue }

    func rows(_ context: Context) -> [Row] { rows }
    func view(_ context: Context) -> SignInFormView { SignInFormView(form: self, context: context) }

    static let commands: [Command] =
        [
            Command("submitForm", [.enter], "Sign in with these options.", hint: "sign in", if: canBeChosen) {
                form, context in
                let request = form.request
                return .move(.replace(.signIn(nil, request, in: context.chain(startingWith: request.method))))
            }
        ] + choosing.only(in: .rows) + upAndDown([.up, .backTab], [.down, .tab], hint: "next").only(in: .field)
        + [back("Cancel and go back.", hint: "cancel")] + (finding() + [close(closingCancels)]).only(in: .rows)
        + [interrupt]

    private static let choosing: [Command] =
        [
            Command(
                "chooseRow", [.character(" ")], "Choose the method, toggle the scope, or change the prompt.",
                hint: "choose", inLines: .absent, if: canBeChosen, do: changing { $0.choose() }),
            prompt("nextAnswer", [.right, .character("l")], "Choose the next prompt.", by: 1),
            prompt("previousAnswer", [.left, .character("h")], "Choose the previous prompt.", by: -1),
        ] + upAndDown([.up, .backTab, .character("k")], [.down, .tab, .character("j")], hint: "next") + limits + [step]

    private static func prompt(_ name: CommandName, _ keys: [Key], _ sentence: String, by distance: Int) -> Command {
        Command(
            name, keys, sentence, inLines: .absent,
            do: changing { if $0.row == .prompt { $0.prompt = $0.prompt.moved(by: distance) } })
    }

    private static func canBeChosen(_ form: SignInForm, _ context: Context) -> Availability {
        form.obstacle.map(Availability.unavailable) ?? .available
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        field.flatMap { texts[$0, default: TextField()].press(key) ? Reaction.none : nil }
    }

    func acceptsPaste(_ context: Context) -> Bool { layer == .field }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        if let field { texts[field, default: TextField()].insert(text) }
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .urlHandler(let handler) = result { context.urlHandler = handler }
        return offerAnew(context)
    }

    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction { offerAnew(context) }

    /// If the chosen method is gone, the usual one is chosen; if the selected row is gone, the chosen method is selected.
    private mutating func offerAnew(_ context: Context) -> Reaction {
        let old = row
        offers = Self.offers(context)
        if offer(.method(method)) == nil { method = context.preferredMethod }
        selection = old.flatMap(rows.firstIndex) ?? rowOfMethod
        return .none
    }

    func isBusy(_ context: Context) -> Bool { false }

    /// Afterwards the chosen method's row is selected, because submitting from a method's row uses that method.
    func rowChoices(_ context: Context) -> RowChoices? {
        RowChoices(labels: rowLabels(context), command: "chooseRow", rest: rowOfMethod)
    }

    func label(_ row: Row, _ context: Context) -> String {
        switch row {
        case .method(let subject):
            offer(subject).map { offer in
                let title = offer.title + (subject == .method(method) ? ", chosen" : "")
                return "\(title). \(offer.isOpen ? "" : "Unavailable: ")\(offer.reason)"
            } ?? ""
        case .scope(let scope): "Scope \(scope), \(chosenScopes.contains(scope) ? "selected" : "not selected")"
        case .prompt: "Prompt: \(prompt.title)"
        case .field(let field): "\(SignInFormView.label(field)): \(text(field))"
        }
    }

    func question(_ context: Context) -> LineQuestion? {
        field.map {
            let keeps = text($0).isEmpty ? "" : " (Enter keeps \"\(text($0))\")"
            return LineQuestion(prompt: SignInFormView.label($0) + keeps)
        }
    }

    mutating func reply(_ reply: String, _ context: inout Context) -> Reaction {
        if let field, !reply.isEmpty { texts[field] = TextField(reply) }
        selection = rowOfMethod
        return .none
    }
}

extension Destination {
    /// - Parameter request: the request to correct.
    static func signInForm(_ request: SignInRequest? = nil) -> Destination {
        Destination { context in
            var form = SignInForm(
                offers: SignInForm.offers(context), method: context.preferredMethod,
                profileScopes: context.profile?.scopes ?? [], recent: context.recentScopes)
            if let request { form.choose(request) }
            // Queries the URL handler each time, because registrations change.
            let effects = form.start(.checkURLHandler(context.profile), &context).effects
            return Opening(form, effects)
        }
    }
}

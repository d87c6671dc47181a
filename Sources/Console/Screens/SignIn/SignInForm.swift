import AuthEngine
import TerminalUI

/// What a sign-in is to ask for, while the person chooses. As it opens it says what is best here, so that Enter alone
/// signs in.
package struct SignInForm: Sendable, Equatable {
    /// What is typed.
    package enum Field: String, Sendable, CaseIterable {
        case scopes, loginHint, domainHint, tenant, claims
    }

    package enum Row: Sendable, Hashable {
        case way(WayOffer.Subject)
        case scope(String)
        case prompt
        case field(Field)
    }

    package private(set) var way: SignInWay
    package private(set) var prompt = MSALPromptType.default
    /// Those to choose from: the profile's, then those that were granted lately.
    package let scopes: [String]
    package private(set) var chosenScopes: Set<String>
    package private(set) var selection: Int
    private var texts: [Field: TextField] = [:]
    package private(set) var offers: [WayOffer]
    /// The question to the desktop that has not been answered.
    package var asking: EffectID?
    package var rows: [Row] {
        offers.map { Row.way($0.subject) } + scopes.map(Row.scope) + [.field(.scopes), .prompt]
            + Field.allCases.filter { $0 != .scopes }.map(Row.field)
    }

    /// - Parameters:
    ///   - offers: the ways that there are, the best first, and those that cannot be had.
    ///   - recent: scopes that the profile does not name.
    package init(offers: [WayOffer], way: SignInWay, profileScopes: [String], recent: [String] = []) {
        self.way = way
        scopes = profileScopes + recent.filter { !profileScopes.contains($0) }
        chosenScopes = Set(profileScopes)
        self.offers = offers
        selection = offers.firstIndex { $0.subject == .way(way) } ?? 0
    }

    /// The selection stays on its row, or on the way that is chosen when that is gone. A chosen way that is gone gives
    /// its place to the usual one.
    package mutating func replace(offers: [WayOffer], otherwise usual: SignInWay) {
        let old = row
        self.offers = offers
        if offer(.way(way)) == nil { way = usual }
        selection = old.flatMap(rows.firstIndex) ?? rowOfWay
    }

    /// The row of the way that is chosen.
    package var rowOfWay: Int { rows.firstIndex(of: .way(.way(way))) ?? 0 }

    package func offer(_ subject: WayOffer.Subject) -> WayOffer? { offers.first { $0.subject == subject } }

    /// Why the selected row cannot be chosen; nil: it can.
    package var obstacle: String? {
        guard case .way(let subject) = row, let offer = offer(subject), !offer.isOpen else { return nil }
        return offer.reason
    }

    package var row: Row? { rows.indices.contains(selection) ? rows[selection] : nil }

    package func text(_ field: Field) -> String { texts[field]?.text ?? "" }
    func textField(_ field: Field) -> TextField { texts[field] ?? TextField() }

    /// The field that keys go to, when the selected row is one.
    package var field: Field? {
        guard case .field(let field) = row else { return nil }
        return field
    }

    package mutating func select(row: Int) { selection = max(0, min(row, rows.count - 1)) }

    /// Chooses what the selected row stands for; of a list of answers, the next.
    package mutating func choose() {
        switch row {
        case .way(.way(let way)): self.way = way
        case .scope(let scope):
            if chosenScopes.remove(scope) == nil { chosenScopes.insert(scope) }
        case .prompt: prompt = prompt.moved(by: 1)
        case .way(.closed), .field, nil: break
        }
    }

    package mutating func chooseAnswer(by distance: Int) {
        if row == .prompt { prompt = prompt.moved(by: distance) }
    }

    /// A key that edits the selected field. False: it does not.
    package mutating func press(_ key: Key) -> Bool {
        guard let field else { return false }
        return texts[field, default: TextField()].press(key)
    }

    /// Puts a text in place of what is in the selected field.
    mutating func fill(_ text: String) {
        guard let field else { return }
        texts[field] = TextField()
        insert(text)
    }

    package mutating func insert(_ text: String) {
        guard let field else { return }
        texts[field, default: TextField()].insert(text)
    }

    /// What Enter asks for: on a way, by that way.
    package var request: SignInRequest {
        var request = SignInRequest(scopes: allScopes, way: way)
        if case .way(.way(let selected)) = row { request.way = selected }
        request.prompt = prompt
        request.loginHint = given(.loginHint)
        request.domainHint = given(.domainHint)
        request.tenant = given(.tenant)
        request.claims = given(.claims)
        return request
    }

    private var allScopes: [String] {
        let typed = text(.scopes).split(separator: " ").map(String.init)
        let chosen = scopes.filter(chosenScopes.contains)
        return chosen + typed.filter { !chosen.contains($0) }
    }

    private func given(_ field: Field) -> String? {
        let text = text(field)
        return text.isEmpty ? nil : text
    }
}

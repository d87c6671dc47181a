import AuthEngine
import TerminalUI

/// The options of a sign-in while the user chooses. The defaults fit this machine, so that Enter alone signs in.
package struct SignInForm: Sendable, Equatable {
    /// A text field.
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
    package private(set) var selection: Int
    private var texts: [Field: TextField] = [:]
    package private(set) var offers: [MethodOffer]
    /// The pending query for the desktop's URL handler.
    package var asking: EffectID?
    package var rows: [Row] {
        offers.map { Row.method($0.subject) } + scopes.map(Row.scope) + [.field(.scopes), .prompt]
            + Field.allCases.filter { $0 != .scopes }.map(Row.field)
    }

    /// - Parameters:
    ///   - offers: the sign-in methods, best first, then the unavailable ones.
    ///   - recent: recently granted scopes.
    package init(offers: [MethodOffer], method: SignInMethod, profileScopes: [String], recent: [String] = []) {
        self.method = method
        scopes = profileScopes + recent.filter { !profileScopes.contains($0) }
        chosenScopes = Set(profileScopes)
        self.offers = offers
        selection = offers.firstIndex { $0.subject == .method(method) } ?? 0
    }

    /// Updates the methods. If the chosen method is gone, `usual` is chosen; if the selected row is gone, the chosen
    /// method is selected.
    package mutating func replace(offers: [MethodOffer], otherwise usual: SignInMethod) {
        let old = row
        self.offers = offers
        if offer(.method(method)) == nil { method = usual }
        selection = old.flatMap(rows.firstIndex) ?? rowOfMethod
    }

    /// The row of the chosen method.
    package var rowOfMethod: Int { rows.firstIndex(of: .method(.method(method))) ?? 0 }

    package func offer(_ subject: MethodOffer.Subject) -> MethodOffer? { offers.first { $0.subject == subject } }

    /// Why the selected row can't be chosen; nil if it can.
    package var obstacle: String? {
        guard case .method(let subject) = row, let offer = offer(subject), !offer.isOpen else { return nil }
        return offer.reason
    }

    package var row: Row? { rows.indices.contains(selection) ? rows[selection] : nil }

    package func text(_ field: Field) -> String { texts[field]?.text ?? "" }
    func textField(_ field: Field) -> TextField { texts[field] ?? TextField() }

    /// The selected text field, which takes the keys.
    package var field: Field? {
        guard case .field(let field) = row else { return nil }
        return field
    }

    package mutating func select(row: Int) { selection = max(0, min(row, rows.count - 1)) }

    /// Chooses the selected method, toggles the selected scope, or changes the prompt to the next one.
    package mutating func choose() {
        switch row {
        case .method(.method(let method)): self.method = method
        case .scope(let scope):
            if chosenScopes.remove(scope) == nil { chosenScopes.insert(scope) }
        case .prompt: prompt = prompt.moved(by: 1)
        case .method(.closed), .field, nil: break
        }
    }

    package mutating func chooseAnswer(by distance: Int) {
        if row == .prompt { prompt = prompt.moved(by: distance) }
    }

    /// Edits the selected field; returns false if the key doesn't edit.
    package mutating func press(_ key: Key) -> Bool {
        guard let field else { return false }
        return texts[field, default: TextField()].press(key)
    }

    /// Replaces the text of the selected field.
    mutating func fill(_ text: String) {
        guard let field else { return }
        texts[field] = TextField()
        insert(text)
    }

    package mutating func insert(_ text: String) {
        guard let field else { return }
        texts[field, default: TextField()].insert(text)
    }

    /// The request that Enter sends. On a method's row, it uses that method.
    package var request: SignInRequest {
        var request = SignInRequest(scopes: allScopes, method: method)
        if case .method(.method(let selected)) = row { request.method = selected }
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

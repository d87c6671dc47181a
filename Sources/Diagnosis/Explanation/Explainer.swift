import Foundation
import OAuthCore

/// Explains pasted text offline, without the network or the cache.
package struct Explainer: Sendable {
    /// The maximum length in bytes, longer than any URL or token.
    package static let maximumLength = 256 * 1024

    /// The rules of the application for redirect URIs.
    package var rules: RedirectURIRules
    /// The time for checking a token's expiry.
    package var now: Date

    /// - Parameters:
    ///   - infoPlist: the application's registration, XML or binary.
    ///   - hasInfoPlist: whether the user named that file and can correct it.
    package init(
        clientID: String, infoPlist: [UInt8], hasInfoPlist: Bool = true, now: Date
    ) throws(AppRegistration.Malformed) {
        var registration = try AppRegistration(infoPlist: infoPlist)
        registration.hasInfoPlist = hasInfoPlist
        rules = RedirectURIRules(clientID: clientID, registration: registration)
        self.now = now
    }

    /// Returns `nil` if the text isn't recognised.
    package func explain(_ pasted: String) -> Explanation? {
        let text = Self.stripped(pasted)
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else { return nil }
        if let token = TokenExplanation(text, now: now) { return token.explanation }
        if let address = address(text) { return address }
        return ErrorExplanation(text)?.explanation
    }

    /// Explains a token, which needs no application.
    package static func explain(token pasted: String, now: Date) -> Explanation? {
        TokenExplanation(stripped(pasted), now: now)?.explanation
    }

    private func address(_ text: String) -> Explanation? {
        guard !text.contains(where: \.isWhitespace) else { return nil }
        let parameters = Self.parameters(of: text)
        let names = Set(parameters.pairs.map(\.name))
        if names.contains("response_type") || (names.contains("client_id") && names.contains("scope")) {
            return AuthorizationRequestExplanation(text, parameters).explanation
        }
        if !names.isDisjoint(with: ["code", "error", "access_token", "id_token", "state"]) {
            return AuthorizationResponseExplanation(text, parameters).explanation
        }
        guard text.contains(":"), text.range(of: "^[A-Za-z][A-Za-z0-9+.-]*:", options: .regularExpression) != nil
        else { return nil }
        return AuthorityExplanation(text)?.explanation ?? RedirectURIExplanation(text, rules).explanation
    }

    /// The parameters of a URL or of a query alone.
    private static func parameters(of text: String) -> Parameters {
        if !text.contains("://"), !text.contains("?"), !text.contains("#"), text.contains("=") {
            return Parameters(formEncoded: text)
        }
        let query = text.firstIndex { $0 == "?" || $0 == "#" }.map { text[text.index(after: $0)...] } ?? ""
        return Parameters(formEncoded: query.replacing("#", with: "&"))
    }

    /// Removes shell quotes, angle brackets and the name of an HTTP header.
    package static func stripped(_ pasted: String) -> String {
        var text = pasted.trimmingCharacters(in: .whitespacesAndNewlines)
        for (opening, closing) in [("\"", "\""), ("'", "'"), ("<", ">")]
        where text.count > 1 && text.hasPrefix(opening) && text.hasSuffix(closing) {
            text = String(text.dropFirst().dropLast())
        }
        return text.replacing(#/^(?i)(authorization:\s*)?(bearer|pop)\s+/#, with: "")
    }
}

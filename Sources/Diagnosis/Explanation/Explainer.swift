import Foundation
import OAuthCore

/// Explains pasted text offline, without the network or the cache.
package struct Explainer: Sendable {
    /// The maximum length of a text in bytes, longer than any URL or token.
    package static let maximumLength = 256 * 1024
    /// The maximum size of a recording or log in bytes.
    package static let maximumFileSize = 256 << 20

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

    /// Explains the content of a file: a browser recording (HAR), a log, or a text as for ``explain(_:)``.
    package func explain(file bytes: [UInt8]) -> Explanation? {
        if let archive = HARFile(bytes) { return EvidenceExplanation(archive).explanation }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return LogFile(text).map { EvidenceExplanation($0).explanation } ?? explain(text)
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
        return Parameters(queryAndFragmentOf: text)
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

/// Explains an authorization request (RFC 6749 §4.1.1), parameter by parameter.
struct AuthorizationRequestExplanation {
    let explanation: Explanation

    init(_ text: String, _ parameters: Parameters) {
        let place = String(text.prefix { $0 != "?" && $0 != "#" })
        let rules = AuthorizationRequestFindings(endpoint: URL(string: place), parameters: parameters)
        let address = text.contains("?") ? [Explanation.Row("Sign-in page", place)] : []
        explanation = Explanation(
            .authorizationRequest,
            "An authorization request\(URL(string: place)?.host.map { " at \($0)" } ?? "").",
            sections: [.init(title: "Request", rows: address + parameters.pairs.map { Explanation.Row($0) })],
            findings: rules.all)
    }
}

/// Explains a redirect URI.
struct RedirectURIExplanation {
    let explanation: Explanation

    init(_ text: String, _ rules: RedirectURIRules) {
        let findings = RedirectURIFindings(text, rules: rules).all
        let isRefused = findings.worst == .failed
        explanation = Explanation(
            .redirectURI,
            "\(isRefused ? "An invalid redirect URI" : "A redirect URI") for the application "
                + "\(rules.registration.bundleIdentifier).",
            findings: findings)
    }
}

/// Explains an error code, or a message that contains codes.
struct ErrorExplanation {
    let explanation: Explanation

    /// `nil` if the dictionary has no entry.
    init?(_ text: String) {
        let entries = ErrorDictionary.bundled.entries(for: text)
        guard let first = entries.first else { return nil }
        let summary =
            entries.count == 1 ? "An error from \(first.source)." : "Matching errors, most likely first."
        explanation = Explanation(.errorCode, summary, sections: entries.map { Explanation.Section($0) })
    }
}

extension Explanation.Section {
    init(_ entry: ErrorDictionary.Entry) {
        let title = [entry.code, entry.name].compactMap(\.self).joined(separator: "  ")
        self.init(
            title: title,
            rows: [
                .init("Meaning", entry.meaning), .init("Next step", entry.nextStep),
                .init("Defined by", entry.source),
            ])
    }
}

/// Explains the URL of an authority with a known host.
struct AuthorityExplanation {
    let explanation: Explanation

    /// `nil` for an unknown host, which is more likely a redirect URI.
    init?(_ text: String) {
        guard let url = URL(string: text), url.lowercasedScheme == "https", url.microsoftService != nil,
            let authority = try? AuthorityRules.classify(url)
        else { return nil }
        let (kind, sentence) = authority.kind.words
        explanation = Explanation(
            .authority, "An authority: \(sentence)",
            sections: [
                .init(
                    title: "Authority",
                    rows: [.init("URL", authority.url.absoluteString), .init("Kind", kind)])
            ])
    }
}

extension Authority.Kind {
    /// The name, and the accounts that can sign in.
    fileprivate var words: (name: String, sentence: String) {
        switch self {
        case .aad(.common): ("Entra, common", "all work, school and personal accounts.")
        case .aad(.organizations): ("Entra, organizations", "all work and school accounts.")
        case .aad(.consumers): ("Entra, consumers", "personal accounts.")
        case .aad(.named(let tenant)): ("Entra, one tenant", "the accounts and guests of \(tenant).")
        case .b2c: ("Azure AD B2C", "the customers of one tenant, with a policy.")
        case .ciam: ("Entra External ID", "the customers of one tenant.")
        case .openID: ("OpenID provider", "the provider's accounts.")
        }
    }
}

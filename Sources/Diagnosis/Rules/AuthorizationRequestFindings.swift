import Foundation
import MSAL
import OAuthCore

/// By the RFCs and by the rules of Entra.
struct AuthorizationRequestFindings {
    /// `nil` if only the query is known.
    let endpoint: URL?
    let parameters: Parameters

    var all: [CheckFinding] {
        if parameters.isCutOffRequest { return [Cause("url-cut-off").finding(isFirst: true)] }
        let mistakes = ofProtocol + [redirect] + ofContent + secrets
        let found = mistakes.compactMap(\.self)
        return found.isEmpty ? [CheckFinding(named: "request-in-order")] : found
    }

    private subscript(name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    private var isEntra: Bool { endpoint.map { MicrosoftHosts.signIn.contains($0.lowercasedHost) } ?? false }

    private var responseTypes: Set<String> { Set((self["response_type"] ?? "").split(separator: " ").map(String.init)) }

    private var scopes: [String] { (self["scope"] ?? "").split(separator: " ").map(String.init) }

    private var ofProtocol: [CheckFinding?] {
        let isKnown = responseTypes.isSubset(of: ["code", "id_token", "token", "none"])
        let modes = ["query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"]
        let (client, mode) = (self["client_id"], self["response_mode"])
        return [
            CheckFinding(
                "request-unencrypted", if: endpoint.map { !$0.lowercasedHost.isEmpty && !$0.isSecureEndpoint } ?? false),
            parameters.firstRepeatedName.map { CheckFinding(named: "request-repeated", Privacy.name($0)) },
            CheckFinding("client-missing", if: client == nil),
            CheckFinding("client-not-guid", if: isEntra && client.map { UUID(uuidString: $0) == nil } ?? false),
            CheckFinding("response-type-missing", if: responseTypes.isEmpty),
            CheckFinding("response-type-unknown", if: !isKnown),
            CheckFinding(
                "response-type-with-tokens", if: isKnown && !responseTypes.isDisjoint(with: ["token", "id_token"])),
            CheckFinding("response-mode-unknown", if: mode.map { !modes.contains($0) } ?? false),
            CheckFinding("response-mode-query-with-tokens", if: mode == "query" && responseTypes != ["code"]),
        ]
    }

    private var redirect: CheckFinding? {
        guard let text = self["redirect_uri"] else { return CheckFinding(named: "redirect-uri-missing") }
        // The scheme belongs to another application's registration: check the form only.
        let scheme = String(text.prefix { $0 != ":" })
        let rules = RedirectURIRules(
            clientID: self["client_id"] ?? "",
            registration: AppRegistration(
                bundleIdentifier: "", urlSchemes: ["http", "https"].contains(scheme) ? [] : [scheme]))
        guard case .rejected(let rejection) = rules.verify(text) else {
            return CheckFinding(
                "redirect-uri-out-of-band", if: text.lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob"))
        }
        var finding = rejection.finding("redirect_uri")
        // The rejection's advice names this program's own redirect URI.
        if !rejection.isUnencrypted { finding.fix = "Use a redirect URI registered for the application." }
        return finding
    }

    private var ofContent: [CheckFinding?] {
        let hasDefault = scopes.contains { $0.hasSuffix("/.default") }
        let isMixed = hasDefault && scopes.contains { !$0.hasSuffix("/.default") && !Self.reserved.contains($0) }
        let isCode = responseTypes.contains("code")
        let (challenge, method) = (self["code_challenge"], self["code_challenge_method"] ?? "plain")
        let length = challenge?.utf8.count ?? 43
        let isOpenID = scopes.contains("openid")
        let isOfOther = isCode && challenge != nil && method != "S256"
        return [
            CheckFinding("scope-empty", if: scopes.isEmpty && parameters["resource"] == nil),
            CheckFinding("scope-default-with-others", if: isMixed),
            CheckFinding("scope-without-openid", if: !scopes.isEmpty && !isMixed && !isOpenID),
            CheckFinding("resource-of-adal", if: isEntra && self["resource"] != nil),
            CheckFinding("state-not-sent", if: self["state"] == nil),
            CheckFinding(
                responseTypes.contains("id_token") ? "nonce-required" : "nonce-not-sent",
                if: self["nonce"] == nil && isOpenID),
            CheckFinding("challenge-not-sent", if: isCode && challenge == nil),
            CheckFinding(method == "plain" ? "challenge-plain" : "challenge-method-unknown", if: isOfOther),
            (43...128).contains(length) ? nil : CheckFinding(named: "challenge-length", "\(length)"), prompt,
            CheckFinding("max-age-not-a-number", if: self["max_age"].map { Int($0).map { $0 < 0 } ?? true } ?? false),
            CheckFinding(
                "claims-not-an-object",
                if: self["claims"].map { (try? JSONValue(parsing: $0))?.object == nil } ?? false),
        ]
    }

    private static let reserved: Set<String> = ["openid", "profile", "email", "offline_access"]

    private var prompt: CheckFinding? {
        let words = Set((self["prompt"] ?? "").split(separator: " ").map(String.init))
        if let word = words.subtracting(Prompt.allCases.map(\.rawValue)).sorted().first {
            return CheckFinding(
                named: "prompt-unknown", Privacy.text(word, of: "prompt", for: .explanation), Prompt.listed)
        }
        return CheckFinding("prompt-none-with-others", if: words.contains("none") && words.count > 1)
    }

    /// Secrets that no authorization request has, of those in `WireParameter`.
    private var secrets: [CheckFinding?] {
        ["client_secret", "code_verifier", "password", "refresh_token", "access_token"].map { name in
            self[name].map { _ in CheckFinding(named: "secret-in-url", name) }
        }
    }
}

extension Parameters {
    /// Whether this is the first parameter alone of an authorization request.
    var isCutOffRequest: Bool {
        pairs.count == 1 && pairs.allSatisfy { ["response_type", "client_id", "redirect_uri"].contains($0.name) }
    }
}

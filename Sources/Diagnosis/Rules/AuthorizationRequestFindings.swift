import Foundation
import MSAL
import OAuthCore

/// Problems of an authorization request, by the RFCs and by the rules of Entra.
struct AuthorizationRequestFindings {
    /// The authorization endpoint; `nil` if only the query is known.
    let endpoint: URL?
    let parameters: Parameters

    var all: [CheckFinding] {
        if parameters.isCutOffRequest {
            return [CheckFinding("URL", .failed, Self.cutOff.headline, fix: Self.cutOff.fix)]
        }
        let found =
            [encryption, repeated, client, responseType, responseMode] + redirect
            + [scope, resource, state, nonce, challenge, challengeLength, prompt, age, claims] + secrets
        let mistakes = found.compactMap(\.self)
        return mistakes.isEmpty ? [CheckFinding("Request", .passed, "No problems found.")] : mistakes
    }

    /// What is said of a URL with only its first parameter.
    static let cutOff = (
        headline: "The URL ends after its first parameter: a shell or launcher cut it off at \"&\".",
        fix: "Put the URL in quotes, or open it without a shell."
    )

    private subscript(name: String) -> String? {
        parameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var isEntra: Bool {
        endpoint.map { MicrosoftHosts.signIn.contains($0.lowercasedHost) } ?? false
    }

    private var responseTypes: Set<String> {
        Set((self["response_type"] ?? "").split(separator: " ").map(String.init))
    }

    private var scopes: [String] { (self["scope"] ?? "").split(separator: " ").map(String.init) }

    private var encryption: CheckFinding? {
        guard let endpoint, !endpoint.lowercasedHost.isEmpty, !endpoint.isSecureEndpoint else { return nil }
        return CheckFinding(
            "Sign-in page", .failed, "The URL isn't encrypted, or contains a username.",
            fix: "Use the https URL from the authority's metadata.")
    }

    private var repeated: CheckFinding? {
        parameters.firstRepeatedName.map {
            CheckFinding(
                Privacy.name($0), .failed, "Repeated, which RFC 6749 §3.1 forbids.", fix: "Send it once.")
        }
    }

    private var client: CheckFinding? {
        guard let id = self["client_id"] else {
            return CheckFinding("client_id", .failed, "Missing.", fix: "Send the client ID.")
        }
        return isEntra && UUID(uuidString: id) == nil
            ? CheckFinding(
                "client_id", .failed, "Not a GUID. Entra requires one.",
                fix: "Copy the Application (client) ID from the registration.") : nil
    }

    private var responseType: CheckFinding? {
        let known: Set<String> = ["code", "id_token", "token", "none"]
        guard !responseTypes.isEmpty else {
            return CheckFinding("response_type", .failed, "Missing.", fix: "Send response_type=code.")
        }
        guard responseTypes.isSubset(of: known) else {
            return CheckFinding(
                "response_type", .failed, "Unknown response type.", fix: "Send response_type=code.")
        }
        return responseTypes.contains("token") || responseTypes.contains("id_token")
            ? CheckFinding(
                "response_type", .warning, "Tokens in a URL end up in histories and logs (RFC 9700 §2.1.2).",
                fix: "Request a code (response_type=code).") : nil
    }

    private var responseMode: CheckFinding? {
        guard let mode = self["response_mode"] else { return nil }
        guard ["query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"].contains(mode)
        else {
            return CheckFinding(
                "response_mode", .failed, "Unknown response mode.", fix: "Use query, fragment or form_post.")
        }
        return mode == "query" && responseTypes != ["code"]
            ? CheckFinding(
                "response_mode", .failed, "Tokens can't return in the query.",
                fix: "Request a code, or use form_post.") : nil
    }

    private var redirect: [CheckFinding?] {
        guard let text = self["redirect_uri"] else {
            return [
                CheckFinding(
                    "redirect_uri", .warning,
                    "Missing: optional only if exactly one is registered.",
                    fix: "Send the registered redirect URI.")
            ]
        }
        // The scheme belongs to another application's registration: check the form only.
        let scheme = String(text.prefix { $0 != ":" })
        let rules = RedirectURIRules(
            clientID: self["client_id"] ?? "",
            registration: AppRegistration(
                bundleIdentifier: "", urlSchemes: ["http", "https"].contains(scheme) ? [] : [scheme]))
        guard case .rejected(let rejection) = rules.verify(text) else { return [outOfBand(text)] }
        var finding = rejection.finding("redirect_uri")
        // The rejection's advice names this program's own redirect URI.
        if !rejection.isUnencrypted { finding.fix = "Use a redirect URI registered for the application." }
        return [finding]
    }

    private func outOfBand(_ text: String) -> CheckFinding? {
        guard text.lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob") else { return nil }
        return CheckFinding(
            "redirect_uri", .failed, "Out-of-band redirect URIs are no longer supported.",
            fix: "Use http://localhost or, if there is no browser, a device code.")
    }

    private var scope: CheckFinding? {
        if scopes.isEmpty {
            return parameters["resource"] == nil
                ? CheckFinding(
                    "scope", .warning, "Empty: the authority chooses a scope or returns invalid_scope.",
                    fix: "Name the scopes, and openid to identify the user.") : nil
        }
        let defaults = scopes.filter { $0.hasSuffix("/.default") }
        let others = scopes.filter { !$0.hasSuffix("/.default") && !Self.reserved.contains($0) }
        if !defaults.isEmpty, !others.isEmpty {
            return CheckFinding(
                "scope", .failed, "Entra rejects /.default with other scopes (AADSTS70011).",
                fix: "Request /.default alone, or only individual scopes.")
        }
        return scopes.contains("openid")
            ? nil
            : CheckFinding(
                "scope", .warning, "Without openid, no ID token identifies the user.",
                fix: "Add openid.")
    }

    private static let reserved: Set<String> = ["openid", "profile", "email", "offline_access"]

    private var resource: CheckFinding? {
        guard isEntra, self["resource"] != nil else { return nil }
        return CheckFinding(
            "resource", .warning, "The resource parameter is for the older endpoint (ADAL).",
            fix: "Request the scope RESOURCE/.default at /oauth2/v2.0/authorize.")
    }

    private var state: CheckFinding? {
        self["state"] == nil
            ? CheckFinding(
                "state", .warning, "Missing: forged responses can't be detected (RFC 6749 §10.12).",
                fix: "Send a new random value, and compare it.") : nil
    }

    private var nonce: CheckFinding? {
        guard self["nonce"] == nil, scopes.contains("openid") else { return nil }
        let isRequired = responseTypes.contains("id_token")
        return CheckFinding(
            "nonce", isRequired ? .failed : .warning,
            isRequired
                ? "Missing: ID tokens from the page require it (OpenID Connect Core 1.0 §3.2.2.1)."
                : "Missing: replayed ID tokens can't be detected.",
            fix: "Send a new random value, and compare it.")
    }

    private var challenge: CheckFinding? {
        guard responseTypes.contains("code") else { return nil }
        guard self["code_challenge"] != nil else {
            return CheckFinding(
                "code_challenge", .warning,
                "Missing: anyone who gets the code can redeem it (RFC 7636, RFC 8252 §8.1).",
                fix: "Use PKCE with S256.")
        }
        let method = self["code_challenge_method"] ?? "plain"
        guard method != "S256" else { return nil }
        return CheckFinding(
            "code_challenge_method", method == "plain" ? .warning : .failed,
            method == "plain" ? "The challenge reveals the secret (plain)." : "Unknown method.",
            fix: "Send code_challenge_method=S256.")
    }

    private var challengeLength: CheckFinding? {
        guard let challenge = self["code_challenge"], !(43...128).contains(challenge.utf8.count) else { return nil }
        return CheckFinding(
            "code_challenge", .failed,
            "\(challenge.utf8.count) characters instead of 43 to 128 (RFC 7636 §4.2).",
            fix: "Send the verifier's SHA-256 in base64url: 43 characters.")
    }

    private var prompt: CheckFinding? {
        let words = Set((self["prompt"] ?? "").split(separator: " ").map(String.init))
        let unknown = words.subtracting(Prompt.allCases.map(\.rawValue))
        if let word = unknown.sorted().first {
            return CheckFinding(
                "prompt", .warning, "Unknown value: \(Privacy.text(word, of: "prompt", for: .explanation)).",
                fix: "Use \(Prompt.listed).")
        }
        return words.contains("none") && words.count > 1
            ? CheckFinding(
                "prompt", .failed, "\"none\" must be the only value.", fix: "Send one value.")
            : nil
    }

    private var age: CheckFinding? {
        guard let text = self["max_age"], Int(text).map({ $0 < 0 }) ?? true else { return nil }
        return CheckFinding("max_age", .failed, "Not a number of seconds.", fix: "Send a whole number.")
    }

    private var claims: CheckFinding? {
        guard let text = self["claims"], (try? JSONValue(parsing: text))?.object == nil else { return nil }
        return CheckFinding(
            "claims", .failed, "Not a JSON object (OpenID Connect Core 1.0 §5.5).",
            fix: "Send the resource's claims challenge, percent-encoded.")
    }

    /// Secrets that no authorization request has, of those in `WireParameter`.
    private var secrets: [CheckFinding?] {
        ["client_secret", "code_verifier", "password", "refresh_token", "access_token"].map { name in
            self[name] == nil
                ? nil
                : CheckFinding(
                    name, .failed, "A secret in a URL ends up in histories and logs.",
                    fix: "Remove it and create a new one.")
        }
    }
}

extension Parameters {
    /// Whether this is the first parameter alone of an authorization request.
    var isCutOffRequest: Bool {
        pairs.count == 1 && pairs.allSatisfy { ["response_type", "client_id", "redirect_uri"].contains($0.name) }
    }
}

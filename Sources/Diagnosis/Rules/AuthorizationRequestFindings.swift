import Foundation
import OAuthCore

/// What is wrong with an authorization request, by the RFCs and by what is known of Entra.
struct AuthorizationRequestFindings {
    /// Where it goes; `nil` when only the query is known.
    let endpoint: URL?
    let parameters: Parameters

    var all: [CheckFinding] {
        let found =
            [encryption, repeated, client, responseType, responseMode] + redirect
            + [scope, resource, state, nonce, challenge, challengeLength, prompt, age, claims] + secrets
        let mistakes = found.compactMap(\.self)
        return mistakes.isEmpty ? [CheckFinding("Request", .good, "Nothing about it is wrong.")] : mistakes
    }

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
            "Sign-in page", .wrong, "The address is not encrypted, or has a user name in it.",
            fix: "Use the https address of the authority's discovery document.")
    }

    private var repeated: CheckFinding? {
        parameters.firstRepeatedName.map {
            CheckFinding(
                $0, .wrong, "It stands there more than once, which is forbidden (RFC 6749 §3.1).", fix: "Send it once.")
        }
    }

    private var client: CheckFinding? {
        guard let id = self["client_id"] else {
            return CheckFinding("client_id", .wrong, "It is missing.", fix: "Send the application's ID.")
        }
        return isEntra && UUID(uuidString: id) == nil
            ? CheckFinding(
                "client_id", .wrong, "Entra's application IDs are GUIDs, and this is none.",
                fix: "Copy the Application (client) ID from the registration.") : nil
    }

    private var responseType: CheckFinding? {
        let known: Set<String> = ["code", "id_token", "token", "none"]
        guard !responseTypes.isEmpty else {
            return CheckFinding("response_type", .wrong, "It is missing.", fix: "Send response_type=code.")
        }
        guard responseTypes.isSubset(of: known) else {
            return CheckFinding(
                "response_type", .wrong, "There is no such response type.", fix: "Send response_type=code.")
        }
        return responseTypes.contains("token") || responseTypes.contains("id_token")
            ? CheckFinding(
                "response_type", .attention, "Tokens in an address end up in histories and logs (RFC 9700 §2.1.2).",
                fix: "Ask for a code (response_type=code).") : nil
    }

    private var responseMode: CheckFinding? {
        guard let mode = self["response_mode"] else { return nil }
        guard ["query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt"].contains(mode)
        else {
            return CheckFinding(
                "response_mode", .wrong, "There is no such response mode.", fix: "Use query, fragment or form_post.")
        }
        return mode == "query" && responseTypes != ["code"]
            ? CheckFinding(
                "response_mode", .wrong, "Tokens may not come back in a query.",
                fix: "Ask for a code, or use form_post.") : nil
    }

    private var redirect: [CheckFinding?] {
        guard let text = self["redirect_uri"] else {
            return [
                CheckFinding(
                    "redirect_uri", .attention,
                    "It is missing: only an application with a single one may leave it out.",
                    fix: "Send the registered redirect URI.")
            ]
        }
        // Whether its scheme is registered is another application's matter; its form is judged here.
        let scheme = String(text.prefix { $0 != ":" })
        let rules = RedirectURIRules(
            clientID: self["client_id"] ?? "",
            registration: AppRegistration(
                bundleIdentifier: "", urlSchemes: ["http", "https"].contains(scheme) ? [] : [scheme]))
        guard case .rejected(let rejection) = rules.verify(text) else { return [outOfBand(text)] }
        let isPlainHTTP = scheme.lowercased() == "http"
        return [
            CheckFinding(
                "redirect_uri", .wrong,
                isPlainHTTP ? "The answer would travel without encryption to another machine." : rejection.explanation,
                fix: isPlainHTTP
                    ? "Use https, or http://localhost." : "Use the redirect URI that is registered for the application."
            )
        ]
    }

    private func outOfBand(_ text: String) -> CheckFinding? {
        guard text.lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob") else { return nil }
        return CheckFinding(
            "redirect_uri", .wrong, "Out-of-band addresses are no longer supported.",
            fix: "Use http://localhost, or a device code where there is no browser.")
    }

    private var scope: CheckFinding? {
        if scopes.isEmpty {
            return parameters["resource"] == nil
                ? CheckFinding(
                    "scope", .attention, "Nothing is asked for: the authority decides, or refuses (invalid_scope).",
                    fix: "Name the scopes, with openid to learn who signs in.") : nil
        }
        let defaults = scopes.filter { $0.hasSuffix("/.default") }
        let others = scopes.filter { !$0.hasSuffix("/.default") && !Self.reserved.contains($0) }
        if !defaults.isEmpty, !others.isEmpty {
            return CheckFinding(
                "scope", .wrong, "/.default stands beside other scopes, which Entra refuses (AADSTS70011).",
                fix: "Ask for /.default alone, or for the scopes one by one.")
        }
        return scopes.contains("openid")
            ? nil
            : CheckFinding(
                "scope", .attention, "Without openid there is no ID token, so nobody learns who signed in.",
                fix: "Add openid.")
    }

    private static let reserved: Set<String> = ["openid", "profile", "email", "offline_access"]

    private var resource: CheckFinding? {
        guard isEntra, self["resource"] != nil else { return nil }
        return CheckFinding(
            "resource", .attention, "The older endpoint's way to say whom the token is for, as ADAL asks.",
            fix: "Ask for the scope RESOURCE/.default at /oauth2/v2.0/authorize.")
    }

    private var state: CheckFinding? {
        self["state"] == nil
            ? CheckFinding(
                "state", .attention, "It is missing: answers to other sign-ins cannot be told apart (RFC 6749 §10.12).",
                fix: "Send a fresh random value, and compare it.") : nil
    }

    private var nonce: CheckFinding? {
        guard self["nonce"] == nil, scopes.contains("openid") else { return nil }
        let isRequired = responseTypes.contains("id_token")
        return CheckFinding(
            "nonce", isRequired ? .wrong : .attention,
            isRequired
                ? "It is missing, and an ID token from the page needs it (OpenID Connect Core 1.0 §3.2.2.1)."
                : "It is missing: an old ID token would not be noticed.",
            fix: "Send a fresh random value, and compare it.")
    }

    private var challenge: CheckFinding? {
        guard responseTypes.contains("code") else { return nil }
        guard self["code_challenge"] != nil else {
            return CheckFinding(
                "code_challenge", .attention,
                "It is missing: whoever gets hold of the code can redeem it (RFC 7636, RFC 8252 §8.1).",
                fix: "Use PKCE with S256.")
        }
        let method = self["code_challenge_method"] ?? "plain"
        guard method != "S256" else { return nil }
        return CheckFinding(
            "code_challenge_method", method == "plain" ? .attention : .wrong,
            method == "plain" ? "The challenge is the secret itself (plain)." : "There is no such method.",
            fix: "Send code_challenge_method=S256.")
    }

    private var challengeLength: CheckFinding? {
        guard let challenge = self["code_challenge"], !(43...128).contains(challenge.utf8.count) else { return nil }
        return CheckFinding(
            "code_challenge", .wrong,
            "It has \(challenge.utf8.count) characters; 43 to 128 are allowed (RFC 7636 §4.2).",
            fix: "Send the base64url of the verifier's SHA-256: 43 characters.")
    }

    private var prompt: CheckFinding? {
        let words = Set((self["prompt"] ?? "").split(separator: " ").map(String.init))
        let unknown = words.subtracting(Prompt.allCases.map(\.rawValue))
        if let word = unknown.sorted().first {
            return CheckFinding(
                "prompt", .attention, "\(word) is not one of the known values.",
                fix: "Use \(Prompt.listed).")
        }
        return words.contains("none") && words.count > 1
            ? CheckFinding(
                "prompt", .wrong, "none stands beside another value, which is forbidden.", fix: "Send one of them.")
            : nil
    }

    private var age: CheckFinding? {
        guard let text = self["max_age"], Int(text).map({ $0 < 0 }) ?? true else { return nil }
        return CheckFinding("max_age", .wrong, "It is not a number of seconds.", fix: "Send a whole number.")
    }

    private var claims: CheckFinding? {
        guard let text = self["claims"], (try? JSONValue(parsing: text))?.object == nil else { return nil }
        return CheckFinding(
            "claims", .wrong, "It is not a JSON object (OpenID Connect Core 1.0 §5.5).",
            fix: "Send the object of the resource's challenge, percent-encoded.")
    }

    private var secrets: [CheckFinding?] {
        ["client_secret", "code_verifier", "password", "refresh_token", "access_token"].map { name in
            self[name] == nil
                ? nil
                : CheckFinding(
                    name, .wrong, "It is a secret, and addresses are not: they end up in histories and logs.",
                    fix: "Leave it out, and make a new one.")
        }
    }
}

import Foundation
import KeyturnCrypto
import OAuthCore

/// From a browser (OpenID Connect Core §3.1.2.1, RFC 7636 §4.3) or from a device whose code the user entered.
struct AuthorizeRequest: Sendable, Equatable {
    enum Requester: Sendable, Equatable {
        case browser(ReplyAddress, codeChallenge: String)
        /// A device code sign-in, with the key of its ``DeviceSignIn``.
        case device(key: String)
    }

    let selector: TenantSelector
    let client: RegisteredClient
    let requester: Requester
    let scopes: [RequestedScope]
    private(set) var nonce: String?
    let prompts: Set<Prompt>
    private(set) var loginHint: String?
    /// The organisation to sign in to (Entra's `domain_hint`).
    private(set) var domainHint: TenantSelector?
    private(set) var claims = RequestedClaims()
    /// The maximum age of the authentication in seconds (`max_age`).
    private(set) var maxAge: TimeInterval?
    private(set) var wantsClientInfo = false

    init(
        _ parameters: Parameters, selector: TenantSelector, address: ReplyAddress, directory: Directory
    ) throws(AuthorityError) {
        try Self.checkForm(of: parameters)
        guard let scope = parameters.value("scope") else { throw .missing("scope") }
        self.selector = selector
        client = address.client
        requester = .browser(address, codeChallenge: try Self.codeChallenge(of: parameters))
        scopes = try directory.scopes(in: scope)
        nonce = parameters.value("nonce")
        prompts = try Self.prompts(of: parameters)
        loginHint = parameters.value("login_hint")
        domainHint = parameters.value("domain_hint").flatMap(directory.selector)
        claims = try RequestedClaims(of: parameters)
        // The best of the acceptable contexts (RFC 9470 §4).
        claims.contexts.formUnion(
            parameters.value("acr_values")?.split(separator: " ").prefix(1).map(String.init) ?? [])
        maxAge = try Self.maxAge(of: parameters)
        wantsClientInfo = parameters["client_info"] == "1"
    }

    /// The request of a device code sign-in. It always shows a page with the client's name, even to signed-in users,
    /// because someone else may have sent them the code (RFC 8628 §5.4).
    init(_ device: DeviceSignIn, key: String) {
        selector = device.selector
        client = device.client
        requester = .device(key: key)
        scopes = device.scopes
        prompts = [.selectAccount]
    }

    private static func checkForm(of parameters: Parameters) throws(AuthorityError) {
        try parameters.checkRepetition()
        for (name, error) in [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")]
        where parameters.value(name) != nil {
            throw AuthorityError(.malformedParameter, detail: "\(name) is not supported.", oauthError: error)
        }
        guard let type = parameters.value("response_type") else { throw .missing("response_type") }
        guard type == "code" else {
            throw AuthorityError(.unsupportedResponseType, detail: "Response type: \(quoted(type)).")
        }
        if let mode = parameters.value("response_mode"), ResponseMode(rawValue: mode) == nil {
            throw .malformed("response_mode", "\(quoted(mode)) is not query, fragment or form_post.")
        }
        _ = try RequestedClaims(of: parameters)
    }

    private static func codeChallenge(of parameters: Parameters) throws(AuthorityError) -> String {
        guard let challenge = parameters.value("code_challenge") else { throw AuthorityError(.codeChallengeRequired) }
        // A missing method means "plain" (RFC 7636 §4.3), which is rejected.
        guard parameters["code_challenge_method"] == "S256" else { throw AuthorityError(.unsupportedChallengeMethod) }
        guard CodeChallenge.isWellFormed(challenge) else { throw AuthorityError(.malformedCodeChallenge) }
        return challenge
    }

    private static func prompts(of parameters: Parameters) throws(AuthorityError) -> Set<Prompt> {
        let words = (parameters.value("prompt") ?? "").split(separator: " ")
        if let unknown = words.first(where: { Prompt(rawValue: String($0)) == nil }) {
            throw .malformed("prompt", "\(quoted(unknown)) is not \(Prompt.listed).")
        }
        let prompts = Set(words.compactMap { Prompt(rawValue: String($0)) })
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw .malformed("prompt", "\"none\" must be the only value.")
        }
        return prompts
    }

    private static func maxAge(of parameters: Parameters) throws(AuthorityError) -> TimeInterval? {
        guard let text = parameters.value("max_age") else { return nil }
        guard let seconds = Int32(text), seconds >= 0 else { throw .malformed("max_age", "not a number of seconds.") }
        return TimeInterval(seconds)
    }
}

/// The response mode (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode §2).
enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"
}

/// The authority's PKCE check (RFC 7636 §4.6). Deliberately shares no code with the client.
enum CodeChallenge {
    /// Whether the challenge has the form of a SHA-256 digest: 43 characters of base64url.
    static func isWellFormed(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && Base64URL.decode(challenge)?.count == 32
    }

    static func isProven(_ challenge: String, by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        let isUnreserved = { (byte: UInt8) in byte.isASCIILetter || byte.isDigit || "-._~".utf8.contains(byte) }
        guard (43...128).contains(bytes.count), bytes.allSatisfy(isUnreserved) else { return false }
        let computed = Base64URL.encode(SHA2.sha256(bytes))
        return constantTimeEqual(Array(computed.utf8), Array(challenge.utf8))
    }
}

/// The parsed `claims` parameter (OpenID Connect Core §5.5). Deliberately shares no code with the client.
struct RequestedClaims: Sendable, Equatable {
    var idToken: Set<String> = []
    var userInfo: Set<String> = []
    /// The authentication contexts (`acrs`, Entra) that the tokens must contain.
    var contexts: Set<String> = []
    /// `xms_cc`
    var capabilities: [String] = []

    init() {}

    /// Without the parameter, requests nothing.
    init(of parameters: Parameters) throws(AuthorityError) {
        guard let text = parameters.value("claims") else { return }
        guard let claims = Self(text) else { throw .malformed("claims", "not a JSON object of objects.") }
        self = claims
    }

    /// Nil unless the JSON is an object of objects.
    init?(_ text: String) {
        guard let members = (try? JSONValue(parsing: text))?.object else { return nil }
        for (target, value) in members {
            guard let claims = value.object else {
                // Unknown members are ignored (OpenID Connect Core §5.5), but these are known.
                if ["id_token", "userinfo", "access_token"].contains(target), value != .null { return nil }
                continue
            }
            add(claims, for: target)
        }
    }

    private mutating func add(_ claims: [String: JSONValue], for target: String) {
        switch target {
        case "id_token": idToken = Set(claims.keys)
        case "userinfo": userInfo = Set(claims.keys)
        default: capabilities += claims["xms_cc"].map(Self.values) ?? []
        }
        // Voluntary claims require nothing.
        for name in ["acrs", "acr"] {
            guard let wanted = claims[name], target != "userinfo", wanted["essential"] == true else { continue }
            contexts.formUnion(Self.values(of: wanted))
        }
    }

    private static func values(of claim: JSONValue) -> [String] {
        [claim["value"]?.string].compactMap(\.self) + (claim["values"]?.array ?? []).compactMap(\.string)
    }
}

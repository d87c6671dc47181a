import Foundation
import KeyturnCrypto
import OAuthCore

/// A valid sign-in request, from a browser (OpenID Connect Core §3.1.2.1, RFC 7636 §4.3) or from a device whose code
/// the user entered.
struct AuthorizeRequest: Sendable, Equatable {
    /// The recipient of the response.
    enum Requester: Sendable, Equatable {
        case browser(ReplyAddress, codeChallenge: String)
        /// A device code sign-in, with the key of its ``DeviceSignIn``.
        case device(key: String)
    }

    let selector: TenantSelector
    let client: RegisteredClient
    let requester: Requester
    let scopes: [RequestedScope]
    let nonce: String?
    let prompts: Set<Prompt>
    let loginHint: String?
    /// The organisation to sign in to (Entra's `domain_hint`).
    let domainHint: TenantSelector?
    let claims: RequestedClaims
    /// The maximum age of the authentication in seconds (`max_age`).
    let maxAge: TimeInterval?
    let wantsClientInfo: Bool

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
        var claims = parameters.value("claims").flatMap(RequestedClaims.init) ?? RequestedClaims()
        // The best of the acceptable contexts (RFC 9470 §4).
        claims.contexts.formUnion(
            (parameters.value("acr_values") ?? "").split(separator: " ").prefix(1).map(String.init))
        self.claims = claims
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
        nonce = nil
        prompts = [.selectAccount]
        loginHint = nil
        domainHint = nil
        claims = RequestedClaims()
        maxAge = nil
        wantsClientInfo = false
    }

    private static func checkForm(of parameters: Parameters) throws(AuthorityError) {
        if let name = parameters.firstRepeatedName {
            throw AuthorityError(.repeatedParameter, detail: "Parameter: \(quoted(name)).")
        }
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
        if let claims = parameters.value("claims"), RequestedClaims(claims) == nil {
            throw .malformed("claims", "not a JSON object of objects.")
        }
    }

    private static func codeChallenge(of parameters: Parameters) throws(AuthorityError) -> String {
        guard let challenge = parameters.value("code_challenge") else { throw AuthorityError(.codeChallengeRequired) }
        // A missing method means "plain" (RFC 7636 §4.3), which is rejected.
        guard parameters["code_challenge_method"] == "S256" else { throw AuthorityError(.unsupportedChallengeMethod) }
        guard CodeChallenge.isWellFormed(challenge) else { throw AuthorityError(.malformedCodeChallenge) }
        return challenge
    }

    private static func prompts(of parameters: Parameters) throws(AuthorityError) -> Set<Prompt> {
        var prompts: Set<Prompt> = []
        for word in (parameters.value("prompt") ?? "").split(separator: " ") {
            guard let prompt = Prompt(rawValue: String(word)) else {
                throw .malformed("prompt", "\(quoted(word)) is not \(Prompt.listed).")
            }
            prompts.insert(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw .malformed("prompt", "\"none\" must be the only value.")
        }
        return prompts
    }

    private static func maxAge(of parameters: Parameters) throws(AuthorityError) -> TimeInterval? {
        guard let text = parameters.value("max_age") else { return nil }
        guard let seconds = Int32(text), seconds >= 0 else {
            throw .malformed("max_age", "not a number of seconds.")
        }
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
        guard (43...128).contains(bytes.count), bytes.allSatisfy(isUnreserved) else { return false }
        let computed = Base64URL.encode(SHA2.sha256(bytes))
        return constantTimeEqual(Array(computed.utf8), Array(challenge.utf8))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

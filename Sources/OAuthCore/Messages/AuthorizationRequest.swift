import Foundation

/// The authorization request in the user's browser (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). It contains
/// only the challenge of the code verifier, so ``url`` can be shown.
package struct AuthorizationRequest: Sendable, Equatable {
    /// In bytes. Far more than servers accept.
    package static let maximumLength = 512 * 1024

    package var endpoint: URL
    package var clientID: String
    package var redirectURI: String
    /// All scopes, including the reserved ones and extra scopes to consent to.
    package var scopes: Scopes
    package var state: String
    package var nonce: String
    package var codeChallenge: String
    package var prompt: Prompt?
    /// Whether to request a refresh token in Google's way: `access_type`, and consent, without which there is none later.
    package var requestsGoogleOfflineAccess = false
    /// Sent even when empty, as MSAL for iOS and macOS does for an account without a username.
    package var loginHint: String?
    package var domainHint: String?
    package var account: ClientInfo?
    /// The `claims` parameter as JSON text (OpenID Connect Core §5.5).
    package var claims: String?
    /// The maximum age of the user's authentication in seconds (`max_age`).
    package var maximumAge: Int?
    /// The acceptable authentication contexts, best first, separated by spaces (`acr_values`).
    package var acrValues: String?
    /// The resource that the access token is for (RFC 8707 §2.1).
    package var resource: String?
    /// The API that the access token is for, at providers that choose it by this parameter.
    package var audience: String?
    /// Whether to request `client_info` from Microsoft Entra ID. Others ignore it.
    package var requestsClientInfo = true
    package var correlationID: UUID?
    /// Whether the response may come from another Microsoft cloud.
    package var isInstanceAware = false
    package var prefersQRPIN = false
    /// `slice` and `dc`, which select a part of Microsoft Entra ID.
    package var slice: Parameters = [:]
    /// The host application: `brk_client_id`, `brk_redirect_uri`.
    package var nestedBroker: Parameters = [:]
    /// The library: `x-client-SKU`, `x-client-Ver`, `x-client-OS`, `x-client-CPU`.
    package var clientMetadata: Parameters = [:]
    /// The application: `x-app-name`, `x-app-ver`.
    package var applicationMetadata: Parameters = [:]
    /// The caller's parameters. They can replace any other parameter except those that protect the exchange.
    package var extraParameters: Parameters = [:]

    package init(
        endpoint: URL, clientID: String, redirectURI: String, scopes: Scopes, state: String, nonce: String,
        codeChallenge: String
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
    }

    /// All parameters in order of precedence: later ones replace earlier ones with the same name.
    package var parameters: Parameters {
        var all = Parameters(members: [
            "client_id": clientID, "response_type": "code", "redirect_uri": redirectURI,
            "scope": scopes.isEmpty ? nil : scopes.text, "login_hint": loginHint, "domain_hint": domainHint,
            "login_req": account?.uid, "domain_req": account?.utid, "audience": audience,
            "access_type": requestsGoogleOfflineAccess ? "offline" : nil,
        ])
        all.replace(with: applicationMetadata)
        all.replace(with: extraParameters)
        all.replace(with: protection)
        all.replace(with: clientMetadata)
        return all
    }

    /// What the caller can't replace.
    private var protection: Parameters {
        let one = requestsClientInfo ? "1" : nil
        var all = Parameters(members: [
            "code_challenge": codeChallenge, "code_challenge_method": CodeVerifier.challengeMethod, "state": state,
            "nonce": nonce, "claims": claims, "prompt": sentPrompt, "max_age": maximumAge.map(String.init),
            "acr_values": acrValues, "resource": resource, "client_info": one, "haschrome": one,
        ])
        all.add(correlationID)
        if isInstanceAware { all["instance_aware"] = "true" }
        if prefersQRPIN { all["pc"] = "18" }
        all.replace(with: slice)
        all.replace(with: nestedBroker)
        return all
    }

    /// Values are separated by spaces (OpenID Connect Core §3.1.2.1). `none` must be alone.
    private var sentPrompt: String? {
        guard requestsGoogleOfflineAccess, prompt != Prompt.none, prompt != .consent else { return prompt?.rawValue }
        return [prompt, .consent].compactMap(\.?.rawValue).joined(separator: " ")
    }

    package var url: URL { endpoint.addingQuery(parameters) }

    /// Whether each request sets this parameter itself, so that a configuration can't.
    package static func sets(_ name: String) -> Bool { ownNames.contains(name.lowercased()) }

    private static let ownNames: Set<String> = [
        "client_id", "client_secret", "code_challenge", "code_challenge_method", "code_verifier", "nonce", "prompt",
        "redirect_uri", "request", "request_uri", "response_mode", "response_type", "scope", "state",
    ]
}

extension Parameters {
    /// Sets all pairs of `other`; existing names keep their position.
    package mutating func replace(with other: Parameters) {
        for pair in other.pairs { self[pair.name] = pair.value }
    }

    /// Entra returns the ID in the response.
    mutating func add(_ correlationID: UUID?) {
        guard let correlationID else { return }
        self["client-request-id"] = correlationID.uuidString
        self["return-client-request-id"] = "true"
    }
}

extension URL {
    /// Replaces parameters of the same name and `others`, because none may occur twice (RFC 6749 §3.1) and a discovery
    /// document must not override `state`, `redirect_uri` or the code challenge.
    package func addingQuery(_ parameters: Parameters, replacing others: [String] = []) -> URL {
        guard !parameters.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        let names = Set(parameters.pairs.map(\.name) + others)
        let remaining = (components.percentEncodedQuery ?? "").split(separator: "&").filter { pair in
            !Parameters(formEncoded: String(pair)).pairs.contains { names.contains($0.name) }
        }
        let parts = remaining.map(String.init) + [parameters.formEncoded]
        components.percentEncodedQuery = parts.joined(separator: "&")
        components.fragment = nil
        return components.url ?? self
    }
}

/// The reference to an authorization request that the authority holds for the browser (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Sendable, Equatable {
    /// In bytes. References are short, because they make URLs short.
    package static let maximumLength = 2048

    package let requestURI: String
    /// The lifetime in seconds, or `nil` if the response omits it, although RFC 9126 requires it.
    package let expiresIn: Int?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = ResponseMembers(try response.members(of: [200, 201]))
        requestURI = try members.required("request_uri")
        guard requestURI.utf8.count <= Self.maximumLength else {
            throw .malformed(.tooLong(member: "request_uri", limit: Self.maximumLength))
        }
        guard requestURI.isVisibleASCII else { throw .malformed(.notVisibleASCII(member: "request_uri")) }
        expiresIn = try members.limitedSeconds("expires_in")
        if expiresIn == 0 { throw .malformed(.impossibleLifetime(member: "expires_in")) }
    }
}

extension AuthorizationRequest {
    /// The application's request, which leaves the parameters with the authority (RFC 9126 §2.1).
    package func pushed(to endpoint: URL, by clientSecret: ClientSecret?) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        var body = parameters
        body.identify(clientID, clientSecret, &headers)
        return .form(body, to: endpoint, headers: headers)
    }

    /// The URL for the browser, with the reference in place of the other parameters (RFC 9126 §4), also of those that the
    /// endpoint's address has.
    package func url(of held: PushedAuthorizationResponse) -> URL {
        endpoint.addingQuery(
            ["client_id": clientID, "request_uri": held.requestURI], replacing: parameters.pairs.map(\.name))
    }
}

/// The values of `prompt` (OpenID Connect Core §3.1.2.1).
package enum Prompt: String, Sendable, CaseIterable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
    /// Initiating User Registration 1.0
    case create

    /// The identity broker can't create accounts, and has a separate call for silent requests.
    var isKnownToBroker: Bool {
        switch self {
        case .login, .consent, .selectAccount: true
        case .none, .create: false
        }
    }

    package static let listed = allCases.map(\.rawValue).alternatives
}

extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        guard let last, count > 1 else { return joined() }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

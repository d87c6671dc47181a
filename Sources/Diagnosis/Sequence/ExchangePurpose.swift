import MSAL

/// The purpose of an exchange. The raw values are the names in `Resources/parameters.json`.
package enum ExchangePurpose: String, Sendable, CaseIterable {
    case instanceDiscovery, openIDConfiguration, authorizationServerMetadata, signingKeys
    case authorizationRequest, pushedAuthorization, authorizationResponse, endSessionRequest, endSessionResponse
    case deviceAuthorization, clientRegistration
    case authorizationCodeGrant, refreshTokenGrant, deviceCodeGrant, otherGrant
    case userInfo, tokenRevocation
    case apiRequest, resourceMetadata
    case other

    package var title: String { words.title }
    /// The request in a few words.
    var label: String { words.label }

    /// What a successful response contains. A network's sign-in page may arrive instead of JSON.
    func content(_ mediaType: String?) -> String {
        mediaType == "text/html" && self != .apiRequest ? "web page" : words.content
    }

    private var words: (title: String, label: String, content: String) {
        switch self {
        case .instanceDiscovery: ("Instance discovery", "instance", "cloud hosts")
        case .openIDConfiguration: ("OpenID metadata", "metadata", "metadata")
        case .authorizationServerMetadata: ("Authorization server metadata", "metadata", "metadata")
        case .signingKeys: ("Signing keys", "signing keys", "keys")
        case .authorizationRequest: ("Authorization request", "authorize", "")
        case .pushedAuthorization: ("Pushed authorization request", "push request", "request URI")
        case .authorizationResponse: ("Authorization response", "response", "")
        case .endSessionRequest: ("Sign-out request", "sign out", "")
        case .endSessionResponse: ("Sign-out response", "signed out", "")
        case .deviceAuthorization: ("Device code request", "device code", "code")
        case .clientRegistration: ("Client registration", "register", "client ID")
        case .authorizationCodeGrant: ("Token request (code)", "token (code)", "tokens")
        case .refreshTokenGrant: ("Token request (refresh)", "token (refresh)", "tokens")
        case .deviceCodeGrant: ("Token request (device)", "token (device)", "tokens")
        case .otherGrant: ("Token request", "token", "tokens")
        case .userInfo: ("UserInfo", "userinfo", "claims")
        case .tokenRevocation: ("Token revocation", "revoke", "")
        case .apiRequest: ("API request", "API", "")
        case .resourceMetadata: ("Resource metadata", "metadata", "metadata")
        case .other: ("Request", "request", "")
        }
    }

    package init(_ exchange: MSALFlowExchange) {
        let names = Set(exchange.parameters.map(\.name))
        switch exchange.direction {
        case .frontChannelRequest:
            self =
                names.isDisjoint(with: ["response_type", "request_uri"]) ? .endSessionRequest : .authorizationRequest
        case .frontChannelResponse:
            // A sign-out returns the state alone (OpenID Connect RP-Initiated Logout §3).
            self = names.isSubset(of: ["state"]) ? .endSessionResponse : .authorizationResponse
        case .resource:
            let isMetadata =
                names.contains("authorization_servers")
                || exchange.address.contains("/.well-known/oauth-protected-resource")
            self = isMetadata ? .resourceMetadata : .apiRequest
        case .backChannel:
            self = Self.grant(of: exchange) ?? Self.document(at: exchange.address, respondingTo: exchange.parameters)
        }
    }

    private static func grant(of exchange: MSALFlowExchange) -> ExchangePurpose? {
        guard exchange.method == "POST" else { return nil }
        let form = exchange.parameters.filter { $0.place == .requestBody }
        if form.contains(where: { $0.name == "token" }) { return .tokenRevocation }
        if form.contains(where: { $0.name == "response_type" }) { return .pushedAuthorization }
        let grant = form.first { $0.name == "grant_type" }?.value
        return switch grant {
        case "authorization_code": .authorizationCodeGrant
        case "refresh_token": .refreshTokenGrant
        case "urn:ietf:params:oauth:grant-type:device_code": .deviceCodeGrant
        case .some: .otherGrant
        case nil: exchange.sendsJSON ? .clientRegistration : .deviceAuthorization
        }
    }

    /// Recognises documents by well-known addresses, or else by the response's members.
    private static func document(at address: String, respondingTo parameters: [MSALFlowParameter]) -> ExchangePurpose {
        if address.hasSuffix("/.well-known/openid-configuration") { return .openIDConfiguration }
        if address.contains("/.well-known/oauth-authorization-server") { return .authorizationServerMetadata }
        if address.contains("/discovery/instance") { return .instanceDiscovery }
        if parameters.contains(where: { $0.name == "keys" && $0.place == .responseBody }) { return .signingKeys }
        let isSigned = parameters.contains { $0.place == .requestHeader && $0.name.lowercased() == "authorization" }
        if isSigned { return .userInfo }
        return address.contains("keys") || address.contains("jwks") ? .signingKeys : .other
    }
}

extension MSALFlowExchange {
    fileprivate var sendsJSON: Bool {
        parameters.contains {
            $0.place == .requestHeader && $0.name.lowercased() == "content-type"
                && $0.value.lowercased().hasPrefix("application/json")
        }
    }
}

extension MSALFlowExchange.Direction {
    /// The parties to the exchange, as a sentence.
    package var sentence: String {
        switch self {
        case .backChannel: "Sent by this program directly to the authority."
        case .resource: "Sent by this program directly to the API."
        case .frontChannelRequest: "Opened in the browser. Keyturn can't see what happens next."
        case .frontChannelResponse: "Received from the browser at the redirect URI."
        }
    }
}

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

    package var title: String {
        switch self {
        case .instanceDiscovery: "Instance discovery"
        case .openIDConfiguration: "OpenID metadata"
        case .authorizationServerMetadata: "Authorization server metadata"
        case .signingKeys: "Signing keys"
        case .authorizationRequest: "Authorization request"
        case .pushedAuthorization: "Pushed authorization request"
        case .authorizationResponse: "Authorization response"
        case .endSessionRequest: "Sign-out request"
        case .endSessionResponse: "Sign-out response"
        case .deviceAuthorization: "Device code request"
        case .clientRegistration: "Client registration"
        case .authorizationCodeGrant: "Token request (code)"
        case .refreshTokenGrant: "Token request (refresh)"
        case .deviceCodeGrant: "Token request (device)"
        case .otherGrant: "Token request"
        case .userInfo: "UserInfo"
        case .tokenRevocation: "Token revocation"
        case .apiRequest: "API request"
        case .resourceMetadata: "Resource metadata"
        case .other: "Request"
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

import Foundation

/// A call of the identity broker for Linux: a D-Bus method with its JSON argument (docs/upstream-behaviour.md §13).
package struct BrokerRequest: Sendable, Equatable {
    /// Each takes version, correlation ID and request as texts, and returns a text.
    package enum Method: String, Sendable, CaseIterable {
        case getAccounts, getLinuxBrokerVersion, acquireTokenSilently, acquireTokenInteractively, removeAccount
        case cancelInteractiveFlow
    }

    package static let protocolVersion = "0.0"
    /// The redirect URI that an application registers for the broker, besides its own.
    package static let redirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    package var method: Method
    package var body: JSONValue

    package init(_ method: Method, _ body: JSONValue) { (self.method, self.body) = (method, body) }

    package static func accounts(clientID: String) -> BrokerRequest {
        BrokerRequest(.getAccounts, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }

    package static let version = BrokerRequest(.getLinuxBrokerVersion, ["msalCppVersion": "1.0"])

    package static func remove(_ account: BrokerAccount, clientID: String) -> BrokerRequest {
        BrokerRequest(.removeAccount, ["clientId": .string(clientID), "account": account.json])
    }

    /// Cancels the call with the same correlation ID.
    package static func cancel(clientID: String) -> BrokerRequest {
        BrokerRequest(.cancelInteractiveFlow, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }
}

/// A token request to the broker, silent or interactive (docs/upstream-behaviour.md §13).
package struct BrokerTokenRequest: Sendable, Equatable {
    package var authority: URL
    package var clientID: String
    package var scopes: Scopes
    package var account: BrokerAccount?
    /// For an account that the broker doesn't list.
    package var username: String?
    package var prompt: Prompt?
    /// The `claims` parameter as JSON text (OpenID Connect Core §5.5).
    package var claims: String?
    /// The cached access token that the broker must not return again.
    package var accessTokenToRefresh: Secret?
    package var extraQueryParameters: Parameters = [:]

    package init(authority: URL, clientID: String, scopes: Scopes) {
        (self.authority, self.clientID, self.scopes) = (authority, clientID, scopes)
    }

    package var silent: BrokerRequest { request(.acquireTokenSilently, authorizationType: 1) }
    package var interactive: BrokerRequest { request(.acquireTokenInteractively, authorizationType: 6) }

    private func request(_ method: BrokerRequest.Method, authorizationType: Int64) -> BrokerRequest {
        let extra = Dictionary(extraQueryParameters.pairs.map { ($0.name, JSONValue.string($0.value)) }) { $1 }
        // An account would preselect one, although the user is to choose.
        let chooses = prompt == .selectAccount
        let members = JSONValue(members: [
            "authority": .string(authority.absoluteString), "authorizationType": .integer(authorizationType),
            "clientId": .string(clientID), "redirectUri": .string(BrokerRequest.redirectURI),
            "requestedScopes": JSONValue(scopes.names), "additionalQueryParametersForAuthorization": .object(extra),
            // No parent window.
            "uxContextHandle": -1,
            "account": chooses ? nil : account?.json,
            "username": chooses ? nil : (account?.username ?? username).map(JSONValue.string),
            "prompt": prompt.flatMap { $0.isKnownToBroker ? .string($0.rawValue) : nil },
            "decodedClaims": claims.map(JSONValue.string),
            "accessTokenToRenew": accessTokenToRefresh.map { .string($0.reveal()) },
        ])
        return BrokerRequest(method, ["authParameters": members])
    }
}

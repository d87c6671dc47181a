import Foundation

/// A token request to the broker, silent or interactive (docs/upstream-behaviour.md §13).
package struct BrokerTokenRequest: Sendable, Equatable {
    package var authority: URL
    package var clientID: String
    package var scopes: Scopes
    /// The account from the broker's list.
    package var account: BrokerAccount?
    /// The username, for an account that the broker doesn't list.
    package var username: String?
    package var prompt: Prompt?
    /// The `claims` parameter as JSON text (OpenID Connect Core §5.5).
    package var claims: String?
    /// The cached access token that the broker must not return again.
    package var accessTokenToRefresh: Secret?
    package var extraQueryParameters: Parameters = [:]

    package init(authority: URL, clientID: String, scopes: Scopes) {
        self.authority = authority
        self.clientID = clientID
        self.scopes = scopes
    }

    /// The call without user interaction.
    package var silent: BrokerRequest { request(.acquireTokenSilently, authorizationType: 1) }

    /// The call that shows the broker's window.
    package var interactive: BrokerRequest { request(.acquireTokenInteractively, authorizationType: 6) }

    private func request(_ method: BrokerRequest.Method, authorizationType: Int64) -> BrokerRequest {
        var members: [String: JSONValue] = [
            "authority": .string(authority.absoluteString), "authorizationType": .integer(authorizationType),
            "clientId": .string(clientID), "redirectUri": .string(BrokerRequest.redirectURI),
            "requestedScopes": .array(scopes.names.map(JSONValue.string)),
            "additionalQueryParametersForAuthorization": .object(
                Dictionary(
                    extraQueryParameters.pairs.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { $1 })),
            // No parent window.
            "uxContextHandle": -1,
        ]
        // An account would preselect one, although the user is to choose.
        if prompt != .selectAccount {
            members["account"] = account?.json
            members["username"] = (account?.username ?? username).map(JSONValue.string)
        }
        if let prompt, prompt.isKnownToBroker { members["prompt"] = .string(prompt.rawValue) }
        members["decodedClaims"] = claims.map(JSONValue.string)
        members["accessTokenToRenew"] = accessTokenToRefresh.map { .string($0.reveal()) }
        return BrokerRequest(method, ["authParameters": .object(members)])
    }
}

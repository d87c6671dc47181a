import Foundation

/// What tokens the broker is asked for: the same for a silent and an interactive call (docs/upstream-behaviour.md §13).
package struct BrokerTokenRequest: Sendable, Equatable {
    package var authority: URL
    package var clientID: String
    package var scopes: Scopes
    /// As the broker listed it.
    package var account: BrokerAccount?
    /// Who shall sign in, when the broker has no such account.
    package var username: String?
    package var prompt: Prompt?
    /// The `claims` parameter as JSON text (OpenID Connect Core §5.5).
    package var claims: String?
    /// A token that shall not be given out again.
    package var accessTokenToRenew: Secret?
    package var extraQueryParameters: Parameters = [:]

    package init(authority: URL, clientID: String, scopes: Scopes) {
        self.authority = authority
        self.clientID = clientID
        self.scopes = scopes
    }

    /// Answered without showing anything.
    package var silent: BrokerRequest { request(.acquireTokenSilently, authorizationType: 1) }

    /// Answered when the person is done with the broker's window.
    package var interactive: BrokerRequest { request(.acquireTokenInteractively, authorizationType: 6) }

    private func request(_ method: BrokerRequest.Method, authorizationType: Int64) -> BrokerRequest {
        var members: [String: JSONValue] = [
            "authority": .string(authority.absoluteString), "authorizationType": .integer(authorizationType),
            "clientId": .string(clientID), "redirectUri": .string(BrokerRequest.redirectURI),
            "requestedScopes": .array(scopes.names.map(JSONValue.string)),
            "additionalQueryParametersForAuthorization": .object(
                Dictionary(
                    extraQueryParameters.pairs.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { $1 })),
            // No window of ours to be placed over.
            "uxContextHandle": -1,
        ]
        // Whoever shall choose is not told whom.
        if prompt != .selectAccount {
            members["account"] = account?.json
            members["username"] = (account?.username ?? username).map(JSONValue.string)
        }
        if let prompt, prompt.isKnownToBroker { members["prompt"] = .string(prompt.rawValue) }
        members["decodedClaims"] = claims.map(JSONValue.string)
        members["accessTokenToRenew"] = accessTokenToRenew.map { .string($0.reveal()) }
        return BrokerRequest(method, ["authParameters": .object(members)])
    }
}

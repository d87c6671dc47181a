import Foundation
import JSON
import MSAL

extension MSALResult {
    /// The output of `token -o json` (docs/output.schema.json). New members can appear; existing ones are stable.
    var tokenJSON: JSONValue {
        JSONValue(members: [
            "accessToken": .string(accessToken), "tokenType": .string(authenticationScheme),
            // RFC 3339, UTC.
            "expiresOn": (expiresOn?.ISO8601Format()).map(JSONValue.string), "scopes": JSONValue(scopes),
            "signInEndsOn": (signInExpiry?.date.ISO8601Format()).map(JSONValue.string),
            "signInEndReason": (signInExpiry?.basis.rawValue).map(JSONValue.string),
            "account": accountJSON, "authority": isCarried ? nil : .string(authority.url.absoluteString),
            "idToken": idToken.map(JSONValue.string),
            "correlationId": isCarried ? nil : .string(correlationId.uuidString),
            "fromCache": isCarried ? nil : .bool(isFromCache),
            // Why the tokens could not be cached.
            "cachingError": (cachingError?.localizedDescription).map(JSONValue.string),
        ])
    }

    /// The output of `token -o exec-credential` for Kubernetes clients (`ExecCredential` of client.authentication.k8s.io).
    func execCredentialJSON(token: String, expiresOn: Date?, apiVersion: String) -> JSONValue {
        [
            "apiVersion": .string(apiVersion),
            "kind": "ExecCredential",
            "status": JSONValue(members: [
                // RFC 3339, UTC. The client caches the token until then.
                "expirationTimestamp": (expiresOn?.ISO8601Format()).map(JSONValue.string),
                "token": .string(token),
            ]),
        ]
    }
}

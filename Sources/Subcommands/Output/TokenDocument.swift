import Foundation
import MSAL

/// The output of `token -o json` (docs/output.schema.json). New members can appear; existing ones are stable.
struct TokenDocument: Encodable, Equatable {
    var accessToken: String
    var tokenType: String
    /// RFC 3339, UTC.
    var expiresOn: String?
    var scopes: [String]
    var account: AccountDocument
    var authority: String
    var idToken: String?
    var correlationId: String
    var fromCache: Bool
    /// Why the tokens could not be cached.
    var cachingError: String?

    init(_ result: MSALResult) {
        accessToken = result.accessToken
        tokenType = result.authenticationScheme
        expiresOn = result.expiresOn?.ISO8601Format()
        scopes = result.scopes
        account = AccountDocument(result)
        authority = result.authority.url.absoluteString
        idToken = result.idToken
        correlationId = result.correlationId.uuidString
        fromCache = result.isFromCache
        cachingError = result.cachingError?.localizedDescription
    }
}

/// The output of `token -o exec-credential` for Kubernetes clients (`ExecCredential` of client.authentication.k8s.io).
struct ExecCredentialDocument: Encodable, Equatable {
    struct Status: Encodable, Equatable {
        /// RFC 3339, UTC. The client caches the token until then.
        var expirationTimestamp: String?
        var token: String
    }

    var apiVersion: String
    let kind = "ExecCredential"
    var status: Status

    init(token: String, expiresOn: Date?, apiVersion: String) {
        self.apiVersion = apiVersion
        status = Status(expirationTimestamp: expiresOn?.ISO8601Format(), token: token)
    }
}

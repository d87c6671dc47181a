import Foundation
import MSAL

/// `token -o json`. Members may be added; those here keep their names and meanings (docs/output.schema.json).
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
    }
}

/// `token -o exec-credential`: what a Kubernetes client reads from a credential plugin (`ExecCredential` of
/// client.authentication.k8s.io).
struct ExecCredentialDocument: Encodable, Equatable {
    struct Status: Encodable, Equatable {
        /// RFC 3339, UTC: until then the client keeps the token.
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

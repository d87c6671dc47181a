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

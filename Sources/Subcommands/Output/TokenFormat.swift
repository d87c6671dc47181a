import Foundation
import MSAL

/// How a token is written on standard output.
package enum TokenFormat: String, Sendable, CaseIterable {
    case token, json, header

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue),
        "how to write it; token unless given")

    func text(_ result: MSALResult) throws(CommandFailure) -> String {
        switch self {
        case .token: try Self.printable(result.accessToken) + "\n"
        // As `curl -H @-` reads it.
        case .header: "Authorization: \(try Self.printable(result.authorizationHeader))\n"
        case .json: JSONText.document(TokenDocument(result))
        }
    }

    /// A token is visible ASCII (RFC 6749 §A.12). Anything else could write another header, or command the terminal.
    private static func printable(_ token: String) throws(CommandFailure) -> String {
        guard token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw CommandFailure(
                .failed, name: "malformedToken", "The access token holds characters that no token may hold.",
                nextStep: "Look at it with -o json, and ask whoever runs the authority.")
        }
        return token
    }
}

/// `token -o json`. Members may be added; those here keep their names and meanings.
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
        account = AccountDocument(result.account, tenantID: result.tenantProfile.tenantId)
        authority = result.authority.url.absoluteString
        idToken = result.idToken
        correlationId = result.correlationId.uuidString
        fromCache = result.isFromCache
    }
}

import Foundation
import MSAL
import TerminalUI

/// A request to an API, as typed.
package struct APITarget: Sendable, Equatable {
    package var method: String
    /// The URL, or a path at the authority, for its own API.
    package var address: String
    /// The identifier of the account to use; nil for the step's user.
    package var account: String?
    package var agreement: MSALTokenAgreement?

    package init(method: String = "GET", address: String, account: String? = nil) {
        (self.method, self.address, self.account) = (method, address, account)
    }

    /// Reads "URL" or "METHOD URL"; nil for other texts.
    init?(_ text: String, account: String? = nil) {
        let words = text.split(separator: " ")
        guard let address = words.last, words.count <= 2, let url = URL(string: String(address)), url.host() != nil
        else { return nil }
        let method = words.count == 2 ? words[0].uppercased() : "GET"
        guard Self.methods.contains(method) else { return nil }
        self.init(method: method, address: String(address), account: account)
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    func absolute(at authority: URL) -> APITarget {
        guard address.hasPrefix("/") else { return self }
        var target = self
        target.address = URL(string: address, relativeTo: authority)?.absoluteString ?? address
        return target
    }
}

/// The last response of an API, as shown: never a token.
package struct APIResponse: Sendable, Equatable {
    private static let mostLines = 12
    private static let mostCharacters = 1200

    package var status: Int
    package var mediaType: String
    /// In bytes.
    package var size: Int
    package private(set) var excerpt: [String]
    /// What to do about an unsuccessful response; empty for a successful one.
    package var advice: String

    /// - Parameter body: the body or its start, with the tokens redacted.
    package init(status: Int, mediaType: String, size: Int, body: String, advice: String = "") {
        (self.status, self.mediaType, self.size, self.advice) = (status, mediaType, size, advice)
        let start = body.prefix(Self.mostCharacters)
        let lines = start.split(whereSeparator: \.isNewline).map { Printable.sanitize(String($0)) }
        excerpt = Array(lines.prefix(Self.mostLines))
        if start.endIndex != body.endIndex || lines.count > Self.mostLines { excerpt.append("(more)") }
    }

    var isSuccess: Bool { (200..<300).contains(status) }
}

/// Sends a request to an API, and once more with the token that its challenge asks for.
/// - Parameter application: the one that gets the tokens. The call trusts the same servers.
/// - Parameter token: the token for a challenge, or before the first request with nil.
package typealias CallAPI =
    @Sendable (
        _ application: MSALPublicClientApplication, _ target: APITarget,
        _ onExchange: @escaping @Sendable (MSALFlowExchange) -> Void,
        _ token: (MSALChallenge?) async throws -> MSALResult?
    ) async throws -> APIResponse

import Foundation
import KeyturnSystem
import OAuthCore

/// Checks URLs that are passed to a waiting sign-in, and accepts one.
final class HandOverDesk: Sendable {
    /// The maximum length. A URL with a code has at most a few thousand bytes.
    static let mostBytes = 64 << 10

    private let redirect: RedirectURI
    private let deliver: @Sendable (URL) -> Bool
    /// The `state` of the accepted URL.
    private let received = Locked<String?>(nil)

    init(redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool) {
        self.redirect = redirect
        self.deliver = deliver
    }

    func reply(to message: [UInt8]) -> MSALHandOverOutcome {
        guard let text = String(validating: message, as: UTF8.self), let url = URL(string: text),
            redirect.accepts(url)
        else { return .otherURL }
        let state = AuthorizationResponse.parameters(of: url)["state"] ?? ""
        // Under the lock, so that only one of two simultaneous responses is first.
        return received.withLock { received in
            if deliver(url) {
                received = state
                return .delivered
            }
            return received == state ? .alreadyReceived : .otherSignIn
        }
    }
}

import AuthEngine
import Foundation
import Locks
import OAuthCore

/// Decides about each address that is handed to a sign-in that waits. It takes one, once.
final class HandOverDesk: Sendable {
    /// An address is some hundred bytes; a code can be some thousand.
    static let mostBytes = 64 << 10

    private let redirect: RedirectURI
    private let deliver: @Sendable (URL) -> Bool
    /// The `state` of the address that was taken.
    private let answered = Locked<String?>(nil)

    init(redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool) {
        self.redirect = redirect
        self.deliver = deliver
    }

    func reply(to message: [UInt8]) -> MSALHandOverOutcome {
        guard let text = String(validating: message, as: UTF8.self), let url = URL(string: text),
            redirect.accepts(url)
        else { return .otherAddress }
        let state = AuthorizationResponse.parameters(of: url)["state"] ?? ""
        // Delivered under the lock: of two answers at the same moment one must be the first.
        return answered.withLock { answered in
            if deliver(url) {
                answered = state
                return .taken
            }
            return answered == state ? .alreadyTaken : .otherSignIn
        }
    }
}

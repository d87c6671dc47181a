import Foundation
import KeyturnSystem

/// The interactive sessions of this process: one at a time for each ``Dependencies/world``, as in MSAL for iOS and
/// macOS.
///
/// The engine's only global state, because `handleMSALResponse` is a static method.
package enum InteractiveSessions {
    private static let sessions = Locked<[WaitingSession]>([])

    /// Registers a session for responses. Returns `false` while another session of its world waits. Sessions that have
    /// ended don't count, so that a user who cancels can start again at once.
    package static func begin(_ session: WaitingSession) -> Bool {
        sessions.withLock { sessions in
            sessions.removeAll(where: \.hasEnded)
            guard !sessions.contains(where: { $0.world == session.world }) else { return false }
            sessions.append(session)
            return true
        }
    }

    package static func finish(_ session: WaitingSession) {
        sessions.withLock { $0.removeAll { $0 === session } }
    }

    package static func deliver(_ url: URL) -> Bool {
        sessions.withLock { $0 }.contains { $0.deliver(url) }
    }

    /// Passes a response to the waiting session of a world.
    package static func deliver(_ url: URL, in world: ObjectIdentifier?) -> Bool {
        sessions.withLock { $0.first { $0.world == world } }?.deliver(url) ?? false
    }

    /// The latest waiting sign-in.
    package static var waiting: WaitingSession? { sessions.withLock { $0.last } }

    package static func cancel() -> Bool {
        waiting?.cancel() ?? false
    }
}

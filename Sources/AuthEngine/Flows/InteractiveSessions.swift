import Foundation
import Locks

/// The interactive sessions of this process: one at a time, as upstream, for each ``Dependencies/world``.
///
/// This is the engine's only global state. `handleMSALResponse` is a static function, so a program that opens a URL has
/// nothing else to pass it to.
package enum InteractiveSessions {
    private static let sessions = Locked<[WaitingSession]>([])

    /// Makes `session` one that responses go to. `false` while another session of its world waits. A session that has
    /// ended does not count, even if its flow has not called ``end(_:)`` yet: a user who cancels may start again.
    package static func begin(_ session: WaitingSession) -> Bool {
        sessions.withLock { sessions in
            sessions.removeAll(where: \.hasEnded)
            guard !sessions.contains(where: { $0.world == session.world }) else { return false }
            sessions.append(session)
            return true
        }
    }

    package static func end(_ session: WaitingSession) {
        sessions.withLock { $0.removeAll { $0 === session } }
    }

    package static func deliver(_ url: URL) -> Bool {
        sessions.withLock { $0 }.contains { $0.deliver(url) }
    }

    /// A response that reached the listener of one world.
    package static func deliver(_ url: URL, in world: ObjectIdentifier?) -> Bool {
        sessions.withLock { $0.first { $0.world == world } }?.deliver(url) ?? false
    }

    /// The sign-in that began last.
    package static var waiting: WaitingSession? { sessions.withLock { $0.last } }

    package static func cancel() -> Bool {
        waiting?.cancel() ?? false
    }
}

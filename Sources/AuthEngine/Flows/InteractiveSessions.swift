import Foundation
import Locks

/// The interactive session of this process: there is one at a time, as upstream.
///
/// This is the engine's only global state. `handleMSALResponse` is a static function, so whoever opens a URL has
/// nothing
/// else to hand it to.
package enum InteractiveSessions {
    private static let current = Locked<WaitingSession?>(nil)

    /// Makes `session` the one that responses go to. `false` when another one waits. One whose wait is over, but whose flow
    /// has not come round to ending it, is no obstacle: the person cancelled it and starts again.
    package static func begin(_ session: WaitingSession) -> Bool {
        current.withLock { current in
            guard current?.hasEnded ?? true else { return false }
            current = session
            return true
        }
    }

    package static func end(_ session: WaitingSession) {
        current.withLock { current in
            if current === session { current = nil }
        }
    }

    package static func deliver(_ url: URL) -> Bool {
        current.withLock { $0 }?.deliver(url) ?? false
    }

    /// The sign-in that waits.
    package static var waiting: WaitingSession? { current.withLock { $0 } }

    package static func cancel() -> Bool {
        current.withLock { $0 }?.cancel() ?? false
    }
}

import Foundation
import KeyturnSystem

/// The interactive sessions of this process: one at a time for each ``Dependencies/world``, as in MSAL for iOS and
/// macOS.
///
/// The engine's only global state, because `handleMSALResponse` is a static method.
package enum InteractiveSessions {
    private static let sessions = Locked<[WaitingSession]>([])

    /// The ``Dependencies/world`` whose sign-in the static methods reach, so that tests side by side don't end each other's.
    @TaskLocal package static var reached: ObjectIdentifier?

    /// Registers a session for responses. Throws while another session of its world waits. Sessions that have ended don't
    /// count, so that a user who cancels can start again at once.
    package static func begin(_ session: WaitingSession) throws {
        let running = sessions.withLock { sessions in
            let running = waiting(in: session.world, of: &sessions)
            if running == nil { sessions.append(session) }
            return running
        }
        try reject(running, at: session.details.start)
    }

    /// Throws while a session of a world waits.
    package static func requireNone(in world: ObjectIdentifier?, at now: Date) throws {
        try reject(sessions.withLock { waiting(in: world, of: &$0) }, at: now)
    }

    private static func waiting(
        in world: ObjectIdentifier?, of sessions: inout [WaitingSession]
    ) -> WaitingSession? {
        sessions.removeAll(where: \.hasEnded)
        return sessions.first { $0.world == world }
    }

    private static func reject(_ running: WaitingSession?, at now: Date) throws {
        guard let running else { return }
        throw AuthenticationFailure.caller(.sessionAlreadyRunning(running.details, now: now))
    }

    package static func finish(_ session: WaitingSession) {
        sessions.withLock { $0.removeAll { $0 === session } }
    }

    package static func deliver(_ url: URL) -> Bool {
        sessions.withLock { $0 }.contains { $0.deliver(url) }
    }

    package static func deliver(_ url: URL, in world: ObjectIdentifier?) -> Bool {
        sessions.withLock { $0.first { $0.world == world } }?.deliver(url) ?? false
    }

    package static func latest(in world: ObjectIdentifier? = reached) -> WaitingSession? {
        sessions.withLock { $0.last { $0.world == world } }
    }
}

import CDesktop
import Glibc
import KeyturnSystem

struct SecretServiceReply: Sendable {
    var code: Int
    var why: String

    /// Calls the keyring, but not one that has just kept a call waiting: a command that needs it several times waits once.
    static func of(_ work: (UnsafeMutablePointer<CChar>) -> Int32) -> SecretServiceReply {
        let bus = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) } ?? ""
        if let silent = silence.withLock(\.self), silent.bus == bus, silent.since.duration(to: .now) < patience {
            return silent.reply
        }
        let reply = withUnsafeTemporaryAllocation(of: CChar.self, capacity: KEYTURN_SECRET_WHY) { buffer in
            buffer.initialize(repeating: 0)
            guard let why = buffer.baseAddress else { return SecretServiceReply(code: KEYTURN_SECRET_FAILED, why: "") }
            let code = work(why)
            return SecretServiceReply(code: Int(code), why: String(cString: why))
        }
        let isSilent = reply.code == KEYTURN_SECRET_UNANSWERED
        silence.withLock { $0 = isSilent ? Silence(bus: bus, since: .now, reply: reply) : nil }
        return reply
    }

    private struct Silence: Sendable {
        var bus: String
        var since: ContinuousClock.Instant
        var reply: SecretServiceReply
    }

    private static let silence = Locked<Silence?>(nil)
    private static let patience = Duration.seconds(10)
}

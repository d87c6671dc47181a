import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Threads of the system")
struct SystemThreadTests {
    @Test("The work runs on another thread")
    func work() async throws {
        let own = pthread_self()
        let other = try await withCheckedThrowingContinuation { continuation in
            do throws(SystemLimit) {
                try SystemThread.start { continuation.resume(returning: pthread_self()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(other != own)
    }

    @Test("A thread that can't be started is an error, and its work is released")
    func limit() {
        final class Held: Sendable {}
        weak var held: Held?
        #expect(throws: SystemLimit.threads) {
            let work = Held()
            held = work
            try SystemThread.start({ withExtendedLifetime(work) {} }, creating: { _ in EAGAIN })
        }
        #expect(held == nil)
    }

    @Test("A thread that a filter of system calls forbids is no limit", arguments: [EPERM, EACCES, ENOSYS])
    func filter(code: Int32) {
        #expect(throws: SystemLimit.filter) { try SystemThread.start({}, creating: { _ in code }) }
        #expect(!SystemLimit.filter.reason.contains("ulimit"))
        #expect(SystemThread.obstacle == nil)
    }
}

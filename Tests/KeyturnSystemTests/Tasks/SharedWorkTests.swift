import KeyturnSystem
import TestSupport
import Testing

@Suite("Work that several callers share") struct SharedWorkTests {
    @Test("Starts again for a caller that came after the cancellation") func startsAgain() async throws {
        let shared = SharedWork<Int, Int>()
        let (gate, opener) = AsyncStream<Never>.makeStream()
        let starts = Locked(0)
        let work: @Sendable () async throws -> Int = {
            let number = starts.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return number }
            // Like work that can't be interrupted: it ends without a result, but later.
            await Task { for await _ in gate {} }.value
            try Task.checkCancellation()
            return number
        }
        let first = Task { try await shared.value(for: 1, work) }
        try await wait(until: "the work has begun") { starts.withLock(\.self) == 1 }
        first.cancel()
        let second = Task { try await shared.value(for: 1, work) }
        try await wait(until: "the second call waits") { shared.waiting(for: 1) == 2 }
        opener.finish()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == 2)
    }

    @Test("Work that outlives its callers goes on without any, is joined by the next one, and ends with all of it")
    func outlives() async throws {
        let shared = SharedWork<Int, Int>(outlivesCallers: true)
        let starts = Locked(0)
        let work: @Sendable () async throws -> Int = {
            starts.withLock { $0 += 1 }
            // Ends only if it is cancelled.
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            continuation.finish()
            try Task.checkCancellation()
            return 1
        }
        let first = Task { try await shared.value(for: 1, work) }
        try await wait(until: "the work has begun") { starts.withLock(\.self) == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await shared.value(for: 1, work) }
        try await wait(until: "the second call waits") { shared.waiting(for: 1) == 1 }
        await shared.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(starts.withLock(\.self) == 1)
    }
}

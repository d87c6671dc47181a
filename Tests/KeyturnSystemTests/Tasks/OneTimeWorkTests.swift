import TestSupport
import Testing

@testable import KeyturnSystem

@Suite("Work that redeems a one-time credential")
struct OneTimeWorkTests {
    private let gate: AsyncStream<Never>
    private let opener: AsyncStream<Never>.Continuation

    init() { (gate, opener) = AsyncStream.makeStream() }

    /// Work that waits for the gate.
    private func start(
        sleep: @escaping @Sendable (Double) async throws -> Void, begun: Locked<Bool>
    ) -> Task<Int, any Error> {
        Task { [gate] in
            try await OneTimeWork.run(sleep: sleep) {
                begun.withLock { $0 = true }
                for await _ in gate {}
                try Task.checkCancellation()
                return 42
            }
        }
    }

    @Test("Ends with its result although the caller was cancelled")
    func finished() async throws {
        let begun = Locked(false)
        let (never, end) = AsyncStream<Never>.makeStream()
        let task = start(sleep: { _ in for await _ in never {} }, begun: begun)
        try await wait(until: "the work has begun") { begun.withLock(\.self) }
        #expect(OneTimeWork.isRunning && OneTimeWork.mayLoseResults)
        task.cancel()
        opener.finish()
        #expect(try await task.value == 42)
        end.finish()
    }

    @Test("Is cancelled when the time after the caller's cancellation is over")
    func abandoned() async throws {
        let (begun, slept) = (Locked(false), Locked(0.0))
        let task = start(sleep: { seconds in slept.withLock { $0 = seconds } }, begun: begun)
        try await wait(until: "the work has begun") { begun.withLock(\.self) }
        task.cancel()
        await #expect(throws: OneTimeWork.Abandoned.self) { try await task.value }
        #expect(slept.withLock(\.self) == OneTimeWork.grace)
        #expect(OneTimeWork.mayLoseResults)
    }

    @Test("Doesn't begin if the caller is already cancelled")
    func cancelledBefore() async {
        let begun = Locked(false)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await OneTimeWork.run(sleep: { _ in }) { begun.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(begun.withLock { !$0 })
    }

    @Test(
        "Withdraws a request when the caller is cancelled, also before the request is sent", arguments: [true, false])
    func withdrawn(isBefore: Bool) async throws {
        let (sending, withdrawn) = (Locked(false), Locked(0))
        let (never, end) = AsyncStream<Never>.makeStream()
        let task = Task {
            try await OneTimeWork.run(sleep: { _ in for await _ in never {} }) {
                if isBefore {
                    sending.withLock { $0 = true }
                    for await _ in gate {}
                }
                await OneTimeWork.current?.send(withdraw: { withdrawn.withLock { $0 += 1 } }) {
                    sending.withLock { $0 = true }
                    try? await wait(until: "the request is withdrawn") { withdrawn.withLock(\.self) > 0 }
                }
            }
        }
        try await wait(until: "the request is sent") { sending.withLock(\.self) }
        task.cancel()
        opener.finish()
        try await task.value
        #expect(withdrawn.withLock(\.self) == 1)
        end.finish()
    }
}

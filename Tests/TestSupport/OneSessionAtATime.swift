#if canImport(Testing)
import KeyturnSystem
import Testing

/// Runs tests that wait for a browser one after the other, across all suites: a process has one interactive session.
package struct OneSessionAtATime: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turns.take()
        defer { Turns.pass() }
        try await function()
    }
}

extension Trait where Self == OneSessionAtATime {
    package static var oneSessionAtATime: OneSessionAtATime { OneSessionAtATime() }
}

/// The waiting tests, in the order of arrival.
private enum Turns {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Locked(State())

    static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    static func pass() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
#endif

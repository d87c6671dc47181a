import CProcess
import Foundation
import Glibc
import Locks
import Tasks

/// The signal that stopped the program.
package struct Interrupted: Error, Sendable, Equatable {
    package var signal: Int32
    /// What the command had done by then, if the user needs to know.
    package var outcome = ""
    package var nextStep = Interrupted.repetition

    static let repetition = "Run the command again."

    package init(signal: Int32) { self.signal = signal }
}

/// Runs `work`, and calls `farewell` if a signal ends the process meanwhile. Doesn't cancel the work.
func withFarewell<Value>(
    _ farewell: @escaping @Sendable (Interrupted) -> Void, _ work: () async throws -> Value
) async rethrows -> Value {
    let listener = FarewellListener()
    SignalWatch.farewells.withLock { $0[ObjectIdentifier(listener)] = farewell }
    // Only now, so that no watched signal misses the farewell.
    _ = SignalWatch.shared
    defer { _ = SignalWatch.farewells.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) } }
    return try await work()
}

private final class FarewellListener: Sendable {}

/// Runs `work` and cancels it on SIGINT, SIGTERM and SIGHUP, so that it can clean up. Throws ``Interrupted`` then. A second
/// signal ends the process at once.
package func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let received = ReceivedSignal()
    // Before the work starts, so that it always cleans up.
    SignalWatch.shared.add(received) { if $0 != SIGCONT { received.take($0) } }
    let task = Task(executorPreference: ThreadPool.current) { try await work() }
    received.whenFirst { task.cancel() }
    let result = await withTaskCancellationHandler {
        await task.result
    } onCancel: {
        task.cancel()
    }
    SignalWatch.shared.remove(received)
    if let number = received.first { throw Interrupted(signal: number) }
    return try result.get()
}

/// The signals SIGINT, SIGTERM, SIGHUP and SIGCONT, for line mode.
func interruptions() -> AsyncStream<Int32> {
    final class Listener: Sendable {}
    return AsyncStream { continuation in
        let listener = Listener()
        SignalWatch.shared.add(listener) { continuation.yield($0) }
        continuation.onTermination = { _ in SignalWatch.shared.remove(listener) }
    }
}

/// Watches the signals until the end of the process.
private final class SignalWatch: Sendable {
    static let farewells = Locked<[ObjectIdentifier: @Sendable (Interrupted) -> Void]>([:])
    static let shared = SignalWatch()

    private let listeners = Locked<[ObjectIdentifier: @Sendable (Int32) -> Void]>([:])
    private init() {
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGCONT]
        let descriptor = keyturn_process_watch_signals(numbers, numbers.count)
        // Without a pipe, signals end the process.
        guard descriptor >= 0 else { return }
        Thread.detachNewThread { [self] in
            var number: UInt8 = 0
            while true {
                if read(descriptor, &number, 1) == 1 { tell(Int32(number)) }
            }
        }
    }

    func add(_ listener: AnyObject, tell: @escaping @Sendable (Int32) -> Void) {
        listeners.withLock { $0[ObjectIdentifier(listener)] = tell }
    }

    func remove(_ listener: AnyObject) {
        _ = listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) }
    }

    /// Ends the process like the signal itself.
    func end(_ number: Int32) -> Never {
        for farewell in Self.farewells.withLock({ Array($0.values) }) { farewell(Interrupted(signal: number)) }
        _exit(128 + number)
    }

    private func tell(_ number: Int32) {
        let told = listeners.withLock { Array($0.values) }
        if told.isEmpty, number != SIGCONT { end(number) }
        for tell in told { tell(number) }
    }
}

private final class ReceivedSignal: Sendable {
    private struct State {
        var first: (number: Int32, at: ContinuousClock.Instant)?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// `timeout` signals the process and its group: that is one interruption.
    private static let echoTime = Duration.milliseconds(300)

    var first: Int32? { state.withLock { $0.first?.number } }

    /// Calls `cancel` with the first signal, also when it has come already.
    func whenFirst(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.first != nil
        }
        if isLate { cancel() }
    }

    func take(_ number: Int32) {
        let cancel = state.withLock { state in
            guard let first = state.first else {
                state.first = (number, .now)
                return state.cancel
            }
            if .now - first.at > Self.echoTime { SignalWatch.shared.end(number) }
            return nil
        }
        cancel?()
    }
}

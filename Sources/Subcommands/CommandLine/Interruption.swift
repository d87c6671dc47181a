import CProcess
import Foundation
import Glibc
import Locks
import Tasks

/// The program was told to stop by a signal.
package struct Interrupted: Error, Sendable, Equatable {
    package var signal: Int32
}

/// Runs `work` so that SIGINT, SIGTERM and SIGHUP cancel it: files are removed and listeners closed on the way out.
///
/// Throws ``Interrupted`` when one came, whatever `work` made of being cancelled. Another one later ends the process at
/// once: a person who presses Ctrl-C again does not want to wait.
package func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let received = ReceivedSignal()
    // Before the work begins: what it makes first would stay behind.
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

/// SIGINT, SIGTERM, SIGHUP and SIGCONT as they come, for a program that goes on after some of them.
func interruptions() -> AsyncStream<Int32> {
    final class Listener: Sendable {}
    return AsyncStream { continuation in
        let listener = Listener()
        SignalWatch.shared.add(listener) { continuation.yield($0) }
        continuation.onTermination = { _ in SignalWatch.shared.remove(listener) }
    }
}

/// Watches the signals from its first use to the end of the process.
private final class SignalWatch: Sendable {
    static let shared = SignalWatch()

    private let listeners = Locked<[ObjectIdentifier: @Sendable (Int32) -> Void]>([:])

    private init() {
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGCONT]
        let descriptor = keyturn_process_watch_signals(numbers, numbers.count)
        // Without a pipe the signals end the process as ever.
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

    private func tell(_ number: Int32) {
        let told = listeners.withLock { Array($0.values) }
        // With nothing to cancel, as the signal's own action does.
        if told.isEmpty, number != SIGCONT { _exit(128 + number) }
        for tell in told { tell(number) }
    }
}

private final class ReceivedSignal: Sendable {
    private struct State {
        var first: (number: Int32, at: ContinuousClock.Instant)?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// `timeout` and others send a signal to the process and to its group: that is one interruption, not two.
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
            if .now - first.at > Self.echoTime { _exit(128 + number) }
            return nil
        }
        cancel?()
    }
}

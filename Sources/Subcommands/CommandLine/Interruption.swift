import CSystem
import Foundation
import KeyturnSystem
import MSAL

package struct Interrupted: Error, Sendable, Equatable {
    package var signal: Int32
    /// What the command had done by then, if the user needs to know.
    package var outcome = ""
    package var nextStep = Interrupted.repetition

    static let repetition = "Run the command again."

    /// - Parameter losesResponse: whether the response to a request that redeems a code or token is lost.
    package init(signal: Int32, losesResponse: Bool = OneTimeWork.mayLoseResults) {
        self.signal = signal
        if signal == SIGALRM {
            outcome = "The time limit (--timeout) has passed."
            nextStep = "Try again, or with a longer limit. With --verbose, the steps show what takes long."
        }
        guard losesResponse else { return }
        outcome = "The authority's response to a token request is lost."
        nextStep = "\(Self.repetition) If the authority has replaced the refresh token, sign in again."
    }

    fileprivate init<Value>(signal: Int32, after result: Result<Value, any Error>) {
        self.init(signal: signal)
        switch result {
        case .failure(let inner as Interrupted):
            self = inner
            return
        case .failure(let error) where (error as NSError).userInfo[MSALInvalidResultKey] == nil: return
        case .success(let value) where (value as? MSALResult)?.isFromCache != false: return
        case .failure, .success: break
        }
        outcome = "The authority had issued the tokens. They are cached, and the user is signed in."
        nextStep = ""
    }
}

enum SignalNotice: Sendable {
    /// The work is cancelled, but redeems a token first.
    case finishing
    case ended(Interrupted)
}

/// Calls `tell` if a signal ends the process or the work meanwhile, which is not cancelled.
/// - Parameter watches: also outside ``interruptible(_:)``.
func withSignalNotices<Value>(
    watches: Bool, _ tell: @escaping @Sendable (SignalNotice) -> Void, _ work: () async throws -> Value
) async rethrows -> Value {
    let listener = Listener()
    SignalWatch.notices.withLock { $0[ObjectIdentifier(listener)] = tell }
    // Only now, so that no watched signal misses the notice.
    if watches { _ = SignalWatch.shared }
    defer { _ = SignalWatch.notices.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) } }
    return try await work()
}

private final class Listener: Sendable {}

/// Runs `work` and cancels it on SIGINT, SIGTERM and SIGHUP, so that it can clean up, and finish the redemption of a code or
/// token (``OneTimeWork``). Throws ``Interrupted`` then. A second signal ends the process at once.
package func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let received = ReceivedSignal()
    // Before the work starts, so that it always cleans up.
    SignalWatch.shared.add(received) { if $0 != SIGCONT { received.receive($0) } }
    let task = Task(executorPreference: ThreadPool.current) { try await work() }
    received.whenFirst { task.cancel() }
    let result = await withTaskCancellationHandler {
        await task.result
    } onCancel: {
        task.cancel()
    }
    SignalWatch.shared.remove(received)
    if let number = received.first { throw Interrupted(signal: number, after: result) }
    return try result.get()
}

/// Serves until a signal.
func served(_ work: @escaping @Sendable () async throws -> Void) async throws -> ExitCode {
    do { try await interruptible(work) } catch let interrupted as Interrupted {
        // SIGTERM stops a service; the other signals interrupt a command.
        return interrupted.signal == SIGTERM ? .done : ExitCode(interrupted)
    }
    return .done
}

func untilCancelled() async { for await _ in AsyncStream<Never>.makeStream().stream {} }

/// From now on, signals end the process by way of its own clean-up.
func watchSignals() { _ = SignalWatch.shared }

func limitTime(seconds: UInt32) {
    watchSignals()
    alarm(seconds)
}

/// SIGINT, SIGTERM, SIGHUP and SIGCONT, and from now on `more`, for a program that this one runs.
func interruptions(and more: [Int32] = []) -> AsyncStream<Int32> {
    AsyncStream { continuation in
        let listener = Listener()
        SignalWatch.shared.add(listener) { continuation.yield($0) }
        keyturn_process_watch_more_signals(more, more.count)
        continuation.onTermination = { _ in SignalWatch.shared.remove(listener) }
    }
}

final class SignalWatch: Sendable {
    static let notices = Locked<[ObjectIdentifier: @Sendable (SignalNotice) -> Void]>([:])
    static let shared = SignalWatch()

    private let listeners = Locked<[ObjectIdentifier: @Sendable (Int32) -> Void]>([:])
    private let lastNotice = Locked<ContinuousClock.Instant?>(nil)

    private init() {
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGALRM]
        let descriptor = keyturn_process_watch_signals(numbers, numbers.count)
        // Without a pipe, signals end the process.
        guard descriptor >= 0 else { return }
        do throws(SystemLimit) {
            try SystemThread.start { [self] in
                var number: UInt8 = 0
                while true {
                    if read(descriptor, &number, 1) == 1 { tell(Int32(number)) }
                }
            }
        } catch {
            // Without a thread, too.
            keyturn_process_unwatch_signals(numbers, numbers.count)
        }
    }

    func add(_ listener: AnyObject, tell: @escaping @Sendable (Int32) -> Void) {
        listeners.withLock { $0[ObjectIdentifier(listener)] = tell }
    }

    func remove(_ listener: AnyObject) { _ = listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) } }

    /// How long output may wait after a signal, and how long a signal has this effect: longer than ``OneTimeWork/grace``.
    private static let patience = Duration.seconds(1)
    private static let effect = Duration.seconds(OneTimeWork.grace + 2)

    /// Ends the process if the output takes nothing, because the work then never comes to its end.
    private func stopIfStuck(_ number: Int32) {
        let end = ContinuousClock.now + Self.effect
        // Without it, the second signal ends the process.
        try? SystemThread.start {
            while .now < end {
                usleep(100_000)
                if !OneTimeWork.isRunning, WaitingWrites.exist(longerThan: Self.patience) {
                    Self.terminate(number, within: 0.3)
                }
            }
        }
    }

    /// Ends the process like the signal itself. Says why, unless standard error takes nothing for so long.
    static func terminate(_ number: Int32, within limit: Double = 1) -> Never {
        let interrupted = Interrupted(signal: number)
        let told = DispatchSemaphore(value: 0)
        SystemThread.startOrRun {
            say(.ended(interrupted))
            told.signal()
        }
        _ = told.wait(timeout: .now() + limit)
        keyturn_terminal_end_typing_for_good()
        _exit(ExitCode(interrupted).rawValue)
    }

    static func say(_ notice: SignalNotice) {
        for tell in notices.withLock({ Array($0.values) }) { tell(notice) }
    }

    private func tell(_ number: Int32) {
        let told = listeners.withLock { Array($0.values) }
        if number == SIGINT { keyturn_terminal_interrupt_typing() }
        if number == SIGCONT { keyturn_terminal_resume_typing() }
        if ![SIGCONT, SIGWINCH, SIGQUIT, SIGUSR1, SIGUSR2].contains(number) { stopIfStuck(number) }
        let interrupts = ![SIGCONT, SIGWINCH].contains(number)
        if told.isEmpty, interrupts { Self.terminate(number) }
        for tell in told { tell(number) }
        // Unless it has ended the process.
        if interrupts, OneTimeWork.isRunning, isFirst() { Self.say(.finishing) }
    }

    private func isFirst() -> Bool {
        lastNotice.withLock { last in
            if let last, .now - last < .signalEcho { return false }
            last = .now
            return true
        }
    }
}

private final class ReceivedSignal: Sendable {
    private struct State {
        var first: (number: Int32, at: ContinuousClock.Instant)?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var first: Int32? { state.withLock { $0.first?.number } }

    /// Calls `cancel` with the first signal, also when it has come already.
    func whenFirst(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.first != nil
        }
        if isLate { cancel() }
    }

    func receive(_ number: Int32) {
        let cancel = state.withLock { state in
            guard let first = state.first else {
                state.first = (number, .now)
                return state.cancel
            }
            if .now - first.at > .signalEcho { SignalWatch.terminate(number) }
            return nil
        }
        cancel?()
    }
}

/// The writes that wait now, for example because a terminal takes no output.
enum WaitingWrites {
    private static let starts = Locked<[Int32: ContinuousClock.Instant]>([:])

    static func begin(to descriptor: Int32) { starts.withLock { $0[descriptor] = .now } }
    static func end(to descriptor: Int32) { starts.withLock { $0[descriptor] = nil } }

    static func exist(longerThan limit: Duration) -> Bool {
        starts.withLock { $0.values.contains { $0.duration(to: .now) > limit } }
    }
}

import Dispatch
import Glibc
import Synchronization

/// The program was told to stop by a signal.
package struct Interrupted: Error, Sendable, Equatable {
    package var signal: Int32

    package init(signal: Int32) { self.signal = signal }
}

/// Runs `work` so that SIGINT, SIGTERM and SIGHUP cancel it: files are removed and listeners closed on the way out.
///
/// Throws ``Interrupted`` when one came, whatever `work` made of being cancelled. Another one later ends the process at
/// once: a person who presses Ctrl-C again does not want to wait.
package func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let received = ReceivedSignal()
    let task = Task { try await work() }
    let signals = [SIGINT, SIGTERM, SIGHUP]
    let sources = signals.map { number in
        // The default action would end the process before the source hears of the signal.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            switch received.record(number) {
            case .first: task.cancel()
            case .echo: break
            case .again: _exit(128 + number)
            }
        }
        source.resume()
        return source
    }
    let result = await withTaskCancellationHandler {
        await task.result
    } onCancel: {
        task.cancel()
    }
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
    if let number = received.first { throw Interrupted(signal: number) }
    return try result.get()
}

private final class ReceivedSignal: Sendable {
    enum Turn { case first, echo, again }

    private let signal = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)

    /// `timeout` and others send a signal to the process and to its group: that is one interruption, not two.
    private static let echoTime = Duration.milliseconds(300)

    var first: Int32? { signal.withLock { $0?.number } }

    func record(_ number: Int32) -> Turn {
        signal.withLock { signal in
            guard let earlier = signal else {
                signal = (number, .now)
                return .first
            }
            return .now - earlier.at < Self.echoTime ? .echo : .again
        }
    }
}

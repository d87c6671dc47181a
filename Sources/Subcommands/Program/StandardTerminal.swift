import Console
import Foundation
import Glibc
import Locks
import Tasks

/// Standard input and output as lines.
struct StandardTerminal: PlainTerminal {
    let isInteractive: Bool
    let input: AsyncStream<PlainInput>
    private let output: any TextSink
    /// How the terminal was; nil at a pipe.
    private let modes: termios?
    private let ending: Locked<Int32>

    /// The signal that was behind the last ``PlainInput/terminate``.
    var endedBy: Int32 { ending.withLock { $0 } }

    init(_ surroundings: Surroundings, output: any TextSink) {
        isInteractive = surroundings.hasTerminal
        self.output = output
        var modes = termios()
        self.modes = surroundings.hasTerminal && tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
        let pieces = surroundings.pastes()
        let ending = Locked(SIGTERM)
        self.ending = ending
        let isInteractive = self.modes != nil
        input = AsyncStream { continuation in
            let lines = Task(executorPreference: ThreadPool.current) {
                var rest = ""
                for await piece in pieces {
                    var lines = (rest + piece).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                    rest = lines.popLast() ?? ""
                    for line in lines {
                        continuation.yield(.line(line.hasSuffix("\r") ? String(line.dropLast()) : line))
                    }
                }
                if !rest.isEmpty { continuation.yield(.line(rest)) }
                if isInteractive, !Self.isThere {
                    ending.withLock { $0 = SIGHUP }
                    continuation.yield(.terminate)
                } else {
                    continuation.yield(.ended)
                }
            }
            let signals = Task(executorPreference: ThreadPool.current) {
                for await signal in interruptions() {
                    switch signal {
                    case SIGINT: continuation.yield(.interrupt)
                    case SIGCONT: continuation.yield(.continued)
                    default:
                        ending.withLock { $0 = signal }
                        continuation.yield(.terminate)
                    }
                }
            }
            continuation.onTermination = { _ in
                lines.cancel()
                signals.cancel()
            }
        }
    }

    /// Whether the terminal at the input is still there: of one that is gone the input ends, too, and perhaps before SIGHUP
    /// comes.
    private static var isThere: Bool {
        var modes = termios()
        return tcgetattr(STDIN_FILENO, &modes) == 0
    }

    /// A reader that is gone is noticed at the end of the input, which goes with it.
    func write(_ text: String) { try? output.write(text) }

    func hide(_ isHidden: Bool) {
        guard var modes else { return }
        if isHidden { modes.c_lflag &= ~tcflag_t(ECHO) }
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }
}

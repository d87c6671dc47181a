import Console
import Glibc
import KeyturnSystem
import TerminalUI

/// Line mode's terminal: standard input and output.
struct StandardTerminal: PlainTerminal {
    let isInteractive: Bool
    let input: AsyncStream<PlainConversation.Event>
    private let output: any TextSink
    private let columns: @Sendable () -> Int?
    private let ending: Locked<Int32>
    private let forgotten: AsyncStream<Void>.Continuation

    /// The signal of the last ``PlainConversation/Event/terminate``.
    var endedBy: Int32 { ending.withLock { $0 } }

    init(_ surroundings: Surroundings, output: any TextSink) {
        isInteractive = surroundings.hasTerminal
        self.output = output
        columns = { surroundings.columns(of: surroundings.output) }
        let pieces = surroundings.pastes()
        let ending = Locked(SIGTERM)
        self.ending = ending
        let isInteractive = isInteractive
        let (forgets, forgotten) = AsyncStream.makeStream(of: Void.self)
        self.forgotten = forgotten
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
            let forgetting = Task(executorPreference: ThreadPool.current) {
                for await _ in forgets { continuation.yield(.forgotten) }
            }
            continuation.onTermination = { _ in
                forgetting.cancel()
                lines.cancel()
                signals.cancel()
            }
        }
    }

    /// Whether the terminal still exists. After a hang-up the input can end before SIGHUP arrives.
    private static var isThere: Bool {
        var modes = termios()
        return tcgetattr(STDIN_FILENO, &modes) == 0
    }

    /// Ignores a closed output: the input ends with it. Wraps lines between words at the terminal's width.
    func write(_ text: String) {
        guard isInteractive else {
            try? output.write(text)
            return
        }
        let lines = TextFitting.wrap(text, to: columns() ?? 80, breaksWords: false)
        try? output.write(lines.joined(separator: "\n"))
    }

    func forgetTyped() {
        PastedInput.forget(STDIN_FILENO)
        TypedInput.clear()
        forgotten.yield()
    }

    func hide(_ isHidden: Bool) { TypedInput.hide(isHidden) }
}

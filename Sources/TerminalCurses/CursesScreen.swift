import CNcurses
import Foundation
import Glibc
import KeyturnSystem
import Synchronization
import TerminalUI

/// The program's terminal as a ``Screen``.
///
/// Ctrl-Z suspends the program and Ctrl-L redraws; neither is delivered as a key. Ctrl-C is a key; SIGINT from another
/// process is ``InputEvent/interrupt``.
package final class CursesScreen: Screen {
    package let input: AsyncStream<InputEvent>
    private let events: AsyncStream<InputEvent>.Continuation
    /// Signals that there's something to draw, or that the terminal was lent or returned.
    private let change: WakeUp
    private let frames: Locked<Frames>
    /// The lock for all ncurses calls, because ncurses uses global state. Nil once closed.
    private let session: Locked<Session?>
    private let clipboard: ClipboardRoute
    private let hasColor: Bool

    /// The frame to show. It has its own lock, so that callers never wait for a slow terminal.
    private struct Frames {
        var size: Size
        var latest: Surface?
        /// Whether the latest frame must still be drawn.
        var isDue = false
        var endedBy: Int32?

        mutating func takeSurface() -> Surface? {
            defer { isDue = false }
            return isDue ? latest : nil
        }

        /// Follows a cleared terminal with this size. Redraws the frame only if its size matches; otherwise the program
        /// draws a new one.
        mutating func follow(_ size: Size) {
            self.size = size
            isDue = isDue || latest?.size == size
        }
    }

    /// Whether a screen is open. There can be only one.
    private static let isTaken = Atomic(false)

    /// Whether to draw in ASCII, because the locale isn't UTF-8.
    package static var prefersASCII: Bool { term_locale_is_utf8() == 0 }

    /// Opens the screen on the terminal.
    /// - Parameters:
    ///   - environment: the environment with `TERM`.
    ///   - hasColor: whether the user allows colours.
    package init(
        environment: [String: String], display: ScreenDisplay = ScreenDisplay(), hasColor: Bool = true
    ) throws(CursesScreenFailure) {
        let name = try Self.usableTerminal(environment["TERM"])
        guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyOpen }
        let opened: Session
        do throws(CursesScreenFailure) {
            change = try Self.wakeUp()
            opened = try Session(name: name, display: display, hasColor: hasColor)
        } catch {
            Self.isTaken.store(false, ordering: .releasing)
            throw error
        }
        clipboard = ClipboardRoute(environment: environment)
        self.hasColor = hasColor
        (input, events) = AsyncStream.makeStream()
        frames = Locked(Frames(size: opened.terminal.size))
        session = Locked(opened)
        listen()
    }

    deinit { close() }

    package var size: Size { frames.withLock(\.size) }

    /// The signal of the last ``InputEvent/terminate``; SIGHUP for a closed terminal.
    package var endedBy: Int32? { frames.withLock(\.endedBy) }

    package func show(_ surface: Surface) {
        let wasIdle = frames.withLock { frames in
            defer { (frames.latest, frames.isDue) = (surface, true) }
            return !frames.isDue
        }
        if wasIdle { change.signal() }
    }

    package func copy(_ text: String) -> CopyOutcome {
        guard let sequence = clipboard.sequence(for: text) else { return .rejected(clipboard.rejection) }
        session.withLock { $0?.terminal.send(sequence) }
        return .sent
    }

    package func use(_ display: ScreenDisplay) {
        session.withLock { $0?.terminal.use(display, hasColor: hasColor) }
        drawAgain()
        change.signal()
    }

    package func lend(_ use: @Sendable () async -> Void) async {
        session.withLock { $0?.lend() }
        change.signal()
        await use()
        session.withLock { $0?.reclaim() }
        drawAgain()
        change.signal()
    }

    package func close() {
        let wasOpen = session.withLock { session in
            defer { session = nil }
            session?.close()
            return session != nil
        }
        guard wasOpen else { return }
        Self.isTaken.store(false, ordering: .releasing)
        events.finish()
        change.signal()
    }

    private static func usableTerminal(_ name: String?) throws(CursesScreenFailure) -> String {
        guard isatty(STDIN_FILENO) == 1 else { throw .inputIsNoTerminal }
        guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
        guard let name, !name.isEmpty else { throw .terminalNotNamed }
        switch Int(term_check(name, STDOUT_FILENO)) {
        case TERM_USABLE: return name
        case TERM_UNKNOWN: throw .terminalUnknown(name)
        default: throw .terminalTooSimple(name)
        }
    }

    private static func wakeUp() throws(CursesScreenFailure) -> WakeUp {
        do { return try WakeUp() } catch { throw .system("socketpair", error.code) }
    }

    /// Starts the thread that draws and waits for input and signals.
    private func listen() {
        Thread.detachNewThread { [change, weak self] in
            while let wait = self?.session.withLock({ $0?.wait }) {
                let descriptors = wait.descriptors.map(\.number) + [change.descriptor]
                _ = descriptorsReady(of: descriptors, atMost: wait.limit)
                while change.takeSignal() {}
                self?.attend()
            }
        }
    }

    private func attend() {
        readSignals()
        deliver(session.withLock { $0?.readKeyboard() } ?? [])
        draw()
    }

    private func draw() {
        session.withLock { session in
            // While the terminal is lent to another program, frames wait.
            guard session?.isLent == false, let surface = frames.withLock({ $0.takeSurface() }) else { return }
            session?.terminal.draw(surface)
        }
    }

    private func deliver(_ received: [InputEvent]) {
        for event in received {
            switch event {
            case .key(.control("z")): suspend()
            case .key(.control("l")): drawAgain()
            case .terminate: terminate(SIGHUP)
            case .key, .mouse, .resize, .paste, .interrupt: events.yield(event)
            }
        }
    }

    private func readSignals() {
        for signal in session.withLock({ $0?.readSignals() ?? [] }) {
            switch signal {
            case SIGWINCH: drawAgain()
            // Ctrl-C belongs to the program that the terminal is lent to.
            case SIGINT where isLent: break
            case SIGINT: events.yield(.interrupt)
            case SIGTSTP: suspend()
            case SIGCONT: resume()
            default: terminate(signal)
            }
        }
    }

    private func terminate(_ signal: Int32) {
        frames.withLock { $0.endedBy = signal }
        events.yield(.terminate)
    }

    /// Redraws everything at the terminal's current size.
    private func drawAgain() {
        guard let size = session.withLock({ $0?.terminal.resize() }) else { return }
        frames.withLock { $0.follow(size) }
        events.yield(.resize(size))
    }

    private var isLent: Bool { session.withLock { $0?.isLent } ?? false }

    private func suspend() {
        session.withLock { $0?.suspend() }
        resume()
    }

    /// Resumes after a stop, when the shell may have used or resized the terminal.
    private func resume() {
        session.withLock { $0?.resume() }
        drawAgain()
    }
}

/// Why the full-screen program can't start on the terminal.
package enum CursesScreenFailure: Error, Sendable, Equatable {
    case inputIsNoTerminal
    case outputIsNoTerminal
    /// `TERM` is empty or not set.
    case terminalNotNamed
    case terminalUnknown(String)
    case terminalTooSimple(String)
    case alreadyOpen
    /// A system call failed, with its `errno`.
    case system(String, Int32)

    /// The cause, in one sentence.
    package var reason: String {
        switch self {
        case .inputIsNoTerminal: "Standard input isn't a terminal."
        case .outputIsNoTerminal: "Standard output isn't a terminal."
        case .terminalNotNamed: "TERM isn't set, so the terminal's type is unknown."
        case .terminalUnknown(let name): "No terminfo entry for the terminal \"\(name)\" (TERM)."
        case .terminalTooSimple(let name):
            "The terminal \"\(name)\" can't position the cursor, so it can't show a full screen."
        case .alreadyOpen: "This program already uses the terminal."
        case .system(let call, let code): "Can't use the terminal: \(call) failed (error \(code))."
        }
    }

    /// The next step, in one sentence.
    package var nextStep: String {
        switch self {
        case .inputIsNoTerminal, .outputIsNoTerminal:
            "Run keyturn in a terminal, or use its commands (--help lists them)."
        case .terminalNotNamed, .terminalUnknown, .terminalTooSimple:
            "Set TERM to your terminal's type, for example xterm-256color, or use the commands (--help lists them)."
        case .alreadyOpen: "Close the other screen first."
        case .system: "Try again in another terminal."
        }
    }
}

import CNcurses
import Foundation
import Glibc
import Locks
import Synchronization
import Tasks
import TerminalUI

/// The terminal that the program was started in, as a ``Screen``.
///
/// Ctrl-Z suspends the program and Ctrl-L draws everything again; neither is delivered as a key. Everything else is: in
/// particular Ctrl-C is a key, while an interrupt sent from outside is ``InputEvent/interrupt``.
package final class CursesScreen: Screen {
    package let input: AsyncStream<InputEvent>
    private let events: AsyncStream<InputEvent>.Continuation
    /// There is something to draw, or the terminal is somebody else's now.
    private let change: WakeUp
    private let frames: Locked<Frames>
    /// Every call to ncurses is made under this lock, for its globals belong to nobody else. Nil once closed.
    private let session: Locked<Session?>
    private let clipboard: ClipboardRoute

    /// The frame to show; apart from the session, so that a caller never waits for a slow terminal.
    private struct Frames {
        var size: Size
        var latest: Surface?
        /// The latest frame is not on the terminal.
        var isDue = false
        var endedBy: Int32?

        mutating func take() -> Surface? {
            defer { isDue = false }
            return isDue ? latest : nil
        }

        /// The terminal is blank and has this size. A frame of another size is not drawn again: the program makes a new
        /// one for the new size, but none where the size is as before.
        mutating func follow(_ size: Size) {
            self.size = size
            isDue = isDue || latest?.size == size
        }
    }

    /// One terminal, one screen.
    private static let isTaken = Atomic(false)

    /// Whether lines and marks should be ASCII, because the locale's character set is not UTF-8.
    package static var prefersASCII: Bool { term_locale_is_utf8() == 0 }

    /// Takes the terminal over.
    /// - Parameters:
    ///   - environment: for `TERM` and `NO_COLOR`.
    ///   - wantsMouse: clicks and the wheel become input. The terminal's own marking of text then needs Shift.
    package init(
        environment: [String: String], theme: ScreenTheme = .standard, wantsMouse: Bool = false
    ) throws(CursesScreenFailure) {
        let name = try Self.usableTerminal(environment["TERM"])
        guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyOpen }
        let opened: Session
        do throws(CursesScreenFailure) {
            change = try Self.wakeUp()
            let hasColor = (environment["NO_COLOR"] ?? "").isEmpty
            opened = try Session(name: name, theme: hasColor ? theme : .mono, wantsMouse: wantsMouse)
        } catch {
            Self.isTaken.store(false, ordering: .releasing)
            throw error
        }
        clipboard = ClipboardRoute(environment: environment)
        (input, events) = AsyncStream.makeStream()
        frames = Locked(Frames(size: opened.terminal.size))
        session = Locked(opened)
        listen()
    }

    deinit { close() }

    package var size: Size { frames.withLock(\.size) }

    /// The signal that was behind the last ``InputEvent/terminate``; SIGHUP for a terminal that is gone.
    package var endedBy: Int32? { frames.withLock(\.endedBy) }

    package func show(_ surface: Surface) {
        let wasIdle = frames.withLock { frames in
            defer { (frames.latest, frames.isDue) = (surface, true) }
            return !frames.isDue
        }
        if wasIdle { change.signal() }
    }

    package func copy(_ text: String) -> CopyOutcome {
        guard let sequence = clipboard.sequence(for: text) else { return .refused(clipboard.refusal) }
        session.withLock { $0?.terminal.send(sequence) }
        return .sent
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
}

extension CursesScreen {
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

    /// One thread draws, and waits for input and signals; while nothing comes, it does not run.
    private func listen() {
        Thread.detachNewThread { [change, weak self] in
            while let wait = self?.session.withLock({ $0?.wait }) {
                let descriptors = wait.descriptors.map(\.number) + [change.descriptor]
                _ = descriptorsReady(of: descriptors, atMost: wait.limit)
                while change.take() {}
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
            // What is shown while another program has the terminal waits until it is back.
            guard session?.isLent == false, let surface = frames.withLock({ $0.take() }) else { return }
            session?.terminal.draw(surface)
        }
    }

    private func deliver(_ received: [InputEvent]) {
        for event in received {
            switch event {
            case .key(.control("z")): suspend()
            case .key(.control("l")): drawAgain()
            case .terminate: end(SIGHUP)
            case .key, .mouse, .resize, .paste, .interrupt: events.yield(event)
            }
        }
    }

    private func readSignals() {
        for signal in session.withLock({ $0?.readSignals() ?? [] }) {
            switch signal {
            case SIGWINCH: drawAgain()
            // Ctrl-C in the program that the terminal is lent to is for that one.
            case SIGINT where isLent: break
            case SIGINT: events.yield(.interrupt)
            case SIGTSTP: suspend()
            case SIGCONT: resume()
            default: end(signal)
            }
        }
    }

    private func end(_ signal: Int32) {
        frames.withLock { $0.endedBy = signal }
        events.yield(.terminate)
    }

    /// Draws everything again, at the size that the terminal has now.
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

    /// The shell may have used the terminal, and its window may have changed.
    private func resume() {
        session.withLock { $0?.resume() }
        drawAgain()
    }
}

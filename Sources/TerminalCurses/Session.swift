import CNcurses
import Glibc
import KeyturnSystem
import TerminalUI

/// The terminal session, from its first byte until all modes are restored.
struct Session {
    var terminal: CursesTerminal
    /// The keyboard; nil once the terminal is closed.
    private var keyboard: Descriptor?
    private let signals: Descriptor
    private let streams: DivertedStreams
    /// Whether the terminal is lent to another program.
    private(set) var isLent = false
    private var decoder = InputDecoder()
    private var clicks = DoubleClicks()
    private let start = ContinuousClock.now
    /// The time at which pending bytes are decoded as they are.
    private var escapeDeadline: ContinuousClock.Instant?

    init(name: String, display: ScreenDisplay, hasColor: Bool) throws(CursesScreenFailure) {
        streams = try DivertedStreams()
        let keys = fcntl(streams.input, F_DUPFD_CLOEXEC, 3)
        // Before ncurses, which installs handlers for unhandled signals.
        let signalPipe = term_watch_signals()
        do throws(CursesScreenFailure) {
            guard keys >= 0, signalPipe >= 0 else { throw .system("watching the terminal", errno) }
            terminal = try CursesTerminal(
                name: name, input: streams.input, output: streams.output, display: display, hasColor: hasColor)
        } catch {
            term_unwatch_signals()
            streams.abandon()
            for descriptor in [keys, signalPipe] where descriptor >= 0 { Glibc.close(descriptor) }
            throw error
        }
        keyboard = Descriptor(keys)
        signals = Descriptor(signalPipe)
        streams.divert()
    }

    func close() {
        terminal.close()
        term_unwatch_signals()
        streams.restore()
    }

    /// The descriptors to wait for, and the longest wait.
    var wait: (descriptors: [Descriptor], limit: Duration?) {
        let keys = isLent ? nil : keyboard
        let limit = isLent ? nil : escapeDeadline.map { ContinuousClock.now.duration(to: $0) }
        return ([signals, keys].compactMap(\.self), limit)
    }

    /// Reads the keyboard and returns the decoded events, including an Escape whose wait ended.
    mutating func readKeyboard() -> [InputEvent] {
        guard !isLent, let keyboard else { return [] }
        guard let bytes = keyboard.read() else {
            self.keyboard = nil
            return [.terminate]
        }
        if bytes.isEmpty { return flushWhenDue() }
        let events = decoder.feed(bytes)
        escapeDeadline = decoder.isWaiting ? .now + .milliseconds(InputDecoder.escapeDelay) : nil
        let time = start.duration(to: .now)
        return events.map { clicks.read($0, at: time) }
    }

    private mutating func flushWhenDue() -> [InputEvent] {
        guard let deadline = escapeDeadline, deadline <= .now else { return [] }
        escapeDeadline = nil
        return decoder.flush()
    }

    func readSignals() -> [Int32] { (signals.read() ?? []).map(Int32.init) }

    func suspend() {
        if !isLent { terminal.suspend() }
        term_stop_process_group()
    }

    func resume() {
        if !isLent { terminal.resume() }
    }

    mutating func lend() {
        guard !isLent else { return }
        isLent = true
        terminal.lend()
        streams.lend()
    }

    mutating func reclaim() {
        guard isLent else { return }
        isLent = false
        streams.reclaim()
        terminal.resume()
    }
}

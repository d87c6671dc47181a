import CNcurses
import Dispatch
import Glibc
import TerminalUI

/// What is held while the terminal is taken over, from the first byte sent to the last mode restored.
struct Session {
    var terminal: CursesTerminal
    let keyboard: DescriptorSource
    let signals: DescriptorSource
    private let streams: DivertedStreams
    /// Another program draws on the terminal.
    private(set) var isLent = false
    private var decoder = InputDecoder()
    /// Counts the readings, so that a late timer does not cut a newer sequence.
    private var readings = 0

    init(name: String, theme: ScreenTheme, wantsMouse: Bool, queue: DispatchQueue) throws(CursesScreenFailure) {
        streams = try DivertedStreams()
        let keys = fcntl(streams.input, F_DUPFD_CLOEXEC, 3)
        // Before ncurses, which installs handlers of its own where it finds none.
        let signalPipe = term_watch_signals()
        do throws(CursesScreenFailure) {
            guard keys >= 0, signalPipe >= 0 else { throw .system("watching the terminal", errno) }
            terminal = try CursesTerminal(
                name: name, input: streams.input, output: streams.output, theme: theme,
                wantsMouse: wantsMouse)
        } catch {
            term_unwatch_signals()
            streams.abandon()
            for descriptor in [keys, signalPipe] where descriptor >= 0 { Glibc.close(descriptor) }
            throw error
        }
        keyboard = DescriptorSource(keys, queue: queue)
        signals = DescriptorSource(signalPipe, queue: queue)
        streams.divert()
    }

    func close() {
        // A source that is suspended cannot be let go.
        if isLent { keyboard.resume() }
        keyboard.cancel()
        signals.cancel()
        terminal.close()
        term_unwatch_signals()
        streams.restore()
    }

    /// - Returns: what the keys meant, and a number to ``flush(_:)`` with when they may be the start of more.
    mutating func readKeyboard() -> (events: [InputEvent], waitsForMore: Int?) {
        guard let bytes = keyboard.read() else {
            keyboard.cancel()
            return ([.terminate], nil)
        }
        readings += 1
        let events = decoder.feed(bytes)
        return (events, decoder.isWaiting ? readings : nil)
    }

    mutating func flush(_ reading: Int) -> [InputEvent] {
        reading == readings ? decoder.flush() : []
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
        keyboard.suspend()
        terminal.suspend()
        streams.lend()
    }

    mutating func reclaim() {
        guard isLent else { return }
        isLent = false
        streams.reclaim()
        terminal.resume()
        keyboard.resume()
    }
}

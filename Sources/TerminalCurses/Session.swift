import CNcurses
import Glibc
import TerminalUI

/// The terminal session, from its first byte until all modes are restored. Any call may wait for the terminal.
struct Session {
    var terminal: CursesTerminal
    let keyboard: Descriptor
    private let streams: DivertedStreams
    /// Whether the terminal is lent to another program.
    private(set) var isLent = false

    init(
        name: String, display: ScreenDisplay, background: TerminalBackground?, hasColor: Bool
    ) throws(CursesScreenFailure) {
        streams = try DivertedStreams()
        let keys = fcntl(streams.input, F_DUPFD_CLOEXEC, 3)
        do throws(CursesScreenFailure) {
            guard keys >= 0 else { throw .system("opening the terminal", errno) }
            terminal = try CursesTerminal(
                name: name, input: streams.input, output: streams.output, display: display,
                background: background, hasColor: hasColor)
        } catch {
            streams.abandon()
            if keys >= 0 { Glibc.close(keys) }
            throw error
        }
        keyboard = Descriptor(keys)
        streams.divert()
    }

    func close() {
        term_close()
        streams.restore()
    }

    var isInBackground: Bool { streams.isInBackground }

    func suspend() {
        if !isLent { term_suspend() }
    }

    func resume() {
        if !isLent { term_resume() }
    }

    mutating func lend() {
        guard !isLent else { return }
        isLent = true
        term_lend()
        streams.lend()
    }

    mutating func reclaim() {
        guard isLent else { return }
        isLent = false
        streams.reclaim()
        term_resume()
    }
}

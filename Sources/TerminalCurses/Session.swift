import CNcurses
import Glibc
import TerminalUI

/// The terminal session, from its first byte until all modes are restored. Any call may wait for the terminal.
struct Session {
    var terminal: CursesTerminal
    let keyboard: Descriptor
    private let streams: DivertedStreams
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

    var isInBackground: Bool { term_is_in_background(streams.output) != 0 }

    func suspend() { if !isLent { term_suspend() } }

    func resume() { if !isLent { term_resume() } }

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

/// Redirects the standard streams while the screen is open: output of this program and its children goes to a file in
/// memory, and no child reads the keyboard. The screen uses private descriptors that children don't inherit. Standard
/// error isn't redirected if it isn't a terminal.
final class DivertedStreams {
    let input, output: Int32
    private let error, capture: Int32

    init() throws(CursesScreenFailure) {
        // Descriptors from 3 up, so that a copy never takes the number of a closed standard stream.
        input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        capture = term_memory_file()
        guard input >= 0, output >= 0, capture >= 0 else {
            let code = errno
            abandon()
            throw .system("opening the terminal", code)
        }
    }

    func divert() {
        reclaim()
        term_guard_crash(error, capture)
    }

    func reclaim() {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if nothing >= 0 {
            dup2(nothing, STDIN_FILENO)
            Glibc.close(nothing)
        }
        fflush(nil)
        dup2(capture, STDOUT_FILENO)
        if isatty(error) == 1 { dup2(capture, STDERR_FILENO) }
    }

    /// Redirects the streams back to the terminal, for a program to start.
    func lend() {
        fflush(nil)
        dup2(input, STDIN_FILENO)
        dup2(output, STDOUT_FILENO)
        if error >= 0 { dup2(error, STDERR_FILENO) }
    }

    func abandon() {
        for descriptor in [input, output, error, capture] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Restores the streams and prints the collected output to standard error. A terminal that takes no output gets none.
    func restore() {
        if term_is_given_up() == 0 {
            lend()
            term_give_back()
        }
        term_unguard_crash()
        abandon()
    }
}

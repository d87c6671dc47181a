import CNcurses
import Glibc
import TerminalUI

/// The standard streams while the screen is up: what this program or a program it starts prints goes to a file in memory
/// instead of the screen, and nobody else reads the keyboard. The terminal itself is used through private descriptors
/// that started programs do not inherit.
///
/// A standard error stream that is no terminal is left alone.
final class DivertedStreams {
    let input: Int32
    let output: Int32
    private let error: Int32
    private let capture: Int32

    /// Beyond this much, what was printed is only counted.
    private static let longestReplay = 64 * 1024

    init() throws(CursesScreenFailure) {
        // Descriptors from 3 up, or a stream that was closed before would be taken for the copy of another.
        input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        capture = term_memory_file()
        guard input >= 0, output >= 0, capture >= 0 else {
            let code = errno
            for descriptor in [input, output, error, capture] where descriptor >= 0 { Glibc.close(descriptor) }
            throw .system("opening the terminal", code)
        }
    }

    func divert() {
        reclaim()
        term_guard_crash(error, capture)
    }

    /// Points the streams away from the terminal.
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

    /// Points the streams at the terminal again, for a program that is started now.
    func lend() {
        fflush(nil)
        dup2(input, STDIN_FILENO)
        dup2(output, STDOUT_FILENO)
        if error >= 0 { dup2(error, STDERR_FILENO) }
    }

    /// Closes the copies. All there is to do for a terminal that could not be taken over.
    func abandon() {
        for descriptor in [input, output, error, capture] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Puts the streams back and prints on the standard error stream what came meanwhile.
    func restore() {
        lend()
        term_unguard_crash()
        replay()
        abandon()
    }

    private func replay() {
        let length = Int(lseek(capture, 0, SEEK_END))
        guard length > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: min(length, Self.longestReplay))
        let count = max(0, pread(capture, &bytes, bytes.count, 0))
        var lines = String(decoding: bytes.prefix(count), as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Printable.sanitize($0) }
        if lines.last == "" { lines.removeLast() }
        if length > count { lines.append("… and \(length - count) bytes more") }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        _ = write(STDERR_FILENO, text, text.count)
    }
}

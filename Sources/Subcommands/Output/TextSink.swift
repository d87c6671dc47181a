import Glibc
import KeyturnSystem
import TerminalUI

package protocol TextSink: Sendable {
    /// Throws if the pipe is closed or the disk is full.
    func write(_ text: String) throws(TextSinkFailure)

    /// Writes bytes as they are, for content that isn't the program's.
    func write(bytes: [UInt8]) throws(TextSinkFailure)

    var isTerminal: Bool { get }

    /// The width of the terminal; `nil` if unknown or not a terminal.
    var columns: Int? { get }

    /// The size of the terminal; `nil` if unknown or not a terminal.
    var window: Size? { get }
}

extension TextSink {
    package func write(bytes: [UInt8]) throws(TextSinkFailure) { try write(String(decoding: bytes, as: UTF8.self)) }
    package var isTerminal: Bool { false }
    package var columns: Int? { nil }
    package var window: Size? { nil }
}

package struct TextSinkFailure: Error, Sendable, Equatable {
    /// The `errno` of the write.
    package var code: Int32
    /// The file; `nil` for a stream.
    package var path: String?

    /// Whether the reader closed the pipe, as `| head` does: not an error to report.
    package var isClosedPipe: Bool { code == EPIPE }
}

/// A stream of the process, unbuffered, so that steps appear at once.
package struct FileDescriptorSink: TextSink {
    package static let standardOutput = FileDescriptorSink(descriptor: STDOUT_FILENO)
    package static let standardError = FileDescriptorSink(descriptor: STDERR_FILENO)

    let descriptor: Int32

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package var columns: Int? { reported.flatMap { $0.width > 0 ? $0.width : nil } }

    package var window: Size? { reported.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil } }

    private var reported: Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Size(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    package func write(_ text: String) throws(TextSinkFailure) { try write(bytes: Array(text.utf8)) }

    package func write(bytes: [UInt8]) throws(TextSinkFailure) {
        WaitingWrites.begin(to: descriptor)
        defer { WaitingWrites.end(to: descriptor) }
        let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
        if code != 0 { throw TextSinkFailure(code: code) }
    }
}

/// The process's controlling terminal. Writing fails without one.
package struct TerminalSink: TextSink {
    package func write(_ text: String) throws(TextSinkFailure) {
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw TextSinkFailure(code: errno) }
        defer { close(terminal) }
        try FileDescriptorSink(descriptor: terminal).write(text)
    }
}

/// Converts text to ASCII, for other encodings.
package struct ASCIISink: TextSink {
    private let next: any TextSink

    package init(_ next: any TextSink) { self.next = next }

    package func write(_ text: String) throws(TextSinkFailure) { try next.write(Self.fold(text)) }

    package func write(bytes: [UInt8]) throws(TextSinkFailure) { try next.write(bytes: bytes) }
    package var isTerminal: Bool { next.isTerminal }
    package var columns: Int? { next.columns }
    package var window: Size? { next.window }

    static func fold(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1.isASCII ? String($1) : replacements[$1] ?? "?" }
    }

    private static let replacements: [Character: String] = [
        "…": "...", "–": "-", "—": "-", "‹": "<", "›": ">", "’": "'", "→": "->",
    ]
}

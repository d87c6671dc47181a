import Glibc

/// Where text goes: a stream of the process, or a test's memory.
package protocol TextSink: Sendable {
    /// Throws when nobody reads any more, or the disk is full.
    func write(_ text: String) throws(TextSinkFailure)
}

/// Text could not be written.
package struct TextSinkFailure: Error, Sendable, Equatable {
    /// `errno` of the write.
    package var code: Int32

    /// Nobody reads any more, as after `| head`: nothing to complain about.
    package var isClosedPipe: Bool { code == EPIPE }

    package var reason: String { String(cString: strerror(code)) }
}

/// One of the process's streams, unbuffered: the texts are few, and a step should be seen when it happens.
package struct FileDescriptorSink: TextSink {
    package static let standardOutput = FileDescriptorSink(descriptor: STDOUT_FILENO)
    package static let standardError = FileDescriptorSink(descriptor: STDERR_FILENO)

    let descriptor: Int32

    package func write(_ text: String) throws(TextSinkFailure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let (written, code) = rest.withUnsafeBytes { bytes in
                (Glibc.write(descriptor, bytes.baseAddress, bytes.count), errno)
            }
            if written < 0, code == EINTR || code == EAGAIN { continue }
            if written < 0 { throw TextSinkFailure(code: code) }
            rest = rest.dropFirst(written)
        }
    }
}

/// The terminal that the process belongs to, whatever its streams are. Fails where there is none.
package struct TerminalSink: TextSink {
    package func write(_ text: String) throws(TextSinkFailure) {
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw TextSinkFailure(code: errno) }
        defer { close(terminal) }
        try FileDescriptorSink(descriptor: terminal).write(text)
    }
}

/// Passes text on with nothing but ASCII in it, for terminals and files of another encoding.
package struct ASCIISink: TextSink {
    private let next: any TextSink

    package init(_ next: any TextSink) { self.next = next }

    package func write(_ text: String) throws(TextSinkFailure) {
        try next.write(Self.fold(text))
    }

    static func fold(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1.isASCII ? String($1) : replacements[$1] ?? "?" }
    }

    private static let replacements: [Character: String] = [
        "…": "...", "–": "-", "—": "-", "‹": "<", "›": ">", "’": "'", "→": "->",
    ]
}

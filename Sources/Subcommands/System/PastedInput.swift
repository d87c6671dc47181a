import CSystem
import Foundation
import Glibc
import KeyturnSystem

/// Pasted input. Joins the lines of a paste, which a terminal delivers one by one. At a terminal, lines are edited here
/// (``TypedInput``), because its own line editing drops what exceeds 4,095 bytes.
enum PastedInput {
    /// The wait for the rest of a paste, in milliseconds.
    private static let patience: Int32 = 150
    /// Of a piece, above the limit of pasted responses.
    private static let mostBytes = 1 << 20

    /// The pieces from `descriptor` until its end, read by a thread. Few wait, so that endless input needs little memory.
    static func pieces(of descriptor: Int32) -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(16)) { continuation in
            guard let end = try? BytePipe() else { return continuation.finish() }
            let isTyped = TypedInput.begin(at: descriptor)
            continuation.onTermination = { _ in
                end.stopWriting(isWhole: true)
                if isTyped { TypedInput.end() }
            }
            let source = Source(descriptor: descriptor, end: end.readingDescriptor)
            let read: @Sendable () -> Void = {
                defer { end.stopReading() }
                var isFinished = false
                while !isFinished, let piece = piece(of: source, isTyped, &isFinished) {
                    while case .dropped = continuation.yield(piece) { usleep(10_000) }
                }
                continuation.finish()
            }
            if (try? SystemThread.start(read)) == nil { continuation.finish() }
        }
    }

    /// `nil` at the end of the input, or if the task is cancelled. Leaves what follows for the next reader, because a terminal
    /// delivers a line at a time.
    static func line(of descriptor: Int32) async -> String? {
        let lines = AsyncStream<String> { continuation in
            let source = Source(descriptor: descriptor)
            let read: @Sendable () -> Void = {
                var bytes: [UInt8] = []
                while bytes.last != UInt8(ascii: "\n"), let more = chunk(of: source) { bytes += more }
                if !bytes.isEmpty { continuation.yield(String(decoding: bytes, as: UTF8.self)) }
                continuation.finish()
            }
            if (try? SystemThread.start(read)) == nil { continuation.finish() }
        }
        for await line in lines { return line.trimmingCharacters(in: .whitespacesAndNewlines) }
        return nil
    }

    /// Drops what was typed and not read yet: it answers no question that comes later.
    static func forget(_ descriptor: Int32) { tcflush(descriptor, TCIFLUSH) }

    /// - Parameter isTyped: whether the user types or pastes lines.
    private static func piece(of source: Source, _ isTyped: Bool, _ isFinished: inout Bool) -> String? {
        var bytes: [UInt8] = []
        repeat {
            guard let more = chunk(of: source) else { break }
            let outcome = isTyped ? TypedInput.take(more) : LineEditor.Outcome(text: more)
            bytes += outcome.text
            isFinished = outcome.isFinished
        } while !isFinished && (bytes.isEmpty || (bytes.count < mostBytes && hasMore(source.descriptor)))
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// What a thread reads until the end is closed, so that it takes nothing from the next reader.
    private struct Source: Sendable {
        let descriptor: Int32
        var end: Int32 = -1

        /// Waits for input. In the background of its terminal, a read would stop the process.
        func hasInput() -> Bool {
            while true {
                let isAside = keyturn_terminal_is_aside(descriptor) != 0
                var wanted = [
                    pollfd(fd: isAside ? -1 : descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: end, events: Int16(POLLIN), revents: 0),
                ]
                // Looks sometimes whether the process is in the foreground again.
                let count = poll(&wanted, 2, isAside ? 1000 : -1)
                guard count >= 0 || errno == EINTR else { return false }
                if wanted[1].revents != 0 { return false }
                if wanted[0].revents != 0, keyturn_terminal_is_aside(descriptor) == 0 { return true }
            }
        }
    }

    private static func chunk(of source: Source) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while source.hasInput() {
            let count = read(source.descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
        return nil
    }

    private static func hasMore(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, patience) > 0 && wanted.revents & Int16(POLLIN) != 0
    }

    /// Whether a file is /dev/null, which also stands in for a closed standard input.
    static func isAlwaysEmpty(_ file: Int32) -> Bool {
        var own = stat()
        var nothing = stat()
        return fstat(file, &own) == 0 && stat("/dev/null", &nothing) == 0 && own.st_mode & S_IFMT == S_IFCHR
            && own.st_rdev == nothing.st_rdev
    }
}

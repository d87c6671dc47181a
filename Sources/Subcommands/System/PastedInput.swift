import Foundation
import Glibc
import KeyturnSystem

/// Pasted input. Joins the lines of a paste, which a terminal delivers one by one. At a terminal, lines are edited here
/// (``TypedInput``), because its own line editing drops what exceeds 4,095 bytes.
enum PastedInput {
    /// The wait for the rest of a paste, in milliseconds.
    private static let patience: Int32 = 150
    /// The maximum length of a piece in bytes, above the limit of pasted responses.
    private static let pieceBytes = 1 << 20

    /// The number of pieces that wait for the reader, so that endless input needs little memory.
    private static let mostPieces = 16

    /// The pieces from `descriptor` until its end, read by a thread.
    static func pieces(of descriptor: Int32) -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(mostPieces)) { continuation in
            let isTyped = TypedInput.begin(at: descriptor)
            if isTyped { continuation.onTermination = { _ in TypedInput.end() } }
            let read: @Sendable () -> Void = {
                var isFinished = false
                while !isFinished {
                    let piece = isTyped ? typed(at: descriptor, &isFinished) : piece(of: descriptor)
                    guard let piece else { break }
                    while case .dropped = continuation.yield(piece) { usleep(10_000) }
                }
                continuation.finish()
            }
            if (try? SystemThread.start(read)) == nil { continuation.finish() }
        }
    }

    /// The next line, without white space around it, read by a thread; `nil` at the end of the input, or if the task is cancelled.
    /// Leaves what follows for the next reader, because a terminal delivers a line at a time.
    static func line(of descriptor: Int32) async -> String? {
        let lines = AsyncStream<String> { continuation in
            let read: @Sendable () -> Void = {
                var bytes: [UInt8] = []
                while bytes.last != UInt8(ascii: "\n"), let more = chunk(of: descriptor) { bytes += more }
                if !bytes.isEmpty { continuation.yield(String(decoding: bytes, as: UTF8.self)) }
                continuation.finish()
            }
            if (try? SystemThread.start(read)) == nil { continuation.finish() }
        }
        for await line in lines { return line.trimmingCharacters(in: .whitespacesAndNewlines) }
        return nil
    }

    private static func piece(of descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        repeat {
            guard let more = chunk(of: descriptor) else { break }
            bytes += more
        } while bytes.count < pieceBytes && hasMore(descriptor)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The lines that the user has typed or pasted.
    private static func typed(at descriptor: Int32, _ isFinished: inout Bool) -> String? {
        var bytes: [UInt8] = []
        repeat {
            guard let more = chunk(of: descriptor) else { break }
            let outcome = TypedInput.take(more)
            bytes += outcome.text
            isFinished = outcome.isFinished
        } while !isFinished && (bytes.isEmpty || (bytes.count < pieceBytes && hasMore(descriptor)))
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func chunk(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    private static func hasMore(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, patience) > 0 && wanted.revents & Int16(POLLIN) != 0
    }
}

extension PastedInput {
    /// Whether a file is /dev/null, which also stands in for a closed standard input.
    static func isAlwaysEmpty(_ file: Int32) -> Bool {
        var own = stat()
        var nothing = stat()
        return fstat(file, &own) == 0 && stat("/dev/null", &nothing) == 0 && own.st_mode & S_IFMT == S_IFCHR
            && own.st_rdev == nothing.st_rdev
    }
}

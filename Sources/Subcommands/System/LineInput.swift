import Glibc
import KeyturnSystem

/// Lines of a program that writes to standard input, read by a thread.
enum LineInput {
    enum Line: Sendable, Equatable {
        case text([UInt8])
        /// The start of a line that is too long. The rest was skipped.
        case tooLong(start: [UInt8])
    }

    /// Splits pieces into lines, and keeps at most one line of the limit's size.
    struct Splitter {
        let mostBytes: Int
        private var line: [UInt8] = []
        private var isSkipping = false

        init(mostBytes: Int) { self.mostBytes = mostBytes }

        mutating func take(_ piece: ArraySlice<UInt8>) -> [Line] {
            var lines: [Line] = []
            var rest = piece
            while let end = rest.firstIndex(of: 0x0A) {
                append(rest[..<end])
                lines += [self.end()].compactMap(\.self)
                rest = rest[(end + 1)...]
            }
            append(rest)
            return lines
        }

        /// The line that is complete now; `nil` for an empty one.
        mutating func end() -> Line? {
            defer { (line, isSkipping) = ([], false) }
            if isSkipping { return .tooLong(start: line) }
            return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : .text(line)
        }

        private mutating func append(_ bytes: ArraySlice<UInt8>) {
            guard !isSkipping else { return }
            line += bytes
            // The ID stands at the start.
            if line.count > mostBytes { (line, isSkipping) = (Array(line.prefix(4096)), true) }
        }
    }

    static func lines(of descriptor: Int32, mostBytes: Int) -> AsyncStream<Line> {
        AsyncStream(bufferingPolicy: .bufferingOldest(2)) { continuation in
            let read: @Sendable () -> Void = {
                var splitter = Splitter(mostBytes: mostBytes)
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                func give(_ line: Line) {
                    while case .dropped = continuation.yield(line) { usleep(1000) }
                }
                while true {
                    let count = Glibc.read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR || errno == EAGAIN {
                        // The client may have set its end to non-blocking, which this end shares.
                        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                        poll(&wanted, 1, -1)
                        continue
                    }
                    guard count > 0 else { break }
                    for line in splitter.take(buffer[..<count]) { give(line) }
                }
                if let last = splitter.end() { give(last) }
                continuation.finish()
            }
            if (try? SystemThread.start(read)) == nil { continuation.finish() }
        }
    }
}

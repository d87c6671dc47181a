import Glibc
import KeyturnSystem
import TerminalUI

/// The terminal's input: decodes what it reads, with the time. Never waits.
struct Keyboard {
    /// Nil once the terminal is closed.
    private var descriptor: Descriptor?
    private var decoder: InputDecoder
    private let escapeWait: EscapeWait
    private var clicks = DoubleClicks()
    private let start = ContinuousClock.now
    /// Whether the terminal is lent to another program, or about to be given to the shell.
    var isPaused = false
    /// Until when the terminal may answer a question; nil if none is open.
    private var responseLimit: Duration?
    private static let responseTime = Duration.milliseconds(500)

    init(_ descriptor: Descriptor, wait: EscapeWait) {
        self.descriptor = descriptor
        (decoder, escapeWait) = (InputDecoder(wait), wait)
    }

    mutating func forget() {
        if let descriptor { tcflush(descriptor.number, TCIFLUSH) }
        decoder = InputDecoder(escapeWait)
    }

    mutating func expectResponse() { responseLimit = time + Self.responseTime }

    var expected: (descriptor: Descriptor, limit: Duration)? {
        guard !isPaused, let responseLimit, let descriptor, time < responseLimit else { return nil }
        return (descriptor, responseLimit - time)
    }

    mutating func takeBackground() -> TerminalBackground? {
        defer { decoder.background = nil }
        return decoder.background
    }

    var wait: (descriptor: Descriptor?, limit: Duration?) {
        isPaused ? (nil, nil) : (descriptor, decoder.deadline.map { max(.zero, $0 - time) })
    }

    private var time: Duration { start.duration(to: .now) }

    mutating func read() -> [InputEvent] {
        guard !isPaused, let descriptor else { return [] }
        guard let bytes = descriptor.read() else {
            self.descriptor = nil
            return [.terminate]
        }
        let time = time
        let events = bytes.isEmpty ? decoder.expire(at: time) : decoder.feed(bytes, at: time)
        if decoder.hasResponded { responseLimit = nil }
        return events.map { clicks.read($0, at: time) }.joiningKeys
    }
}

/// A file descriptor to read from, closed on deinitialisation.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// The available bytes; nil at the end of input, which means that the terminal is closed.
    func read() -> [UInt8]? {
        // Another process may have read the input, for example the shell while the program was stopped. The descriptor
        // can't be non-blocking, because other processes share its open file description.
        guard !descriptorsReady(of: [number], atMost: .zero).isEmpty else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(number, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }
}

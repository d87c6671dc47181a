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

    /// Drops what was typed and not read, and the start of a sequence.
    mutating func forget() {
        if let descriptor { tcflush(descriptor.number, TCIFLUSH) }
        decoder = InputDecoder(escapeWait)
    }

    /// The terminal was asked a question.
    mutating func expectResponse() { responseLimit = time + Self.responseTime }

    /// Where the terminal's answer comes, and how long that can take; nil if none is to come.
    var expected: (descriptor: Descriptor, limit: Duration)? {
        guard !isPaused, let responseLimit, let descriptor, time < responseLimit else { return nil }
        return (descriptor, responseLimit - time)
    }

    mutating func takeBackground() -> TerminalBackground? {
        defer { decoder.background = nil }
        return decoder.background
    }

    /// The descriptor to wait for, and the longest wait.
    var wait: (descriptor: Descriptor?, limit: Duration?) {
        guard !isPaused else { return (nil, nil) }
        return (descriptor, decoder.deadline.map { max(.zero, $0 - time) })
    }

    private var time: Duration { start.duration(to: .now) }

    /// The decoded events, including those whose wait has ended.
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

/// Decodes a terminal's bytes into keys, pastes and mouse events (ECMA-48 control sequences, as in xterm). Time is
/// passed in. At ``deadline`` the caller calls ``expire(at:)``, because a lone Escape looks like the start of a
/// sequence, and the end of a sequence or paste may never come. No part of a sequence is ever a key of its own.
package struct InputDecoder: Sendable {
    /// In bytes; the rest is ignored.
    package static let longestPaste = PasteReader.longest
    /// The longest control sequence or string in bytes.
    static let longestSequence = 4096

    private static let escape: UInt8 = 0x1B
    /// The wait for the rest of a character or of a sequence that no key can be.
    private static let patience = Duration.seconds(1)
    /// More bytes at once than a few keys can be.
    private static let longestTyping = 64

    private var wait: EscapeWait
    private var pending: [UInt8] = []
    /// When the first and the last of the pending bytes came.
    private var times = (first: Duration.zero, last: Duration.zero)
    private var paste: PasteReader?
    /// Whether the latest paste ended without its end, which may still come.
    private var expectsPasteTerminator = false
    /// The Escape whose wait ended, while the rest of a sequence may still come.
    private var lone: (pressed: Duration, until: Duration)?
    /// Whether the pending sequence's Escape was already taken for a key.
    private var isLate = false
    /// The background, if the terminal told it since this was last cleared.
    package var background: TerminalBackground?
    /// Whether the terminal has answered all of ``TerminalBackground/question``.
    package private(set) var hasResponded = false

    package init(_ wait: EscapeWait = EscapeWait()) { self.wait = wait }

    package var deadline: Duration? {
        if let paste { return paste.deadline }
        guard !pending.isEmpty else { return nil }
        switch InputScanner.introduction(of: pending) {
        case .lone: return times.first + wait.duration
        case .sequence: return times.last + max(Self.patience, wait.duration)
        case .string: return times.first + max(Self.patience, wait.duration)
        }
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>, at time: Duration = .zero) -> [InputEvent] {
        let fresh = Array(bytes)
        guard let first = fresh.first else { return [] }
        var events = separate(first, at: time)
        resumePaste(fresh, at: time)
        if pending.isEmpty { times.first = time }
        times.last = time
        paste?.extend(by: fresh.count, at: time)
        pending += fresh
        events += decode(at: time)
        return events
    }

    package mutating func expire(at time: Duration) -> [InputEvent] {
        guard let deadline, deadline <= time else { return [] }
        defer {
            pending = []
            isLate = false
        }
        if let paste {
            self.paste = nil
            expectsPasteTerminator = true
            return [paste.event].compactMap(\.self)
        }
        if pending == [Self.escape] {
            lone = (times.first, time + Self.patience)
            return [.key(.escape)]
        }
        guard pending.count == 2, pending[0] == Self.escape, pending[1] < 0x80 else { return [] }
        // `[` and `O` are keys too.
        let key = Key.character(Character(Unicode.Scalar(pending[1])))
        return [.key(isLate ? key : .alt(key))]
    }

    /// Decides what a pending Escape, or one that was a key, has to do with a byte that came later.
    private mutating func separate(_ byte: UInt8, at time: Duration) -> [InputEvent] {
        let continues = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
        if pending == [Self.escape], paste == nil, !continues, time - times.first > wait.slowestAlt {
            pending = []
            return [.key(.escape)]
        }
        defer { lone = nil }
        if let lone, pending.isEmpty, continues, time <= lone.until {
            pending = [Self.escape]
            times.first = lone.pressed
            isLate = true
        }
        return []
    }

    /// Continues a paste that was given up, with bytes that only it can have.
    private mutating func resumePaste(_ bytes: [UInt8], at time: Duration) {
        guard expectsPasteTerminator, paste == nil, pending.isEmpty else { return }
        let isLong = bytes.count > Self.longestTyping && !bytes.contains(Self.escape)
        guard isLong || bytes.indices.contains(where: { bytes[$0...].starts(with: PasteReader.terminator) }) else {
            return
        }
        paste = PasteReader(at: time)
    }

    private mutating func decode(at time: Duration) -> [InputEvent] {
        var events: [InputEvent] = []
        var rest = pending[...]
        while !rest.isEmpty {
            if var reader = paste {
                let part = reader.read(rest, at: time)
                events += part.events
                paste = part.isOver ? nil : reader
                guard part.length > 0 else { break }
                rest = rest.dropFirst(part.length)
                continue
            }
            guard let step = InputScanner.next(rest) else { break }
            if isLate {
                // A sequence whose Escape was a key is skipped, and the next wait is longer. What isn't one are keys.
                rest = rest.dropFirst(step.isKnown ? step.length : 1)
                if step.isKnown { wait.learn(lateness: time - times.first) }
                isLate = false
            } else {
                rest = rest.dropFirst(step.length)
                if let event = step.event { events.append(event) }
            }
            if step.length > 0 { times.first = time }
            background = step.background ?? background
            hasResponded = hasResponded || step.isKind
            if step.startsPaste {
                paste = PasteReader(at: time)
                expectsPasteTerminator = false
            }
        }
        pending = Array(rest)
        return events
    }
}

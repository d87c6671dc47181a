/// Reads a bracketed paste up to `ESC [ 201 ~`. The end may never come. So a paste also ends when its bytes come no
/// faster than a user types, at its maximum length, and at Ctrl-C. The rest is ignored: it must not become keys.
struct PasteReader: Sendable {
    static let longest = 1 << 20

    static let terminator = Array("\u{1B}[201~".utf8)
    private static let controlC: UInt8 = 0x03
    /// The longest silence within a paste.
    private static let patience = Duration.seconds(1)
    /// The longest silence within the ignored rest.
    private static let restPatience = Duration.milliseconds(200)
    /// What each byte adds to the time that is left: 64 bytes in a second are no typing.
    private static let timePerByte = patience / 64

    private var text: [UInt8] = []
    /// Whether the paste was delivered, and the rest is ignored.
    private var isDelivered = false
    private(set) var deadline: Duration

    init(at time: Duration) { deadline = time + Self.patience }

    typealias Step = (length: Int, events: [InputEvent], isOver: Bool)

    var event: InputEvent? {
        isDelivered ? nil : .paste(String(decoding: Self.withOwnLineBreaks(text), as: UTF8.self))
    }

    mutating func extend(by count: Int, at time: Duration) {
        let most = time + (isDelivered ? Self.restPatience : Self.patience)
        deadline = min(most, max(deadline, time) + Self.timePerByte * count)
    }

    mutating func read(_ bytes: ArraySlice<UInt8>, at time: Duration) -> Step {
        let stop = bytes.firstIndex { $0 == Self.controlC || $0 == Self.terminator[0] } ?? bytes.endIndex
        if stop > bytes.startIndex { return (stop - bytes.startIndex, take(bytes[..<stop], at: time), false) }
        if bytes.first == Self.controlC { return (1, give(at: time) + [.key(.control("c"))], false) }
        if bytes.starts(with: Self.terminator) {
            return (Self.terminator.count, [event].compactMap(\.self), true)
        }
        // Possibly the start of the end.
        if Self.terminator.starts(with: bytes) { return (0, [], false) }
        return (1, take(bytes.prefix(1), at: time), false)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, at time: Duration) -> [InputEvent] {
        guard !isDelivered else { return [] }
        text += bytes.prefix(Self.longest - text.count)
        return text.count < Self.longest ? [] : give(at: time)
    }

    private mutating func give(at time: Duration) -> [InputEvent] {
        defer {
            isDelivered = true
            text = []
            deadline = min(deadline, time + Self.restPatience)
        }
        return [event].compactMap(\.self)
    }

    /// Converts CR LF and CR to LF. Works on bytes, because CR LF is a single `Character`.
    private static func withOwnLineBreaks(_ bytes: [UInt8]) -> [UInt8] {
        zip(bytes, [0] + bytes).compactMap { byte, previous in
            if byte == 0x0A, previous == 0x0D { return nil }
            return byte == 0x0D ? 0x0A : byte
        }
    }
}

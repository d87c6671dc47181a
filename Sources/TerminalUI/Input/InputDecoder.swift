/// Decodes a terminal's bytes into keys and pastes (ECMA-48 control sequences, as in xterm).
///
/// A lone Escape looks like the start of a sequence. While ``isWaiting``, the caller waits ``escapeDelay`` milliseconds
/// for more bytes, then calls ``flush()``.
package struct InputDecoder: Sendable {
    /// Milliseconds to wait for the rest of a sequence: enough for it to arrive, too short to notice.
    package static let escapeDelay = 25
    /// The longest paste in bytes; longer ones are truncated.
    package static let longestPaste = 1 << 20

    private static let escape: UInt8 = 0x1B
    private static let pasteTerminator = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    private var paste: [UInt8]?

    package init() {}

    package var isWaiting: Bool { !pending.isEmpty && paste == nil }

    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        pending += bytes
        var events: [InputEvent] = []
        while !pending.isEmpty {
            let step = paste == nil ? next() : continuePaste()
            guard let step else { break }
            pending.removeFirst(step.length)
            if let event = step.event { events.append(event) }
        }
        return events
    }

    /// Decodes pending bytes as keys, because no sequence followed.
    package mutating func flush() -> [InputEvent] {
        guard isWaiting else { return [] }
        defer { pending = [] }
        guard pending[0] == Self.escape else { return [] }
        switch pending.count {
        case 1: return [.key(.escape)]
        // `[` and `O` are keys too; an incomplete UTF-8 character isn't.
        case 2 where pending[1] < 0x80: return [.key(.alt(Character(Unicode.Scalar(pending[1]))))]
        default: return []
        }
    }

    /// The number of decoded bytes and their event, if any. Nil if more bytes are needed.
    private typealias Step = (length: Int, event: InputEvent?)

    private mutating func next() -> Step? {
        guard pending[0] == Self.escape else {
            return character(from: 0).map { ($0.length, $0.key.map(InputEvent.key)) }
        }
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return nil }
            return (3, KeySequence.final(pending[2]).map(InputEvent.key))
        case Self.escape, 0..<0x20, 0x7F: return (1, .key(.escape))
        default:
            guard let character = character(from: 1) else { return nil }
            guard case .character(let value) = character.key else { return (1 + character.length, .key(.escape)) }
            return (1 + character.length, .key(.alt(value)))
        }
    }

    /// `ESC [`, parameters (0x30–0x3F), intermediates (0x20–0x2F) and the final byte (0x40–0x7E).
    private mutating func controlSequence() -> Step? {
        guard let position = pending[2...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
        let final = pending[position]
        guard (0x40...0x7E).contains(final) else { return (position, nil) }
        if final == UInt8(ascii: "["), position == 2 {
            guard pending.count > 3 else { return nil }
            return (4, KeySequence.linuxFunction(pending[3]).map(InputEvent.key))
        }
        let parameters = String(decoding: pending[2..<position], as: UTF8.self)
        let number = Int(parameters.prefix { $0.isNumber })
        if parameters.hasPrefix("<") {
            let event = final == UInt8(ascii: "M") ? MouseEvent(parameters: parameters.dropFirst()) : nil
            return (position + 1, event.map(InputEvent.mouse))
        }
        guard final == UInt8(ascii: "~") else { return (position + 1, KeySequence.final(final).map(InputEvent.key)) }
        if number == 200 { paste = [] }
        return (position + 1, number.flatMap(KeySequence.numbered).map(InputEvent.key))
    }

    private mutating func continuePaste() -> Step? {
        let limit = pending.count - Self.pasteTerminator.count
        let start = (0...max(0, limit)).first { pending[$0...].starts(with: Self.pasteTerminator) }
        let text = start.map { pending[..<$0] } ?? pending[..<max(0, limit + 1)]
        let room = Self.longestPaste - (paste?.count ?? 0)
        paste?.append(contentsOf: text.prefix(max(0, room)))
        guard start != nil else { return text.isEmpty ? nil : (text.count, nil) }
        defer { paste = nil }
        let pasted = String(decoding: Self.withOwnLineBreaks(paste ?? []), as: UTF8.self)
        return (text.count + Self.pasteTerminator.count, .paste(pasted))
    }

    /// Converts CR LF and CR to LF. Works on bytes, because CR LF is a single `Character`.
    private static func withOwnLineBreaks(_ bytes: [UInt8]) -> [UInt8] {
        zip(bytes, [0] + bytes).compactMap { byte, previous in
            if byte == 0x0A, previous == 0x0D { return nil }
            return byte == 0x0D ? 0x0A : byte
        }
    }

    /// Decodes a key from UTF-8 or a control byte. Skips invalid UTF-8 byte by byte.
    private func character(from start: Int) -> (length: Int, key: Key?)? {
        let first = pending[start]
        guard first >= 0x80 else { return (1, KeySequence.ascii(first)) }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let bytes = pending[start...].prefix(length)
        let trailing = bytes.dropFirst().prefix { (0x80...0xBF).contains($0) }.count
        if trailing + 1 < length, trailing + 1 == bytes.count { return nil }
        guard length > 1, let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        else { return (1 + trailing, nil) }
        return (length, .character(Character(scalar)))
    }
}

/// The key codes of xterm, tmux, screen, rxvt and the Linux console. Modifiers are ignored.
enum KeySequence {
    /// A single byte below 0x80.
    static func ascii(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x00: .control(" ")
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    /// The key for the final byte of `ESC [ …` or after `ESC O`.
    static func final(_ byte: UInt8) -> Key? {
        switch Character(Unicode.Scalar(byte)) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        case "M": .enter
        case "Z": .backTab
        case "P": .function(1)
        case "Q": .function(2)
        case "R": .function(3)
        case "S": .function(4)
        default: nil
        }
    }

    /// The key for the number in `ESC [ n ~`.
    static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...24: .function(number - 12)
        default: nil
        }
    }

    /// The key for the Linux console's `ESC [ [ A` to `E`.
    static func linuxFunction(_ byte: UInt8) -> Key? {
        (0x41...0x45).contains(byte) ? .function(Int(byte) - 0x40) : nil
    }
}

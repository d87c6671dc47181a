enum InputScanner {
    struct Step {
        var length: Int
        var event: InputEvent?
        var startsPaste = false
        /// Whether the bytes are a sequence that a terminal sends.
        var isKnown = true
        var background: TerminalBackground?
        /// Whether it answers which kind of terminal it is.
        var isKind = false
    }

    enum Introduction { case lone, sequence, string }

    private static let escape: UInt8 = 0x1B
    private static let bell: UInt8 = 0x07
    private static let cancel: UInt8 = 0x18
    private static let interrupt: UInt8 = 0x03
    /// 8-bit forms of `ESC [` and `ESC O`, which can't start a character in UTF-8.
    private static let introducers: [UInt8: UInt8] = [0x9B: UInt8(ascii: "["), 0x8F: UInt8(ascii: "O")]
    /// `ESC P`, `ESC ]`, `ESC ^`, `ESC _` and `ESC X` start strings.
    private static let strings = Set("P]^_X".utf8)

    static func introduction(of pending: [UInt8]) -> Introduction {
        guard pending.count > 1 else { return pending == [escape] ? .lone : .sequence }
        guard pending[0] == escape, strings.contains(pending[1]) else { return .sequence }
        return pending.count == 2 ? .lone : .string
    }

    /// Nil if more bytes are needed.
    static func next(_ bytes: ArraySlice<UInt8>) -> Step? {
        guard let first = bytes.first else { return nil }
        if let second = introducers[first] { return sequence(second, after: bytes.dropFirst(), length: 1) }
        guard first == escape else {
            return character(bytes).map { Step(length: $0.length, event: $0.key.map(InputEvent.key)) }
        }
        guard let second = bytes.dropFirst().first else { return nil }
        if strings.contains(second) {
            var step = string(bytes.dropFirst(2))
            if second == UInt8(ascii: "]"), let length = step?.length {
                let text = bytes.dropFirst(2).prefix(max(0, length - 3)).prefix { $0 >= 0x20 }
                step?.background = TerminalBackground(answer: text)
            }
            return step
        }
        switch second {
        case UInt8(ascii: "["), UInt8(ascii: "O"): return sequence(second, after: bytes.dropFirst(2), length: 2)
        case escape: return Step(length: 1, event: .key(.escape))
        default: return character(bytes.dropFirst()).map { alt($0) }
        }
    }

    /// Alt and a key. Ctrl-C and Ctrl-Z stay what they are, because they must always work.
    private static func alt(_ character: (length: Int, key: Key?)) -> Step {
        switch character.key {
        case .control(let letter): Step(length: 1 + character.length, event: .key(.control(letter)))
        case let key?: Step(length: 1 + character.length, event: .key(.alt(key)))
        case nil: Step(length: 1 + character.length, event: .key(.escape))
        }
    }

    private static func sequence(_ introducer: UInt8, after bytes: ArraySlice<UInt8>, length: Int) -> Step? {
        var step = introducer == UInt8(ascii: "[") ? controlSequence(bytes) : singleShift(bytes)
        step?.length += length
        return step
    }

    /// Parameters (0x30–0x3F), intermediates (0x20–0x2F) and the final byte (0x40–0x7E). A control ends it early.
    private static func controlSequence(_ bytes: ArraySlice<UInt8>) -> Step? {
        if let key = shiftedKey(bytes) { return key }
        guard let end = bytes.prefix(InputDecoder.longestSequence).firstIndex(where: { !(0x20...0x3F).contains($0) })
        else { return unfinished(bytes) }
        let length = end - bytes.startIndex
        let final = bytes[end]
        guard (0x40...0x7E).contains(final) else { return Step(length: length) }
        if length == 0, final == UInt8(ascii: "M") { return oldMouse(bytes.dropFirst()) }
        if length == 0, final == UInt8(ascii: "[") {
            return bytes.dropFirst().first.map {
                Step(length: 2, event: (0x41...0x45).contains($0) ? .key(.function(Int($0) - 0x40)) : nil)
            }
        }
        let sequence = ControlSequence(bytes[..<end], final: final)
        return Step(
            length: length + 1, event: sequence.mouse.map(InputEvent.mouse) ?? sequence.key.map(InputEvent.key),
            startsPaste: sequence.startsPaste, isKind: final == UInt8(ascii: "c") && bytes.first == UInt8(ascii: "?"))
    }

    /// rxvt's keys with Shift: a number and `$`, which is no final byte.
    private static func shiftedKey(_ bytes: ArraySlice<UInt8>) -> Step? {
        let number = bytes.prefix(3).prefix { (0x30...0x39).contains($0) }
        guard !number.isEmpty, bytes.dropFirst(number.count).first == UInt8(ascii: "$") else { return nil }
        let key = ControlSequence(number, final: UInt8(ascii: "$")).key
        return Step(length: number.count + 1, event: key.map(InputEvent.key))
    }

    /// Waits for more, or skips what is too long for a sequence.
    private static func unfinished(_ bytes: ArraySlice<UInt8>) -> Step? {
        bytes.count < InputDecoder.longestSequence ? nil : Step(length: InputDecoder.longestSequence)
    }

    /// xterm's first mouse report: `ESC [ M`, then button, column and row as bytes from 32.
    private static func oldMouse(_ bytes: ArraySlice<UInt8>) -> Step? {
        let report = bytes.prefix(3).prefix { $0 >= 0x20 }
        guard report.count == 3 else { return bytes.count > report.count ? Step(length: 1 + report.count) : nil }
        let numbers = report.map { Int($0) - 32 }
        let event = MouseEvent(button: numbers[0], column: numbers[1], row: numbers[2])
        return Step(length: 4, event: event.map(InputEvent.mouse))
    }

    /// `ESC O`, a modifier in old terminals, and a byte.
    private static func singleShift(_ bytes: ArraySlice<UInt8>) -> Step? {
        let modifiers = bytes.prefix(InputDecoder.longestSequence).prefix {
            (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";")
        }
        guard modifiers.count < InputDecoder.longestSequence, let final = bytes.dropFirst(modifiers.count).first
        else { return unfinished(bytes) }
        guard (0x20...0x7E).contains(final) else { return Step(length: modifiers.count) }
        let key = KeySequence.shifted(final)
        return Step(
            length: modifiers.count + 1, event: key.map(InputEvent.key), isKnown: key != nil || !modifiers.isEmpty)
    }

    /// Up to `ESC \`, its 8-bit form or BEL, which ends strings in xterm. Ctrl-C stays a key.
    private static func string(_ bytes: ArraySlice<UInt8>) -> Step? {
        for index in bytes.prefix(InputDecoder.longestSequence).indices {
            let length = index - bytes.startIndex
            switch bytes[index] {
            case bell, cancel, 0x9C: return Step(length: length + 3)
            case interrupt: return Step(length: length + 2)
            case escape:
                guard let next = bytes[index...].dropFirst().first else { return nil }
                return Step(length: length + (next == UInt8(ascii: "\\") ? 4 : 2))
            default: continue
            }
        }
        return unfinished(bytes).map { Step(length: $0.length + 2) }
    }

    /// Decodes a key from UTF-8 or a control byte. Skips invalid UTF-8 byte by byte.
    private static func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
        guard let first = bytes.first else { return nil }
        guard first >= 0x80 else { return (1, KeySequence.ascii(first)) }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let bytes = bytes.prefix(length)
        let trailing = bytes.dropFirst().prefix { (0x80...0xBF).contains($0) }.count
        if trailing + 1 < length, trailing + 1 == bytes.count { return nil }
        guard length > 1, let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            scalar.properties.generalCategory != .control
        else { return (1 + trailing, nil) }
        return (length, .character(Character(scalar)))
    }
}

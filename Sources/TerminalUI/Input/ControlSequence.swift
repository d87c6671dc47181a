/// A complete control sequence: `ESC [`, parameters, intermediates and a final byte.
struct ControlSequence {
    /// The parameters; each consists of subparameters. Empty ones are nil.
    private let numbers: [[Int?]]
    /// Whether it's a private sequence or has intermediates, as terminals' answers have.
    private let isPrivate: Bool
    private let isMouse: Bool
    private let final: UInt8

    init(_ bytes: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: bytes, as: UTF8.self)
        isMouse = text.hasPrefix("<")
        isPrivate = bytes.contains { (0x3C...0x3F).contains($0) || (0x20...0x2F).contains($0) }
        numbers = text.drop { !$0.isNumber && $0 != ";" }.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        }
        self.final = final
    }

    private func number(_ index: Int, _ part: Int = 0) -> Int? { numbers[at: index]?[at: part] ?? nil }

    var startsPaste: Bool { !isPrivate && final == UInt8(ascii: "~") && number(0) == 200 }

    /// The mouse event of xterm's mode 1006, or of urxvt's mode 1015, whose button counts from 32.
    var mouse: MouseEvent? {
        guard final == UInt8(ascii: "M"), numbers.count == 3, isMouse || !isPrivate, let button = number(0),
            let column = number(1), let row = number(2)
        else { return nil }
        return MouseEvent(button: isMouse ? button : button - 32, column: column, row: row)
    }

    var key: Key? {
        // 3 is the release of a key (kitty).
        guard !isPrivate, number(1, 1) != 3 else { return nil }
        let modifiers = KeyModifiers(parameter: number(1))
        switch final {
        case UInt8(ascii: "u"):
            let text = number(2).flatMap(Self.character)
            return number(0).flatMap {
                KeySequence.coded($0, shifted: number(0, 1), base: number(0, 2), text: text, modifiers)
            }
        // xterm's modifyOtherKeys.
        case UInt8(ascii: "~") where number(0) == 27 && numbers.count > 2:
            return number(2).flatMap { KeySequence.coded($0, shifted: nil, base: nil, text: nil, modifiers) }
        // rxvt has other final bytes for Ctrl and Shift.
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "@"), UInt8(ascii: "$"):
            return number(0).flatMap(KeySequence.numbered).map(modifiers.applied)
        default: return KeySequence.final(final).map(modifiers.applied)
        }
    }

    static func character(_ code: Int) -> Character? {
        guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
            scalar.properties.generalCategory != .control, scalar.properties.generalCategory != .privateUse
        else { return nil }
        return Character(scalar)
    }
}

/// The modifiers of xterm and kitty: a parameter of 1 and a bit for each.
struct KeyModifiers: OptionSet {
    let rawValue: Int

    static let shift = KeyModifiers(rawValue: 1)
    static let alt = KeyModifiers(rawValue: 2)
    static let control = KeyModifiers(rawValue: 4)
    /// The desktop's keys: Super and Hyper.
    static let desktop = KeyModifiers(rawValue: 8 | 16)
    static let meta = KeyModifiers(rawValue: 32)
    static let capsLock = KeyModifiers(rawValue: 64)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(parameter: Int?) { rawValue = max(0, min(parameter ?? 1, 256) - 1) }

    var hasAlt: Bool { contains(.alt) || contains(.meta) }

    /// A key that moves or is an F key ignores modifiers, except Alt with the arrows that move by words in a field.
    func applied(to key: Key) -> Key {
        guard hasAlt else { return key }
        switch key {
        case .character, .control, .left, .right, .backspace, .delete, .enter, .tab: return .alt(key)
        case .escape, .backTab, .up, .down, .home, .end, .pageUp, .pageDown, .function, .alt: return key
        }
    }
}

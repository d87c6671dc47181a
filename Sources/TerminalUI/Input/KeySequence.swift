/// The key codes of xterm, kitty, tmux, screen, rxvt, PuTTY and the Linux console.
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

    /// The key for the final byte of `ESC [ …`. rxvt has lower-case letters for arrows with Shift.
    static func final(_ byte: UInt8) -> Key? { finals[Character(Unicode.Scalar(byte))] }

    private static let finals: [Character: Key] = [
        "A": .up, "a": .up, "B": .down, "b": .down, "C": .right, "c": .right, "D": .left, "d": .left, "H": .home,
        "F": .end, "Z": .backTab, "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]

    /// The key for the byte after `ESC O`: as above, and the keypad in application mode (VT100).
    static func shifted(_ byte: UInt8) -> Key? {
        switch Character(Unicode.Scalar(byte)) {
        case "M": .enter
        case "I": .tab
        case " ": .character(" ")
        case "X": .character("=")
        // * + , - . / and the digits
        case "j"..."y": .character(Character(Unicode.Scalar(byte - 0x40)))
        default: byte == UInt8(ascii: "Z") ? nil : final(byte)
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

    /// The key for a code point with modifiers, as kitty's protocol and xterm's modifyOtherKeys send it.
    /// - Parameter base: the code at this place of a US keyboard, if known.
    static func coded(_ code: Int, shifted: Int?, base: Int?, text: Character?, _ modifiers: KeyModifiers) -> Key? {
        if let key = named(code, modifiers) ?? keypad[at: code - firstOfKeypad] ?? nil {
            return modifiers.applied(to: key)
        }
        guard modifiers.isDisjoint(with: .desktop), let character = ControlSequence.character(code) else { return nil }
        guard modifiers.contains(.control) || modifiers.hasAlt else {
            return .character(text ?? typed(character, shifted: shifted, modifiers))
        }
        let latin = base.flatMap(ControlSequence.character) ?? character
        guard modifiers.contains(.control) else { return .alt(.character(typed(latin, shifted: nil, modifiers))) }
        return control(KeyboardLayout.latin(latin) ?? latin)
    }

    private static func named(_ code: Int, _ modifiers: KeyModifiers) -> Key? {
        switch code {
        case 8, 127: .backspace
        case 9: modifiers.contains(.shift) ? .backTab : .tab
        case 13: .enter
        case 27: .escape
        default: nil
        }
    }

    /// The keys of the numeric keypad in the order of kitty's codes, from ``firstOfKeypad`` on. Insert has no key here.
    private static let keypad: [Key?] =
        "0123456789./*-+".map(Key.character) + [
            .enter, "=", ",", .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, nil, .delete,
        ]
    private static let firstOfKeypad = 57_399

    /// kitty sends the letter without Shift, xterm with it.
    private static func typed(_ character: Character, shifted: Int?, _ modifiers: KeyModifiers) -> Character {
        if modifiers.contains(.shift), let shifted = shifted.flatMap(ControlSequence.character) { return shifted }
        let isUpper = modifiers.contains(.shift) != modifiers.contains(.capsLock)
        return isUpper ? character.uppercased().first ?? character : character
    }

    /// Ctrl and a letter, with the same names as the control bytes: Ctrl-I is Tab, Ctrl-[ is Escape.
    private static func control(_ character: Character) -> Key? {
        let letter = character.lowercased().first ?? character
        guard let byte = letter.asciiValue, (0x5B...0x7A).contains(byte), letter != "`" else { return .control(letter) }
        return ascii(byte & 0x1F)
    }
}

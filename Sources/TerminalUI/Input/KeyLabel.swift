package enum KeyLabel {
    /// The name of the first key, which hints show.
    package static func text(_ keys: [Key], ascii: Bool) -> String { keys.first.map { text($0, ascii: ascii) } ?? "" }

    package static func text(_ key: Key, ascii: Bool = false) -> String {
        switch key {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "Ctrl-\(character.uppercased())"
        case .alt(let key): "Alt-\(text(key, ascii: ascii))"
        case .function(let number): "F\(number)"
        case .up: ascii ? "Up" : "↑"
        case .down: ascii ? "Down" : "↓"
        case .left: ascii ? "Left" : "←"
        case .right: ascii ? "Right" : "→"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .backspace: "Backspace"
        case .delete: "Del"
        }
    }
}

extension Key {
    /// The key without Shift; nil for a key that has no capital letter.
    package var lowercased: Key? {
        typed.flatMap { $0.isUppercase ? $0.lowercased().first.map(Key.character) : nil }
    }
}

extension String {
    /// The text after a key press with the cursor at the end; nil if the key doesn't edit.
    package func edited(by key: Key) -> String? {
        if let character = key.typed { return self + Printable.sanitize(String(character)) }
        return key == .backspace ? String(dropLast()) : key == .control("u") ? "" : nil
    }
}

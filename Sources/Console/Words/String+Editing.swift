import TerminalUI

extension String {
    /// The text after a key press with the cursor at the end; nil if the key doesn't edit.
    func edited(by key: Key) -> String? {
        switch key {
        case .character(let character): self + Printable.sanitize(String(character))
        case .backspace: String(dropLast())
        case .control("u"): ""
        case .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
            .function, .control, .alt:
            nil
        }
    }
}

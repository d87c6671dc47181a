/// Text that must never reach a screen, a log or an error: tokens, codes, verifiers, passwords.
///
/// It prints as `‹redacted›` however it is printed; only ``reveal()`` gives the text, so that each use stands out.
package struct Secret: Sendable, Hashable {
    private let text: String

    package init(_ text: String) { self.text = text }

    package func reveal() -> String { text }

    package var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package static let placeholder = "‹redacted›"
    package var description: String { Self.placeholder }
    package var debugDescription: String { Self.placeholder }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text that must never appear on a screen, in a log or in an error: tokens, codes, verifiers, passwords. It always
/// prints as `‹redacted›`. Only ``reveal()`` returns the text, so that each use is easy to find.
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

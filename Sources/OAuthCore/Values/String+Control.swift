extension String {
    /// Whether the text consists of printable ASCII characters without spaces.
    package var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Whether the text contains a C0 or C1 control character or DEL. Identifiers must not, because readers may
    /// truncate or hide them.
    package var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The text without control characters and bidirectional marks, for server texts in messages.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter {
                    ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }))
    }

    /// The text with an ellipsis in place of the username and password of each URL.
    package var withoutURLPasswords: String {
        contains("@") ? replacing(#/:\/\/[^\/?#\s]+@/#, with: "://\u{2026}@") : self
    }
}

extension String {
    package var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Identifiers must have none, because readers may truncate or hide them.
    package var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// The text without control characters and bidirectional marks, for server texts in messages.
    package var withoutControls: String {
        let hidden: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        return String(
            String.UnicodeScalarView(unicodeScalars.filter { !hidden.contains($0.properties.generalCategory) }))
    }

    /// The text with an ellipsis in place of the username and password of each URL.
    package var withoutURLPasswords: String {
        contains("@") ? replacing(#/:\/\/[^\/?#\s]+@/#, with: "://\u{2026}@") : self
    }
}

extension UInt8 {
    package var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether URLs have the character as it is (RFC 3986 §2.3).
    var isUnreserved: Bool { isASCIILetter || isDigit || "-._~".utf8.contains(self) }
}

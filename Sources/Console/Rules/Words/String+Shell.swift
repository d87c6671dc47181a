extension String {
    /// The text as one word of a shell, inside a command that is already in single quotes.
    package var quotedForShell: String {
        let isPlain = utf8.allSatisfy { byte in
            byte > 0x7F || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || "-_./:@%+=,".utf8.contains(byte)
        }
        guard !isPlain || isEmpty else { return self }
        return "\"\(map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined())\""
    }
}

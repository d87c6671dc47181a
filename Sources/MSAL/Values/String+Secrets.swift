import OAuthCore

/// Finds secrets in texts.
extension String {
    var withoutInvisibles: String {
        String(
            String.UnicodeScalarView(
                withoutControls.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    }

    /// The text without JOSE objects in compact form. Their headers are JSON objects, which start with `eyJ` (RFC 7515
    /// §7.1).
    var withoutJWTs: String {
        var shown = ""
        var rest = self[...]
        while let start = rest.range(of: "eyJ") {
            let tail = rest[start.lowerBound...]
            let header = tail.prefix(while: Self.isBase64URL)
            let isToken = header.utf8.count >= 8 && tail[header.endIndex...].first == "."
            let token = isToken ? tail.prefix { $0 == "." || Self.isBase64URL($0) } : header
            shown += rest[..<start.lowerBound] + (isToken ? Secret.placeholder[...] : header)
            rest = rest[token.endIndex...]
        }
        return shown + rest
    }

    private static func isBase64URL(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }

    /// The text without the values of secret parameters, such as `refresh_token='…'`, also if they are short or GUIDs. A
    /// value without a digit in its first 64 characters is a word, as in "refresh_token: expired".
    ///
    /// No part of a name is tried again, and the search for a digit is bounded, because the text is a server's: the time would
    /// grow with the square of a megabyte of letters.
    var withoutNamedSecrets: String {
        replacing(
            #/(^|[^A-Za-z_])([A-Za-z_]++)(["')\s]*+[=:][("'\s]*+)(?=[^\s"'(),;]{6})[^\s"'(),;]{0,64}?[0-9][^\s"'(),;]*+/#
        ) { match in
            WireParameter.isSecret(inText: String(match.2))
                ? match.1 + match.2 + match.3 + Secret.placeholder : match.0
        }
    }

    /// The text without mail addresses.
    var withoutMailAddresses: String {
        guard contains("@") else { return self }
        var shown = ""
        var rest = self[...]
        while !rest.isEmpty {
            let word = rest.prefix { !Self.isAroundAddress($0) }
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            let hasAddress = zip(parts, parts.dropFirst()).contains { !$0.isEmpty && !$1.isEmpty }
            shown += hasAddress ? Privacy.personalPlaceholder[...] : word
            rest = rest[word.endIndex...]
            let between = rest.prefix(while: Self.isAroundAddress)
            shown += between
            rest = rest[between.endIndex...]
        }
        return shown
    }

    private static func isAroundAddress(_ character: Character) -> Bool {
        character.isWhitespace || "'\"<>()[],;:".contains(character)
    }
}

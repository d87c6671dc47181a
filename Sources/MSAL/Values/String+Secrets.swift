import OAuthCore

extension String {
    var withoutInvisibles: String {
        String(
            String.UnicodeScalarView(
                withoutControls.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    }

    /// Without JOSE objects in compact form, whose headers start with `eyJ` (RFC 7515 §7.1).
    var withoutJWTs: String {
        guard contains("eyJ") else { return self }
        var shown = ""
        var rest = self[...]
        while !rest.isEmpty {
            let between = rest.prefix { !Self.isOfJWT($0) }
            let word = rest[between.endIndex...].prefix(while: Self.isOfJWT)
            shown += between + (Self.startOfJWT(in: word).map { word[..<$0] + Secret.placeholder } ?? word)
            rest = rest[word.endIndex...]
        }
        return shown
    }

    /// Where a header of plausible length begins that has a part after it.
    private static func startOfJWT(in word: Substring) -> Index? {
        for part in word.split(separator: ".", omittingEmptySubsequences: false).dropLast() {
            if let start = part.firstRange(of: "eyJ")?.lowerBound, part[start...].utf8.count >= 8 { return start }
        }
        return nil
    }

    private static func isOfJWT(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }

    /// The text without the values of secret parameters, such as `refresh_token='…'`, also if they are short or GUIDs.
    /// A value without a digit in its first 64 characters is a word, as in "refresh_token: expired". No part of a name
    /// is tried again, and the search for a digit is bounded, because the text is a server's: the time would grow with
    /// the square of a megabyte of letters.
    var withoutNamedSecrets: String {
        replacing(
            #/
            (^|[^A-Za-z_]) ([A-Za-z_]++)
            (["'\\)\s]*+ [=:] (?:["'(\\\s]|(?i:basic|bearer|dpop|negotiate)\s)*+)
            (?=(?:[^\s"'(),;\\]|\\(?!["'])){6}) (?:[^\s"'(),;\\]|\\(?!["'])){0,64}? [0-9]
            (?:[^\s"'(),;\\]|\\(?!["']))*+
            /#
        ) { match in
            WireParameter.isSecret(inText: String(match.2)) ? match.1 + match.2 + match.3 + Secret.placeholder : match.0
        }
    }

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

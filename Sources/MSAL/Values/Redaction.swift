import Foundation
import OAuthCore

/// Removes secrets from unstructured text: tokens by their format, and every secret the flow has sent or received. Of a
/// server's own text also everything that could be a secret (``shown(_:atMost:sparing:)``).
struct Redaction: Sendable, Equatable {
    /// Minimum length of a secret to search for. Shorter values would match ordinary words.
    static let shortestEcho = 6

    private(set) var known: Set<String> = []

    mutating func learn(_ secret: String) {
        guard secret.utf8.count >= Self.shortestEcho else { return }
        known.insert(secret)
        known.insert(Parameters(dictionaryLiteral: ("", secret)).formEncoded.dropFirst().description)
    }

    func redacted(_ text: String) -> String {
        // Invisible characters, which are removed before display, could otherwise split a secret.
        let bare = text.withoutInvisibles
        let text = known.contains { bare.contains($0) } ? bare : text
        // Longest first, because one secret can contain another.
        return known.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
            .reduce(text) { $0.contains($1) ? $0.replacing($1, with: Secret.placeholder) : $0 }
            .withoutJWTs
    }

    /// Text of a server as it is shown: on one line, without secrets and random runs, and not long. This is the one way from a
    /// server's response into an error.
    ///
    /// - Parameter spared: a value of the request that isn't secret, although it may look random: the client ID.
    func shown(_ text: String, atMost length: Int = Self.longestServerText, sparing spared: String? = nil) -> String {
        // A long run of spaces could imitate a new line of the terminal.
        let line = redacted(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        // The prefix bounds the work.
        return String(line.prefix(Self.longestLoggedText)).withoutNamedSecrets.withoutRandomRuns(sparing: spared)
            .beginning(length)
    }

    /// The limits of a server's text in characters: in an error, and in the log.
    static let longestServerText = 300
    static let longestLoggedText = 16_384

    /// Redacts a JSON value, including members with secret names, and removes members of the `hidden` kinds.
    func redacted(_ value: JSONValue, isPublic: Bool, hiding hidden: Set<MSALFlowParameter.Kind>) -> JSONValue {
        switch value {
        case .string(let text): .string(redacted(text))
        case .array(let elements): .array(elements.map { redacted($0, isPublic: isPublic, hiding: hidden) })
        case .object(let members):
            .object(
                Dictionary(
                    members.map { name, value in
                        let kind = ParameterNames.kind(of: name, in: .responseBody, isPublic: isPublic)
                        let placeholder = kind == .personal ? String.personalPlaceholder : Secret.placeholder
                        return (
                            redacted(name),
                            hidden.contains(kind)
                                ? .string(placeholder) : redacted(value, isPublic: isPublic, hiding: hidden)
                        )
                    }, uniquingKeysWith: { first, _ in first }))
        case .null, .bool, .integer, .large, .number: value
        }
    }
}

extension String {
    var withoutInvisibles: String {
        String(
            String.UnicodeScalarView(
                withoutControls.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    }

    /// The text without JOSE objects in compact form. Their headers are JSON objects, which start with `eyJ` (RFC 7515
    /// §7.1).
    fileprivate var withoutJWTs: String {
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
    /// value without a digit is a word, as in "refresh_token: expired".
    fileprivate var withoutNamedSecrets: String {
        replacing(#/([A-Za-z_]+)(["')\s]*[=:][("'\s]*)(?=[^\s"'(),;]{6})[^\s"'(),;]*[0-9][^\s"'(),;]*/#) { match in
            let name = match.1.lowercased()
            let isSecret = ParameterNames.secret.contains(name) && (name.contains("_") || name == "password")
            return isSecret ? match.1 + match.2 + Secret.placeholder : match.0
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
            shown += hasAddress ? Self.personalPlaceholder[...] : word
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

    static let personalPlaceholder = "‹personal›"
}

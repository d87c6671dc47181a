/// A challenge of a resource: one scheme of `WWW-Authenticate` with its parameters (RFC 9110 §11.6.1).
package struct Challenge: Sendable, Equatable {
    package static let maximumBytes = 64 * 1024
    package static let maximumParameters = 64

    /// In the server's spelling, such as `Bearer`.
    package var scheme: String
    /// The parameters in order, with names in lower case. A name can occur more than once.
    package var parameters: Parameters = [:]

    package init(_ scheme: String, _ parameters: Parameters = [:]) {
        (self.scheme, self.parameters) = (scheme, parameters)
    }

    package enum Malformed: Error, Sendable, Equatable {
        case tooLong
        case tooManyParameters
        case noBearer

        package var reason: String {
            switch self {
            case .tooLong: "The challenge is longer than \(Challenge.maximumBytes / 1024) KiB."
            case .tooManyParameters: "The challenge has more than \(Challenge.maximumParameters) parameters."
            case .noBearer: "It contains no Bearer challenge, so an OAuth token can't satisfy it."
            }
        }
    }

    /// Parses the values of all `WWW-Authenticate` fields of a response. Accepts common mistakes of servers: blanks
    /// around `=`, stray commas, single quotes and unquoted values.
    package static func parse(_ fields: [String]) throws(Malformed) -> [Challenge] {
        guard fields.reduce(0, { $0 + $1.utf8.count }) <= maximumBytes else { throw .tooLong }
        let challenges = fields.flatMap { ChallengeScanner.read($0).challenges }
        let count = challenges.reduce(0) { $0 + $1.parameters.pairs.count }
        guard count <= maximumParameters else { throw .tooManyParameters }
        return challenges
    }

    /// A mistake that ``parse(_:)`` accepts, but other clients may not (RFC 9110 §11.2 and §11.6.1).
    package enum Mistake: String, Sendable, CaseIterable {
        case strayComma = "a comma after the scheme"
        case missingComma = "no comma between two parameters"
        case singleQuotes = "single quotation marks"
        case unquoted = "a value that needs quotation marks"
        case unescaped = "quotation marks inside a value without \\"
        case unterminated = "no closing quotation mark"
        case strayQuote = "a quotation mark outside a value"
    }

    package static func mistakes(in fields: [String]) -> [Mistake] {
        let mistakes = fields.filter { $0.utf8.count <= maximumBytes }.flatMap { ChallengeScanner.read($0).mistakes }
        return Mistake.allCases.filter(mistakes.contains)
    }

    /// The values of the `WWW-Authenticate` lines of a text, such as the output of `curl -i`, or the whole text.
    package static func fields(in text: String) -> [String] {
        let name = "www-authenticate:"
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.lowercased().hasPrefix(name) }
        guard !lines.isEmpty else { return [text.trimmed] }
        return lines.map { String($0.dropFirst(name.count)).trimmed }
    }

    package var isBearer: Bool { scheme.lowercased() == "bearer" }
    package var isDPoP: Bool { scheme.lowercased() == "dpop" }
    package var error: String? { parameters["error"] }
    package var errorDescription: String? { parameters["error_description"] }

    /// The scopes that the resource requires (RFC 6750 §3).
    package var scopes: Scopes { Scopes(parsing: parameters["scope"] ?? "") }

    /// The authentication contexts that the resource accepts, best first (RFC 9470 §3).
    package var acrValues: String? { parameters["acr_values"].flatMap { $0.isEmpty ? nil : $0 } }

    /// The maximum age of the user's authentication in seconds (RFC 9470 §3). `nil` if missing or not a number.
    package var maximumAge: Int? { parameters["max_age"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }

    /// The addresses of the resource's metadata, in order (RFC 9728 §5.1).
    package var resourceMetadata: [String] { parameters.pairs.filter { $0.name == "resource_metadata" }.map(\.value) }

    /// The claims to request, or `nil` without the parameter (docs/differences.md).
    package func claims() throws(ClaimsRequest.Malformed) -> ClaimsRequest? {
        guard let text = parameters["claims"], !text.isEmpty else { return nil }
        return try ClaimsRequest(challenge: text)
    }

    /// Whether only a new sign-in helps, because a refresh can't renew the user's authentication (RFC 9470 §4).
    package var requestsStepUp: Bool { error == "insufficient_user_authentication" || acrValues != nil }

    package var rejectsToken: Bool { error == "invalid_token" }
}

extension [Challenge] {
    /// The challenge to meet: the first with the scheme Bearer.
    package func bearer() throws(Challenge.Malformed) -> Challenge {
        guard let challenge = first(where: \.isBearer) else { throw .noBearer }
        return challenge
    }

    /// Whether the resource accepts only tokens that are bound to a key (RFC 9449 §7.1).
    package var requiresDPoP: Bool { contains(where: \.isDPoP) && !contains(where: \.isBearer) }
}

/// Splits the value of one `WWW-Authenticate` field into challenges.
private struct ChallengeScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var found: [Challenge] = []
    private var mistakes: Set<Challenge.Mistake> = []

    private init(_ field: String) { bytes = Array(field.utf8) }

    static func read(_ field: String) -> (challenges: [Challenge], mistakes: Set<Challenge.Mistake>) {
        var scanner = ChallengeScanner(field)
        scanner.scan()
        return (scanner.found, scanner.mistakes)
    }

    private mutating func scan() {
        // Whether the last word was a scheme, with only blanks since: a token68 can follow.
        var (followsScheme, followsParameter) = (false, false)
        while true {
            let hadComma = readBytes { Self.isBlank($0) || $0 == Self.comma }.contains(Self.comma)
            guard index < bytes.count else { return }
            let word = text(readBytes { !Self.isWordBoundary($0) })
            let blanks = readBytes(Self.isBlank)
            if peek == UInt8(ascii: "=") {
                index += 1
                // A token68 ends with its padding.
                if peek == UInt8(ascii: "=") {
                    _ = readBytes { $0 == UInt8(ascii: "=") }
                } else {
                    if followsScheme, hadComma { mistakes.insert(.strayComma) }
                    if followsParameter, !hadComma { mistakes.insert(.missingComma) }
                    _ = readBytes(Self.isBlank)
                    if let value = value(), !word.isEmpty, let last = found.indices.last {
                        found[last].parameters.append(word.lowercased(), value)
                    }
                }
                (followsScheme, followsParameter) = (false, true)
            } else if word.isEmpty {
                mistakes.insert(.strayQuote)
                index += 1
            } else if followsScheme, !hadComma, peek == nil || peek == Self.comma, blanks.isEmpty {
                followsScheme = false
            } else {
                found.append(Challenge(word))
                (followsScheme, followsParameter) = (true, false)
            }
        }
    }

    /// `nil` for a value whose quotation mark is missing at the end. The rest is then part of it.
    private mutating func value() -> String? {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = readBytes { !Self.isBlank($0) && $0 != Self.comma }
            if value.isEmpty || !value.allSatisfy(Self.isTokenByte) { mistakes.insert(.unquoted) }
            return text(value)
        }
        if quote == UInt8(ascii: "'") { mistakes.insert(.singleQuotes) }
        index += 1
        if let object = unescapedObject(quote) {
            mistakes.insert(.unescaped)
            return object
        }
        var value: [UInt8] = []
        while let byte = peek {
            index += 1
            if byte == quote { return text(value) }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let next = peek {
                value.append(next)
                index += 1
            } else {
                value.append(byte)
            }
        }
        mistakes.insert(.unterminated)
        return nil
    }

    /// A JSON object whose quotation marks aren't escaped, to its closing brace.
    private mutating func unescapedObject(_ quote: UInt8) -> String? {
        guard peek == UInt8(ascii: "{"), index + 1 < bytes.count, bytes[index + 1] == quote else { return nil }
        var depth = 0
        for end in index..<bytes.count {
            if bytes[end] == UInt8(ascii: "{") { depth += 1 }
            if bytes[end] == UInt8(ascii: "}") { depth -= 1 }
            guard depth == 0 else { continue }
            defer { index = min(end + 2, bytes.count) }
            return text(Array(bytes[index...end]))
        }
        return nil
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func readBytes(_ isPart: (UInt8) -> Bool) -> [UInt8] {
        let start = index
        while let byte = peek, isPart(byte) { index += 1 }
        return Array(bytes[start..<index])
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let comma = UInt8(ascii: ",")

    /// A character of a token (RFC 9110 §5.6.2).
    fileprivate static func isTokenByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""(),/:;<=>?@[\]{}"#.utf8.contains(byte)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isWordBoundary(_ byte: UInt8) -> Bool {
        isBlank(byte) || [comma, UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'")].contains(byte)
    }
}

extension StringProtocol {
    /// Whether it can be the name of a header field (RFC 9110 §5.1).
    package var isFieldName: Bool { !isEmpty && utf8.allSatisfy(ChallengeScanner.isTokenByte) }
}

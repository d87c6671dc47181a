import Foundation

/// What the user pasted as a response: a URL, also one that is wrapped, quoted, in a sentence, escaped (for a URL or HTML)
/// or without its scheme, a query alone, a code with its state (`code#state`), or a code alone. The `state` is checked later.
package enum PastedResponse: Sendable, Equatable {
    case address(URL)
    /// A code without its URL, which may belong to any sign-in. With the state if that was pasted with it.
    case bareCode(Secret, state: Secret? = nil)
    case unusable(Reason)

    package enum Reason: Error, Sendable, Equatable {
        case nothing
        case tooLong(limit: Int)
        case authorizationRequest
        case anotherAddress
        case withoutResponse
        case token
        case text
        /// A response without `state`, with its OAuth error if it is one.
        case withoutState(error: String?)
        case otherSignIn
    }

    package init(_ pasted: String, redirectURI: RedirectURI) {
        guard pasted.utf8.count <= AuthorizationResponse.maximumLength else {
            self = .unusable(.tooLong(limit: AuthorizationResponse.maximumLength))
            return
        }
        let text = PastedText(pasted)
        self = Self.judge(text, redirectURI)
        if case .address = self { return }
        if let decoded = text.decoded, case .address(let url) = Self.judge(decoded, redirectURI) {
            self = .address(url)
        }
    }

    private static func judge(_ text: PastedText, _ redirectURI: RedirectURI) -> PastedResponse {
        let near = text.address(at: redirectURI)
        if let address = near, redirectURI.accepts(address) { return judge(address) }
        if let other = text.anyAddress ?? near { return .unusable(reason(for: other)) }
        if let (code, state) = text.codeAndState { return .bareCode(Secret(code), state: Secret(state)) }
        return judge(word: text.onlyWord, isEmpty: text.isEmpty)
    }

    private static func judge(_ address: URL) -> PastedResponse {
        let parameters = AuthorizationResponse.parameters(of: address)
        if parameters["access_token"] != nil || parameters["id_token"] != nil { return .unusable(.token) }
        let isResponse = ["code", "error"].contains { parameters[$0]?.isEmpty == false }
        return isResponse ? .address(address) : .unusable(.withoutResponse)
    }

    private static func reason(for address: URL) -> Reason {
        let parameters = AuthorizationResponse.parameters(of: address)
        if parameters["response_type"] != nil, parameters["client_id"] != nil { return .authorizationRequest }
        return .anotherAddress
    }

    private static func judge(word: String?, isEmpty: Bool) -> PastedResponse {
        guard let word else { return .unusable(isEmpty ? .nothing : .text) }
        // A JWT starts with `{"`, which is `eyJ` in base64url.
        if word.hasPrefix("eyJ"), word.count(where: { $0 == "." }) >= 2 { return .unusable(.token) }
        // Codes are long and random. Short words of letters and texts with a colon aren't codes.
        let isWord = word.contains(":") || (word.count < 16 && word.allSatisfy(\.isLetter))
        return isWord || word.count < 6 ? .unusable(.text) : .bareCode(Secret(word.removingPercentEncoding ?? word))
    }
}

/// Pasted text without the decoration that terminals, shells and writers add to a URL.
private struct PastedText {
    private let text: String

    init(_ pasted: String) {
        let whole = Self.additions.reduce(pasted) { $0.replacing($1.written, with: $1.meant) }
        // Remove backslashes, which URLs don't contain but shells add.
        let remaining = whole.unicodeScalars.filter { scalar in
            ["\n", "\r", "\t"].contains(scalar)
                || (scalar != "\\" && ![.control, .format].contains(scalar.properties.generalCategory))
        }
        text = String(String.UnicodeScalarView(remaining)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The marks of a terminal around a paste (bracketed paste), and the escapes of HTML and JSON for `&`.
    private static let additions = [
        ("\u{1B}[200~", ""), ("\u{1B}[201~", ""), ("&amp;", "&"), ("&#38;", "&"), ("&#x26;", "&"), ("\\u0026", "&"),
    ].map { (written: $0, meant: $1) }

    var isEmpty: Bool { text.isEmpty }

    /// The text without the escapes of a URL (RFC 3986 §2.1), as another URL contains it; nil if it has none.
    var decoded: PastedText? {
        guard text.contains("%"), let plain = text.removingPercentEncoding else { return nil }
        return PastedText(plain)
    }

    /// The parts of `code#state`, which pages show that can't redirect.
    var codeAndState: (code: String, state: String)? {
        guard let parts = onlyWord?.split(separator: "#", omittingEmptySubsequences: false), parts.count == 2,
            parts.allSatisfy({ $0.count >= 6 && !$0.contains { ":?&/".contains($0) } })
        else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// The URL at the redirect URI's host, with or without its scheme, or made from its query alone.
    func address(at redirect: RedirectURI) -> URL? {
        let whole = "\(redirect.url.lowercasedScheme)://"
        let authority = redirect.url.origin.dropFirst(whole.count)
        if let range = text.range(of: whole + authority, options: .caseInsensitive) {
            return URL(string: joined(from: range.lowerBound))
        }
        if !authority.isEmpty, let range = text.range(of: authority, options: [.caseInsensitive, .anchored]),
            text[range.upperBound...].first.map({ "/?#".contains($0) }) == true
        {
            return URL(string: whole + joined(from: text.startIndex))
        }
        return query.flatMap { URL(string: Self.base(redirect.url) + "?" + $0) }
    }

    var anyAddress: URL? {
        var rest = text.startIndex
        // Searches backwards from each `://`. Trying a scheme at each letter would take quadratic time for a long word.
        while let mark = text.range(of: "://", range: rest..<text.endIndex) {
            let before = text[rest..<mark.lowerBound]
            let name = before.suffix(before.reversed().prefix(while: Self.isOfScheme).count)
            if let start = name.firstIndex(where: \.isLetter) { return URL(string: joined(from: start)) }
            rest = mark.upperBound
        }
        return nil
    }

    /// Whether a scheme can contain the character (RFC 3986 §3.1).
    private static func isOfScheme(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+.-".contains(character))
    }

    /// The text if it is a single word, ignoring line breaks.
    var onlyWord: String? {
        let start = text.firstIndex { !Self.quotes.contains($0) } ?? text.endIndex
        let word = joined(from: start)
        let isAll = text[start...].filter { !$0.isWhitespace && !Self.quotes.contains($0) }.count == word.count
        // Codes can end in base64's padding. Other words with the sign are parameters without a value.
        let mayBePadded = word.count >= 16 && !word.contains { "?&".contains($0) }
        let rest = word.reversed().drop { mayBePadded && $0 == "=" }
        return word.isEmpty || !isAll || rest.contains("=") ? nil : word
    }

    /// The query of a response. Browsers show it separately, so users may copy only this part.
    private var query: String? {
        let start = text.firstIndex { !"?#".contains($0) && !Self.quotes.contains($0) } ?? text.endIndex
        let query = joined(from: start)
        let names = Parameters(formEncoded: query)
        let isResponse = names["state"] != nil && (names["code"] != nil || names["error"] != nil)
        return isResponse && !query.contains("://") ? query : nil
    }

    /// The rest of a URL. Line breaks from the terminal are removed; a space or a line with another URL ends it.
    private func joined(from start: String.Index) -> String {
        var result = ""
        for (number, line) in text[start...].split(whereSeparator: \.isNewline).enumerated() {
            let line = number == 0 ? line[...] : line.drop { $0 == " " || $0 == "\t" }
            if number > 0, line.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:\/\//#) != nil { break }
            let part = line.prefix { !$0.isWhitespace && !Self.isDelimiter($0) }
            if number > 0, part.count < line.count, line.dropFirst(part.count).contains(where: \.isLetter) { break }
            result += part
            if part.count < line.count { break }
        }
        while let last = result.last, ".,;:!)".contains(last) { result.removeLast() }
        return result
    }

    private static let quotes: Set<Character> = ["'", "\"", "`", "‘", "’", "“", "”", "<", "(", "$"]
    private static let delimiters: Set<Unicode.Scalar> = ["'", "\"", "`", "’", "”", "<", ">"]

    /// Whether the character ends a URL, even with a combining mark, which a URL doesn't contain.
    private static func isDelimiter(_ character: Character) -> Bool {
        character.unicodeScalars.contains(where: delimiters.contains)
    }

    private static func base(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}

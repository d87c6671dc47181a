import Foundation

/// What a person pasted because the browser could not bring its answer back by itself.
///
/// People paste what they see: an address that a terminal broke into lines, with the shell's quotes or a sentence around
/// it, without the scheme that browsers hide, its query alone, or only the code. All of that is understood. Whether an
/// address is the answer to *this* sign-in is not judged here: its `state` is, where it is delivered.
package enum PastedResponse: Sendable, Equatable {
    /// An address at the redirect URI, with a code or an error.
    case address(URL)
    /// A code alone: nothing says which sign-in it is of.
    case bareCode(Secret)
    case unusable(Reason)

    /// What it is instead.
    package enum Reason: Error, Sendable, Equatable {
        case nothing
        case tooLong(limit: Int)
        /// The page that the person was to open.
        case authorizationRequest
        /// An address elsewhere; its host, `nil` when it has none.
        case anotherAddress(host: String?)
        /// The right address, with neither a code nor an error.
        case withoutAnswer
        case token
        /// Words.
        case text
        /// The answer to another sign-in than the one that waits.
        case otherSignIn
    }

    package init(_ pasted: String, redirectURI: RedirectURI) {
        guard pasted.utf8.count <= AuthorizationResponse.maximumLength else {
            self = .unusable(.tooLong(limit: AuthorizationResponse.maximumLength))
            return
        }
        let text = PastedText(pasted)
        let near = text.address(at: redirectURI)
        if let address = near, redirectURI.accepts(address) {
            self = Self.judge(address)
        } else if let other = text.anyAddress ?? near {
            self = .unusable(Self.reason(for: other))
        } else {
            self = Self.judge(word: text.onlyWord, isEmpty: text.isEmpty)
        }
    }

    private static func judge(_ address: URL) -> PastedResponse {
        let parameters = AuthorizationResponse.parameters(of: address)
        if parameters["access_token"] != nil || parameters["id_token"] != nil { return .unusable(.token) }
        let answers = ["code", "error"].contains { parameters[$0]?.isEmpty == false }
        return answers ? .address(address) : .unusable(.withoutAnswer)
    }

    private static func reason(for address: URL) -> Reason {
        let parameters = AuthorizationResponse.parameters(of: address)
        if parameters["response_type"] != nil, parameters["client_id"] != nil { return .authorizationRequest }
        return .anotherAddress(host: address.lowercasedHost.isEmpty ? nil : address.lowercasedHost)
    }

    private static func judge(word: String?, isEmpty: Bool) -> PastedResponse {
        guard let word else { return .unusable(isEmpty ? .nothing : .text) }
        // A JWT begins with `{"`, which base64url writes as eyJ.
        if word.hasPrefix("eyJ"), word.count(where: { $0 == "." }) >= 2 { return .unusable(.token) }
        // Codes are long and random; a short word of letters is a word, and what has a colon is some address.
        let isWord = word.contains(":") || (word.count < 16 && word.allSatisfy(\.isLetter))
        return isWord || word.count < 6 ? .unusable(.text) : .bareCode(Secret(word))
    }
}

/// Pasted text without what terminals, shells and writers put around an address.
private struct PastedText {
    private let text: String

    init(_ pasted: String) {
        // No address holds a backslash; shells write one before each character that means something to them.
        let kept = pasted.unicodeScalars.filter { scalar in
            scalar == "\n" || scalar == "\r" || scalar == "\t"
                || (scalar != "\\" && scalar.properties.generalCategory != .control
                    && scalar.properties.generalCategory != .format)
        }
        text = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var isEmpty: Bool { text.isEmpty }

    /// The address at the redirect URI's host, with or without its scheme, or made of its query alone.
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

    /// Some other address.
    var anyAddress: URL? {
        text.firstMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:\/\//#).flatMap {
            URL(string: joined(from: $0.range.lowerBound))
        }
    }

    /// The text, when it is one word, whatever lines it was broken into.
    var onlyWord: String? {
        let start = text.firstIndex { !Self.quotes.contains($0) } ?? text.endIndex
        let word = joined(from: start)
        let isAll = text[start...].filter { !$0.isWhitespace && !Self.quotes.contains($0) }.count == word.count
        return word.isEmpty || !isAll || word.contains("=") ? nil : word
    }

    /// A query that answers: browsers show it apart from the address, and people copy what looks like the answer.
    private var query: String? {
        let start = text.firstIndex { !"?#".contains($0) && !Self.quotes.contains($0) } ?? text.endIndex
        let query = joined(from: start)
        let names = Parameters(formEncoded: query)
        let answers = names["state"] != nil && (names["code"] != nil || names["error"] != nil)
        return answers && !query.contains("://") ? query : nil
    }

    /// From there to the end of the address. A line break in it is the terminal's, a blank ends it.
    private func joined(from start: String.Index) -> String {
        var result = ""
        for (number, line) in text[start...].split(whereSeparator: \.isNewline).enumerated() {
            let line = number == 0 ? line[...] : line.drop { $0 == " " || $0 == "\t" }
            let part = line.prefix { !$0.isWhitespace && !Self.ends.contains($0) }
            if number > 0, part.count < line.count, line.dropFirst(part.count).contains(where: \.isLetter) { break }
            result += part
            if part.count < line.count { break }
        }
        while let last = result.last, ".,;:!)".contains(last) { result.removeLast() }
        return result
    }

    private static let quotes: Set<Character> = ["'", "\"", "`", "‘", "’", "“", "”", "<", "(", "$"]
    private static let ends: Set<Character> = ["'", "\"", "`", "’", "”", "<", ">"]

    private static func base(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}

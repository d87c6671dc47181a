import OAuthCore

/// An error that `keyturn` printed: as text, as JSON, or as its screens copy it. It names its cause itself.
struct OwnError: Sendable, Equatable {
    let outcome: String
    /// All without text of a server.
    let sentences: String
    let nextStep: String
    /// Whether the server named an error, which follows its description in parentheses or stands alone.
    private let isRejection: Bool
    let lines: ClosedRange<Int>

    private init?(_ headline: String, _ description: String, _ nextStep: String, lines: ClosedRange<Int>) {
        outcome = Self.masked(headline)
        // A redacted copy has an ellipsis instead of the sentences.
        guard !outcome.isEmpty, !outcome.hasPrefix("\u{2026}") else { return nil }
        let isRepeated = description.hasPrefix(headline.trimmingSuffix("."))
        sentences = Self.masked(isRepeated ? description : "\(headline) \(description)")
        let rejection = #/\([A-Za-z0-9_.]+\)\.?$|: [a-z_]+\.$|AADSTS|AADB2C/#
        isRejection = [headline, description].contains { $0.firstMatch(of: rejection) != nil }
        self.nextStep = nextStep.isEmpty ? "The error says what to change." : Self.masked(nextStep)
        self.lines = lines
    }

    /// Hides values. A server's description follows the sentence that introduces it.
    private static func masked(_ text: String) -> String {
        let introduction = #/Request rejected: |Sign-in required: |Its message: |\(HTTP [0-9]+\): /#
        let text = text.prefix(mostCharacters)
        let own = text.firstRange(of: introduction).map { text[..<$0.upperBound].dropLast(2) + "." } ?? text
        return Masking().text(String(own).withoutControls.trimmingCharacters(in: .whitespaces))
    }

    struct Finder {
        static let marks: [LogFile.Mark] = [text, json, copied]
        private static let text = LogFile.Mark.text("keyturn: ")
        private static let json = LogFile.Mark.text("\"headline\"")
        private static let copied = LogFile.Mark.text("\nWhy: ")

        private var last: (mark: LogFile.Mark, place: Int, first: Int, end: Int)?

        mutating func note(_ mark: LogFile.Mark, at range: Range<Int>, _ line: Int, in bytes: [UInt8]) {
            if mark == Self.text {
                guard !bytes[range.upperBound...].starts(with: Array("log: ".utf8)) else { return }
                // A line for each mistake in the configuration.
                if let last, last.mark == mark, last.end + 1 == line {
                    self.last?.end = line
                    return
                }
            }
            last = (mark, range.lowerBound, line, line)
        }

        func error(in bytes: [UInt8]) -> OwnError? {
            guard let last else { return nil }
            let start = bytes[..<last.place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let rest = String(decoding: bytes[start...].prefix(OwnError.mostBytes), as: UTF8.self)
            let lines = rest.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            switch last.mark {
            case Self.text: return OwnError(text: lines, column: last.place - start, from: last.first)
            case Self.json:
                let line = String(lines.first.map { $0.drop { $0 != "{" } } ?? "")
                if let error = OwnError(json: line, lines: last.first...last.first) { return error }
                guard bytes.count <= OwnError.mostBytes else { return nil }
                let all = String(decoding: bytes, as: UTF8.self)
                return OwnError(
                    json: all, lines: 1...all.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
                )
            default: return OwnError(copied: lines, from: last.first)
            }
        }
    }

    private static let mostBytes = 32 << 10
    /// The longest sentences that the program prints (``MSAL/Failure``).
    private static let mostCharacters = 4096

    /// - Parameter column: the length of what precedes each line, for example a journal's time.
    private init?(text lines: [Substring], column: Int, from first: Int) {
        func line(_ text: Substring) -> Substring? { text.utf8.count > column ? text.dropFirst(column) : nil }
        let own = lines.map { line($0) ?? "" }
        let headlines = own.prefix { $0.hasPrefix("keyturn: ") }.map { $0.dropFirst(9) }
        let rest = own.dropFirst(headlines.count).prefix { $0.hasPrefix("         ") }
        let (headline, body) = Self.unwrapped(headlines.joined(separator: " "), rest)
        guard column == 0 || !rest.isEmpty else { return nil }
        let last = body.last ?? ""
        let hasNumbers = last.hasPrefix("(") && last.hasSuffix(")") && last.contains(where: \.isNumber)
        let told = hasNumbers ? body.dropLast() : body[...]
        self.init(
            headline, told.dropLast().joined(separator: " "), told.last ?? "",
            lines: first...first + max(0, headlines.count + rest.count - 1))
    }

    /// The headline and the indented lines without the line breaks of a terminal, whose lines continue further right.
    private static func unwrapped(_ headline: String, _ rest: ArraySlice<Substring>) -> (String, [String]) {
        var lines = [headline]
        for line in rest {
            let text = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("           "), let last = lines.popLast() {
                lines.append("\(last) \(text)")
            } else {
                lines.append(text)
            }
        }
        return (lines[0], Array(lines.dropFirst()))
    }

    private init?(json: String, lines: ClosedRange<Int>) {
        guard let value = try? JSONValue(parsing: json), let error = value["error"] ?? Optional(value),
            let headline = error["headline"]?.string, let description = error["description"]?.string,
            let nextStep = error["nextStep"]?.string
        else { return nil }
        self.init(headline, description, nextStep, lines: lines)
    }

    private init?(copied lines: [Substring], from first: Int) {
        let pairs = lines.dropFirst().prefix(20).enumerated()
        guard let why = lines.dropFirst().first, why.hasPrefix("Why: "),
            let next = pairs.first(where: { $0.element.hasPrefix("Next: ") })
        else { return nil }
        let last = pairs.prefix { $0.element.firstMatch(of: #/^-?[A-Za-z0-9][A-Za-z0-9_ ]*: /#) != nil }.count
        self.init(
            String(lines[0]), String(why.dropFirst(5)), String(next.element.dropFirst(6)), lines: first...first + last)
    }
}

extension OwnError {
    @Sendable static func cause(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log, let own = log.ownError else { return nil }
        let rejections = own.rejections(in: log)
        let rejection = rejections.first
        let unlisted = log.codes.first { own.lines.contains($0.line) && $0.code.entry == nil }
        let sentences = rejection.map { "\(own.outcome) \($0.meaning)" } ?? own.sentences
        return Cause(
            subject: rejection?.heading ?? "keyturn",
            headline: sentences + (unlisted.map { " \($0.code.text) isn't in the dictionary." } ?? ""),
            fix: rejections.adviser?.nextStep ?? own.nextStep, positions: Array(own.lines))
    }

    func rejections(in log: LogFile) -> [ErrorDictionary.Entry] {
        guard isRejection else { return [] }
        return ErrorText(log).mentions.filter { lines.contains($0.line) && $0.entry.kind != .msal }.map(\.entry)
    }
}

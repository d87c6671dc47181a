import MSAL

/// The errors in a text of any length, for example a response's JSON, an exception, a log or a failure of `keyturn`.
struct ErrorText {
    struct Mention {
        let entry: ErrorDictionary.Entry
        let line: Int
    }

    /// The errors in the dictionary, most specific first: codes, names and phrases, numbers of MSAL. In each group the last
    /// line is first, because a program may have retried after earlier ones.
    let mentions: [Mention]
    /// Codes that aren't in the dictionary, for example `AADSTS1234567`.
    let unlisted: [(code: LogFile.Code, line: Int)]

    /// Those that the first mention explains better.
    var names: [ErrorDictionary.Entry] {
        guard let first = mentions.first, [.sts, .b2c, .phrase].contains(first.entry.kind) else { return [] }
        return mentions.filter { mention in
            [.oauth, .suberror, .msal].contains(mention.entry.kind) && abs(mention.line - first.line) <= Self.mostLines
        }.map(\.entry)
    }

    private static let mostLines = 8

    init(response text: String) { self.init(LogFile(Array(text.utf8), hasOwnError: false)) }

    init(_ text: LogFile) {
        let coded = text.codes.compactMap { found in found.code.entry.map { Mention(entry: $0, line: found.line) } }
        let codes = Self.declinedLast(coded)
        let found = Self.names.compactMap { entry -> Mention? in
            guard entry.cause.flatMap(KnownCause.named)?.isPossible(in: text) ?? true else { return nil }
            return Self.marks(of: entry).compactMap(text.last).max().map { Mention(entry: entry, line: $0) }
        }
        var named = found.filter { $0.entry.kind != .msal }.enumerated()
            .sorted { ($1.element.line, $0.offset) < ($0.element.line, $1.offset) }.map(\.element)
        if let told = text.statement {
            // It says more than the name of its error, and less than a sentence that a row has word by word.
            let place = named.firstIndex { $0.entry.kind != .phrase || $0.line < told.line } ?? named.endIndex
            named.insert(Mention(entry: told.row.entry, line: told.line), at: place)
        }
        let names = Self.declinedLast(named)
        // An internal number is more specific than that of MSALError, which is lower.
        let numbers = found.filter { $0.entry.kind == .msal }
            .sorted { ($0.line, Self.number($0.entry)) > ($1.line, Self.number($1.entry)) }
        let isAlone = codes.isEmpty && names.isEmpty && numbers.count == 1
        // MSALError.internal only says that there is another number.
        let all = codes + names + numbers.filter { isAlone || Self.number($0.entry) != -50_000 }
        // A page has the number and the words of the same error.
        var meanings: Set<String> = []
        mentions = all.filter { meanings.insert($0.entry.meaning).inserted }
        unlisted = text.codes.filter { $0.code.entry == nil }
    }

    /// The user who may not consent presses Cancel, and a page that blocks the application has the same error.
    private static func declinedLast(_ mentions: [Mention]) -> [Mention] {
        let declined: Set = ["AADSTS65004", "access_denied"]
        return mentions.filter { !declined.contains($0.entry.code) }
            + mentions.filter { declined.contains($0.entry.code) }
    }

    static let marks: [LogFile.Mark] = names.flatMap(marks)

    /// Most specific first.
    private static let names = [.phrase, .suberror, .oauth, .msal].flatMap { ErrorDictionary.bundled.entries(of: $0) }

    /// The marks of an entry: its number, name or phrase. A library throws `invalid_grant` as an `InvalidGrantException`.
    private static func marks(of entry: ErrorDictionary.Entry) -> [LogFile.Mark] {
        switch entry.kind {
        case .msal: return [.code(number(entry))]
        case .phrase: return [.text(entry.code)]
        case .oauth where entry.source.hasPrefix("RFC") && !general.contains(entry.code):
            let type = entry.code.split(separator: "_").map(\.capitalized).joined()
            return [.word(entry.code), .word("\(type)Error"), .word("\(type)Exception")]
        case .oauth, .suberror, .sts, .b2c, .broker: return [.word(entry.code)]
        }
    }

    /// The names of errors that other programs also throw.
    private static let general: Set = ["access_denied", "invalid_request", "server_error", "temporarily_unavailable"]

    private static func number(_ entry: ErrorDictionary.Entry) -> Int { Int(entry.code) ?? 0 }
}

/// What an error's text says besides its code, by which an administrator finds the sign-in in the provider's logs.
enum ErrorDetails {
    private struct Detail {
        let label: String
        /// Whose rule in ``Privacy`` decides about the value.
        let parameter: String
        /// The value is the last group.
        let pattern: Regex<(Substring, Substring)>
    }

    /// Entra's sentences, the lines of its error page, and the members of its JSON response.
    private static var details: [Detail] {
        [
            Detail(
                label: "Redirect URI", parameter: "redirect_uri",
                pattern:
                    #/(?i:redirect[ _]UR[IL]|reply (?:URL|address))(?:[^'"\n]{0,60}['"]|=)([A-Za-z][^'"\s&,]{0,254}:\/[^'"\s&,]*)/#
            ),
            Detail(
                label: "Application", parameter: "client_id",
                pattern: #/(?i:application|client)(?:(?!(?i:resource))[^\n]){0,120}?'([0-9A-Fa-f-]{36})'/#),
            Detail(
                label: "Resource", parameter: "resource",
                pattern: #/(?i:resource (?:principal|application)|API)[^\n]{0,60}?\s'?((?:https?|api):\/\/[^\s'"]+)/#),
            Detail(
                label: "Tenant", parameter: "client_id",
                pattern:
                    #/(?i:directory|tenant)[^'"\n]{0,40}?(?:'|named )([0-9A-Fa-f-]{36}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/#
            ),
            Detail(label: "Issued", parameter: "timestamp", pattern: #/issued on '?([0-9T: -]{19})/#),
            Detail(label: "Revoked", parameter: "timestamp", pattern: #/TokensValidFrom[^'\n]{0,80}'([0-9T: -]{19})/#),
            Detail(
                label: "Request ID", parameter: "trace_id",
                pattern: #/(?i:(?:Request|Trace)[ _]ID)["':\s]{1,4}([0-9A-Fa-f-]{36})/#),
            Detail(
                label: "Correlation ID", parameter: "correlation_id",
                pattern: #/(?i:Correlation[ _]ID)["':\s]{1,4}([0-9A-Fa-f-]{36})/#),
            Detail(label: "Time", parameter: "timestamp", pattern: #/(?i:Timestamp)["':\s]{1,4}([0-9T: -]{19})/#),
        ]
    }

    /// How many lines below the code belong to it. Entra's page shows the IDs in a list.
    private static let linesBelow = 8
    private static let mostBytes = 16 * 1024

    static func section(in bytes: [UInt8], at line: Int) -> Explanation.Section? {
        let newline = UInt8(ascii: "\n")
        let start = (1..<line).reduce(0) { start, _ in bytes[start...].firstIndex(of: newline).map { $0 + 1 } ?? start }
        let lines = bytes[start...].prefix(mostBytes).split(separator: newline, maxSplits: linesBelow)
        // JSON of .NET escapes the quotation mark.
        let text = String(decoding: Array(lines.prefix(linesBelow).joined(separator: [newline])), as: UTF8.self)
            .replacing("\\u0027", with: "'")
        let rows = details.compactMap { detail in
            text.firstMatch(of: detail.pattern).map { match in
                let value = Privacy.text(String(match.1), of: detail.parameter, for: .explanation)
                return Explanation.Row(
                    detail.label, detail.parameter == "timestamp" ? "\(value.replacing("T", with: " ")) UTC" : value)
            }
        }
        return rows.isEmpty ? nil : Explanation.Section(title: "Details of the error", rows: rows)
    }
}

/// The errors in a text of any length, for example a response's JSON, an exception, a log or a failure of `keyturn`.
struct ErrorText {
    /// An error and the last line that contains it.
    struct Mention {
        let entry: ErrorDictionary.Entry
        let line: Int
    }

    /// The errors in the dictionary, most specific first: codes, names and phrases, numbers of MSAL. In each group the last
    /// line is first, because a program may have retried after earlier ones.
    let mentions: [Mention]
    /// Codes that aren't in the dictionary, for example `AADSTS1234567`.
    let unlisted: [(code: LogFile.Code, line: Int)]

    /// The names of the error that the first mention explains better.
    var names: [ErrorDictionary.Entry] {
        guard let first = mentions.first, [.sts, .b2c, .phrase].contains(first.entry.kind) else { return [] }
        return mentions.filter { mention in
            [.oauth, .suberror, .msal].contains(mention.entry.kind) && abs(mention.line - first.line) <= Self.mostLines
        }.map(\.entry)
    }

    /// The length of a response in lines.
    private static let mostLines = 8

    /// - Parameter text: what a server sent, without an error of `keyturn`.
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

    /// What ``LogFile`` looks for.
    static let marks: [LogFile.Mark] = names.flatMap(marks)

    /// The entries that a text can name, most specific first.
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

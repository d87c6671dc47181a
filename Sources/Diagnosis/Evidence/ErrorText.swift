/// The errors in a text of any length, for example a response's JSON, an exception or a failure of `keyturn`.
struct ErrorText {
    /// The entries of the dictionary, most specific first.
    let entries: [ErrorDictionary.Entry]
    /// Codes that aren't in the dictionary, for example `AADSTS1234567`.
    let unlisted: [String]

    init(_ text: LogFile) {
        let dictionary = ErrorDictionary.bundled
        let codes = text.codes.reversed().map(\.code)
        func named(_ kind: ErrorDictionary.Kind) -> [ErrorDictionary.Entry] {
            dictionary.entries(of: kind).filter { text.last(Self.mark($0)) != nil }
        }
        // An internal number is more specific than that of MSALError.
        let numbers = named(.msal).sorted { Self.number($0) > Self.number($1) }
        entries = codes.compactMap(\.entry) + named(.suberror) + named(.oauth) + numbers
        unlisted = codes.filter { $0.entry == nil }.map(\.text)
    }

    /// What ``LogFile`` looks for.
    static let marks: [LogFile.Mark] = names.map(mark)

    private static let names = [.msal, .oauth, .suberror].flatMap { ErrorDictionary.bundled.entries(of: $0) }

    /// The mark of an entry: its number or name.
    static func mark(_ entry: ErrorDictionary.Entry) -> LogFile.Mark {
        entry.kind == .msal ? .code(number(entry)) : .word(entry.code)
    }

    private static func number(_ entry: ErrorDictionary.Entry) -> Int { Int(entry.code) ?? 0 }
}

import Foundation

/// Declarations use the words of the table in CONTRIBUTING, and none of its column "Not".
struct DictionaryRule {
    /// Words of the column that mean something else in code, and what.
    static let otherMeanings = [
        "user name": "two words: a name is searched for single ones", "server": "any program that listens",
        "callback": "a closure that a library calls", "code on its own": "a phrase", "met": "to fulfil a requirement",
        "not checked": "a phrase", "not taken": "a phrase",
    ]

    /// The forms of the words that have more than a plural.
    private static let forms = [
        "ask": "ask(s|ed|ing|er)?", "answer": "answer(s|ed|ing)?", "renew": #"renew\w*"#, "refused": #"refus\w+"#,
        "sealed": #"(un|re)?seal\w*"#,
    ]

    /// Names that others chose.
    static let exceptions = [
        "login": "the value of prompt in OpenID Connect, and of MSAL's prompt type",
        "loginHint": "the parameter login_hint, and MSAL's parameter",
        "loginRequired": "the error login_required",
        "errorPSSOSaveLoginConfigFailure": "an error of MSAL",
        "endSessionEndpoint": "the metadata end_session_endpoint",
        "endDate": "the end of a period beside its start, not the expiry of a token",
        "end": "the key",
    ]

    private let expression: Regex<AnyRegexOutput>

    /// - Parameter words: see ``rejectedWords(document:)``.
    init(words: [String]) throws {
        let patterns = words.filter { Self.otherMeanings[$0] == nil }.map { Self.forms[$0] ?? "\($0.lowercased())s?" }
        expression = try Regex(patterns.joined(separator: "|"))
    }

    /// The words of the column "Not", in the order of the table.
    static func rejectedWords(document: String) -> [String] {
        let rows = document.split(separator: "\n", omittingEmptySubsequences: false).drop {
            $0 != "| Word | Meaning | Not |"
        }.dropFirst(2)
        return rows.prefix { $0.hasPrefix("|") }.flatMap { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 3 ? cells[2].components(separatedBy: ", ").filter { !$0.isEmpty } : []
        }
    }

    func violations(in file: SourceFile) throws -> [Violation] {
        try Self.declarations(in: file).compactMap { line, name in
            guard Self.exceptions[name] == nil, let word = try rejectedWord(in: name) else { return nil }
            return Violation(
                path: file.path, line: line, reason: "\(name) uses \"\(word)\": see the table of words in CONTRIBUTING")
        }
    }

    /// The names that a file declares: functions, types, variables and cases, also those of patterns.
    static func declarations(in file: SourceFile) throws -> [(line: Int, name: String)] {
        let keywords = "func|var|let|struct|class|enum|protocol|typealias|associatedtype"
        let names = try file.matches(of: #"\b(?:\#(keywords))\s+`?[A-Za-z_]\w*"#).map { line, text in
            (line, String(text.split { $0 == " " || $0 == "`" }.last ?? ""))
        }
        // A pattern begins with a dot or ends with a colon; parentheses have the values of a case.
        let cases = try file.matches(of: #"\bcase\s+`?[a-z].*$"#).flatMap { line, text -> [(Int, String)] in
            let list = text.dropFirst(4).replacing(#/\([^()]*\)|=[^,]*/#, with: "")
            guard !list.contains(":") else { return [] }
            return list.split(separator: ",").map { part in
                (line, String(part.drop { $0 == " " || $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
            }
        }
        return (names + cases).sorted { $0.0 < $1.0 }.map { (line: $0.0, name: $0.1) }
    }

    private func rejectedWord(in name: String) throws -> String? {
        try name.matches(of: #/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/#).map { $0.output.lowercased() }
            .first { try expression.wholeMatch(in: $0) != nil }
    }
}

/// Rejects APIs that need locale data, which the release lacks (docs/decisions/0026-start-and-size.md).
enum LocaleRule {
    private static let calls: [(pattern: String, instead: String)] = [
        (
            #"\blocalized(Standard|CaseInsensitive|Compare|Capitalized|Uppercase|Lowercase|Name)\w*"#,
            "compare with < or options: .caseInsensitive"
        ),
        (#"\b(NS)?Locale\b|\blocale:"#, "use values and functions without a locale"),
        (#"\b\w+Formatter\b"#, "write the text, or use ISO8601Format"),
        (#"\.formatted\((?!\.iso8601|Date\.ISO8601|$)"#, "write the text, or use ISO8601Format"),
        (#"\bString\(localized:|\bNSLocalizedString\b|\bLocalizedStringResource\b"#, "write the text in English"),
        (
            #"\bCalendar\.(current|autoupdatingCurrent)\b|\bCalendar\(identifier: (?!\.gregorian)"#,
            "use Calendar(identifier: .gregorian)"
        ),
        (#"\.applyingTransform\(|\.folding\(|\.enumerateSubstrings\("#, "work on Unicode scalars"),
    ]

    static func violations(in file: SourceFile) throws -> [Violation] {
        try calls.flatMap { call in
            try file.matches(of: call.pattern).map {
                Violation(path: file.path, line: $0.line, reason: "\($0.text) needs locale data: \(call.instead)")
            }
        }
    }
}

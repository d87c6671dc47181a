/// The target JSON alone reads and writes JSON: a check with one parser says nothing about another, and `JSONSerialization`
/// sorts members by locale data.
enum JSONRule {
    private static let exceptions = [
        // Converts a caller's `Any`: only Foundation can tell its truth values from numbers.
        "Sources/MSAL/Types/Accounts/JSONValue+Foundation.swift"
    ]

    static func violations(in file: SourceFile) throws -> [Violation] {
        guard !exceptions.contains(file.path) else { return [] }
        return try file.matches(of: #"\bJSON(Encoder|Decoder|Serialization)\b"#).map {
            Violation(path: file.path, line: $0.line, reason: "Use JSONValue instead of \($0.text)")
        }
    }
}

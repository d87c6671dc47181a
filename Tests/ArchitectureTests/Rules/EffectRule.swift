import Foundation

/// Only adapters use clock, environment, randomness, output, files and new tasks.
enum EffectRule {
    /// A call with an effect, and its replacement.
    struct Call: Sendable {
        let pattern: String
        let instead: String
    }

    static let calls = [
        Call(
            pattern: #"\bDate\(\)|\bDate\.now\b|timeIntervalSinceNow\b"#,
            instead: "take the time from TimeSource or a message"),
        Call(
            pattern:
                #"\bContinuousClock\b|\bSuspendingClock\b|\bsleep\(for|\bTask\.sleep\b|\busleep\(|\bThread\.sleep"#,
            instead: "wait with TimeSource"),
        Call(
            pattern: #"\bgetenv\(|\bProcessInfo\b|\bProcessEnvironment\b"#, instead: "take the environment as a value"),
        Call(pattern: #"(?<![.\w])print\(|\bdebugPrint\(|\bNSLog\(|\bfputs\("#, instead: "return the text"),
        Call(
            pattern: #"\bTask\s*\{|\bTask\(|\bTask\.detached\b|\bDispatchQueue\b"#,
            instead: "return an effect, or be async"),
        Call(
            pattern:
                #"\barc4random|\bSystemRandomNumberGenerator\b|\.random\(|\.randomElement\(|\.shuffled\(\)|\bUUID\(\)"#,
            instead: "take RandomBytes"),
        Call(
            pattern:
                #"\bFileManager\b|\bFileHandle\b|\bURLSession\b|\bProcess\(\)|\b(Data|String)\(contentsOf|contentsOfDirectory"#,
            instead: "use a seam"),
    ]

    /// A file outside the adapters that may use some of these calls.
    struct Exception: Sendable {
        let path: String
        let pattern: String
        let reason: String
    }

    static let exceptions = [
        Exception(
            path: "Sources/Console/EffectRunner", pattern: #"\bTask|\bDate|\bsleep"#,
            reason: "the one place where the program starts tasks and reads the clock"),
        Exception(
            path: "Sources/DemoAuthority/DemoAuthorityServer.swift", pattern: #"Date|random|Random|Task|sleep"#,
            reason: "the adapter that puts the authority on a socket, with a clock, random bytes and new keys"
        ),
        Exception(
            path: "Sources/MSAL/Application/Completion.swift", pattern: "Task|DispatchQueue",
            reason: "the completion-block forms of the public API start outside a task"),
        Exception(
            path: "Sources/MSAL/Types/Parameters/MSALParameters.swift", pattern: "DispatchQueue",
            reason: "the public API names the queue of a completion block"),
    ]

    static func violations(in file: SourceFile) throws -> [Violation] {
        guard !ImportRule.acts(file) else { return [] }
        return try calls.flatMap { call in
            try file.matches(of: call.pattern)
                .filter { found in !exceptions.contains { $0.allows(found.text, in: file) } }
                .map {
                    Violation(path: file.path, line: $0.line, reason: "\($0.text) outside an adapter: \(call.instead)")
                }
        }
    }
}

extension EffectRule.Exception {
    fileprivate func allows(_ text: String, in file: SourceFile) -> Bool {
        file.path.hasPrefix(path) && text.range(of: pattern, options: .regularExpression) != nil
    }
}

extension SourceFile {
    /// The lines of code that match a pattern.
    func matches(of pattern: String) throws -> [(line: Int, text: String)] {
        let expression = try NSRegularExpression(pattern: pattern)
        return codeLines.enumerated().flatMap { index, line in
            let line = String(line)
            return expression.matches(in: line, range: NSRange(line.startIndex..., in: line))
                .compactMap { Range($0.range, in: line) }
                .map { (index + 1, String(line[$0])) }
        }
    }

    /// The names of types that the code uses, without those of members.
    func namedTypes() throws -> [(line: Int, text: String)] { try matches(of: #"(?<![.\w])[A-Z]\w+"#) }
}

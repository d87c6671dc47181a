/// What can end the program, or hide a data race, is not used; where it cannot be avoided, a comment beside it says why.
enum SafetyRule {
    static let patterns: [(pattern: String, what: String)] = [
        (#"@unchecked\s+Sendable"#, "@unchecked Sendable"),
        (#"nonisolated\(unsafe\)"#, "nonisolated(unsafe)"),
        // The thread sanitizer sees no use of it, so that a race beside one stays unseen (Sources/Locks).
        (#"\bMutex\b"#, "Mutex instead of Locked"),
        (#"\btry!"#, "try!"),
        (#"\bas!"#, "as!"),
        (#"\bfatalError\("#, "fatalError"),
        // A postfix exclamation mark: after a name, a call or a subscript, and not the start of != .
        (#"(?<=[\w\)\]])(?<!\btry)(?<!\bas)!(?!=)"#, "a forced unwrap"),
    ]

    /// Files with a reason that holds for all of them.
    static let exceptions = [
        "Sources/AuthEngine/Errors/MSALErrorKeys.swift":
            "the keys are String! to Swift upstream, and code names that type",
        "Sources/AuthEngine/Values/MSALPublicClientStatusNotifications.swift":
            "the names are String! to Swift upstream, and code names that type",
        "Sources/AuthEngine/Values/MSALRegistrationKeys.swift":
            "the keys are String! to Swift upstream, and code names that type",
        "Sources/AuthEngine/Types/Schemes/MSALHttpMethod.swift":
            "the name is a String! to Swift upstream, and code names that type",
    ]

    static func violations(in file: SourceFile) throws -> [Violation] {
        guard exceptions[file.path] == nil else { return [] }
        return try patterns.flatMap { rule in
            try file.matches(of: rule.pattern)
                .filter { !file.hasReason(at: $0.line - 1) }
                .map { Violation(path: file.path, line: $0.line, reason: "\(rule.what) without a reason beside it") }
        }
    }
}

/// Code that can crash the program or hide a data race is not used; where it is unavoidable, a comment beside it gives
/// the reason.
enum SafetyRule {
    static let patterns: [(pattern: String, what: String)] = [
        (#"@unchecked\s+Sendable"#, "@unchecked Sendable"),
        (#"nonisolated\(unsafe\)"#, "nonisolated(unsafe)"),
        // The thread sanitizer does not see its uses, so a race beside one stays hidden (KeyturnSystem/Locks).
        (#"\bMutex\b"#, "Mutex instead of Locked"),
        (#"\btry!"#, "try!"),
        (#"\bas!"#, "as!"),
        (#"\bfatalError\("#, "fatalError"),
        // They stop the program for a name of one character.
        (
            #"\bas NSString\)\.(deletingLast|last)PathComponent"#,
            "a path of NSString instead of parentFolder or fileName"
        ),
        // A postfix exclamation mark: after a name, a call or a subscript, and not the start of != .
        (#"(?<=[\w\)\]])(?<!\btry)(?<!\bas)!(?!=)"#, "a forced unwrap"),
    ]

    /// Files with one reason for all uses.
    static let exceptions = [
        "Sources/MSAL/Errors/MSALErrorKeys.swift":
            "the keys are String! in MSAL for iOS and macOS, and programs name that type",
        "Sources/MSAL/Values/MSALPublicClientStatusNotifications.swift":
            "the names are String! in MSAL for iOS and macOS, and programs name that type",
        "Sources/MSAL/Values/MSALRegistrationKeys.swift":
            "the keys are String! in MSAL for iOS and macOS, and programs name that type",
        "Sources/MSAL/Types/Schemes/MSALHttpMethod.swift":
            "the name is a String! in MSAL for iOS and macOS, and programs name that type",
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

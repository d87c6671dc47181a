/// Calls that hide a limit of the process: a thread that never starts, and a text without the remedy.
enum SystemLimitRule {
    private static let calls: [(pattern: String, instead: String)] = [
        (
            #"\bThread\.detachNewThread\b|\bThread\s*[({]"#,
            "SystemThread.start, which reports that no thread can be started"
        ),
        (#"\bstrerror\("#, "systemReason, which names the remedy for a limit"),
    ]

    /// The files that implement these.
    private static let allowed: Set<String> = ["Sources/KeyturnSystem/POSIX/SystemLimit.swift"]

    static func violations(in file: SourceFile) throws -> [Violation] {
        guard !allowed.contains(file.path) else { return [] }
        return try calls.flatMap { call in
            try file.matches(of: call.pattern).map {
                Violation(path: file.path, line: $0.line, reason: "\($0.text): use \(call.instead)")
            }
        }
    }
}

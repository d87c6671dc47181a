/// libdispatch wakes an idle program once a second (docs/decisions/0023-threads-and-waits.md), so all tasks run on the
/// program's own threads.
enum DispatchRule {
    private static let pattern =
        #"\bTask\s*\{|\bTask\.(detached|sleep)\b|\bTask\((?!executorPreference)|\bDispatch(Queue|Source|Group|WorkItem)\b"#

    /// Files that serve programs without those threads, or implement a queue parameter of the API of MSAL for iOS and
    /// macOS.
    private static let allowed: Set<String> = [
        "Sources/KeyturnSystem/Tasks/Sleepers.swift", "Sources/MSAL/Application/Completion.swift",
        "Sources/MSAL/Application/MSALPublicClientApplication+Tokens.swift",
        "Sources/MSAL/Types/Parameters/MSALParameters.swift",
    ]

    static func violations(in file: SourceFile) throws -> [Violation] {
        guard !allowed.contains(file.path) else { return [] }
        return try file.matches(of: pattern).map { found in
            Violation(
                path: file.path, line: found.line,
                reason:
                    "\(found.text) is libdispatch's: use Task(executorPreference: ThreadPool.current), sleep(for:) or a thread"
            )
        }
    }
}

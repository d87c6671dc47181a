/// What libdispatch runs wakes an idle program once a second, for ever (docs/decisions/0023-idle-wake-up.md): tasks run on
/// the program's own threads, anywhere.
enum DispatchRule {
    private static let pattern =
        #"\bTask\s*\{|\bTask\.(detached|sleep)\b|\bTask\((?!executorPreference)|\bDispatch(Queue|Source|Group|WorkItem)\b"#

    /// Where a program that has no threads of its own is served, and where upstream's API names a queue.
    private static let allowed: Set<String> = [
        "Sources/Tasks/Sleeping.swift", "Sources/AuthEngine/Application/Completion.swift",
        "Sources/AuthEngine/Application/MSALPublicClientApplication+Tokens.swift",
        "Sources/AuthEngine/Types/Parameters/MSALParameters.swift",
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

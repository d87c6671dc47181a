import Foundation

/// The modules that each target may import. No target imports upwards.
enum ImportRule {
    /// The targets of the package that each target may import, as drawn in docs/ARCHITECTURE.md.
    static let allowed: [String: Set<String>] = [
        "KeyturnCrypto": ["CNettle", "COpenSSL"],
        "OAuthCore": ["KeyturnCrypto"],
        "Locks": [],
        "Tasks": ["Locks"],
        "POSIX": ["CProcess"],
        "AuthEngine": ["OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "CLiveWorld"],
        "TerminalUI": ["Locks", "CQREncode"],
        "LoopbackHTTP": ["OAuthCore", "KeyturnCrypto", "POSIX", "Locks", "Tasks", "CMicroHTTPD"],
        "LinuxAdapters": [
            "AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "LoopbackHTTP", "CCurl", "CKeyturnSQLite",
            "CGIO",
            "CSecret", "CSpawn", "CFileLock", "POSIX",
        ],
        "TerminalCurses": ["TerminalUI", "Locks", "Tasks", "CNcurses"],
        "MSAL": ["AuthEngine", "LinuxAdapters", "POSIX"],
        "DemoAuthority": ["OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "LoopbackHTTP", "CResources"],
        "MSALTesting": [
            "AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "DemoAuthority", "LinuxAdapters",
        ],
        "Diagnosis": ["AuthEngine", "OAuthCore", "CResources"],
        "Console": ["TerminalUI", "AuthEngine", "Diagnosis", "Locks", "Tasks"],
        // OAuthCore and LinuxAdapters: LibraryFirstRule names the file and the reason.
        "Subcommands": [
            "MSAL", "Console", "Diagnosis", "DemoAuthority", "TerminalCurses", "TerminalUI", "OAuthCore",
            "LinuxAdapters", "CResources", "Locks", "Tasks", "POSIX", "CGetopt", "CFileLock", "CProcess",
        ],
        "keyturn": ["Subcommands", "Tasks"],
    ]

    /// Modules of the toolchain that any target may import: values and locks, no system access.
    private static let everywhere: Set<String> = ["Foundation", "FoundationEssentials", "Synchronization"]

    /// Modules of the toolchain for adapters.
    private static let whereItActs: Set<String> = ["Glibc"]

    /// The public API names `DispatchQueue`, like MSAL for iOS and macOS.
    private static let byName: [String: Set<String>] = ["AuthEngine": ["Dispatch"]]

    static let actingTargets: Set<String> = [
        "Tasks", "POSIX", "LoopbackHTTP", "LinuxAdapters", "TerminalCurses", "MSAL", "Subcommands", "keyturn",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        guard let targets = allowed[file.target] else {
            return [Violation(path: file.path, line: 1, reason: "\(file.target) is missing in ImportRule")]
        }
        let permitted = targets.union(everywhere).union(byName[file.target] ?? [])
            .union(actingTargets.contains(file.target) ? whereItActs : [])
        return file.codeLines.enumerated().compactMap { index, line in
            guard let module = importedModule(line), !permitted.contains(module) else { return nil }
            return Violation(path: file.path, line: index + 1, reason: "\(file.target) may not import \(module)")
        }
    }

    /// The module of an import declaration, with any attributes and kinds.
    static func importedModule(_ line: Substring) -> String? {
        var words = line.split(separator: " ").filter { !$0.hasPrefix("@") }[...]
        if let first = words.first, ["public", "package", "internal", "private", "fileprivate"].contains(first) {
            words = words.dropFirst()
        }
        guard words.first == "import" else { return nil }
        words = words.dropFirst()
        if let kind = words.first,
            ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"].contains(kind)
        {
            words = words.dropFirst()
        }
        return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
    }

    /// The dependencies that a manifest declares by `code("Name", ["A", "B"])` or `name: "keyturn", dependencies:
    /// [...]`.
    static func declaredDependencies(manifest: String) -> [String: Set<String>] {
        var declared: [String: Set<String>] = [:]
        let forms = [
            #/code\(\s*"(?<name>\w+)",\s*\[(?<list>[^\]]*)\]/#,
            #/executableTarget\(\s*name:\s*"(?<name>\w+)",\s*dependencies:\s*\[(?<list>[^\]]*)\]/#,
        ]
        for form in forms {
            for match in manifest.matches(of: form) {
                declared[String(match.name)] = Set(match.list.matches(of: #/\w+/#).map { String($0.output) })
            }
        }
        return declared
    }

    /// The edges in a document's diagram, one target per line: `MSAL  ─► AuthEngine, LinuxAdapters`.
    static func drawnDependencies(document: String) -> [String: Set<String>] {
        var drawn: [String: Set<String>] = [:]
        for match in document.matches(of: #/(?m)^(?<name>\w+) +─► (?<list>\w+(?:, \w+)*)$/#) {
            drawn[String(match.name)] = Set(match.list.matches(of: #/\w+/#).map { String($0.output) })
        }
        return drawn
    }
}

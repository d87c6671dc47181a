import Foundation

/// The modules that each target may import. No target imports upwards.
enum ImportRule {
    /// The targets of the package that each target may import, as drawn in docs/ARCHITECTURE.md.
    static let allowed: [String: Set<String>] = [
        "KeyturnCrypto": ["CCrypto"],
        "KeyturnSystem": ["CSystem"],
        "JSON": [],
        "OAuthCore": ["JSON", "KeyturnCrypto", "CResources"],
        "LoopbackHTTP": ["OAuthCore", "KeyturnCrypto", "KeyturnSystem", "CMicroHTTPD"],
        "MSAL": [
            "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "CCurl", "CDesktop", "CKeyturnSQLite",
            "CSystem",
        ],
        "DemoAuthority": ["OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "CResources"],
        "MSALTesting": ["MSAL", "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "DemoAuthority"],
        "TerminalUI": ["JSON", "KeyturnSystem", "CQREncode"],
        "TerminalCurses": ["TerminalUI", "KeyturnSystem", "CNcurses"],
        "Diagnosis": ["MSAL", "OAuthCore", "JSON", "KeyturnCrypto", "CResources"],
        "Console": ["TerminalUI", "MSAL", "Diagnosis", "JSON", "KeyturnSystem"],
        // OAuthCore: LibraryFirstRule names the file and the reason.
        "Subcommands": [
            "MSAL", "Console", "Diagnosis", "DemoAuthority", "TerminalCurses", "TerminalUI", "OAuthCore",
            "JSON", "KeyturnSystem", "KeyturnCrypto", "LoopbackHTTP", "CResources", "CSystem",
        ],
        "keyturn": ["Subcommands", "KeyturnSystem"],
    ]

    /// Modules of the toolchain that any target may import: values and locks, no system access.
    private static let everywhere: Set<String> = ["Foundation", "FoundationEssentials", "Synchronization"]

    /// Modules of the toolchain for adapters.
    private static let whereItActs: Set<String> = ["Glibc"]

    /// The public API names `DispatchQueue`, like MSAL for iOS and macOS.
    private static let byName: [String: Set<String>] = ["MSAL": ["Dispatch"]]

    private static let actingTargets: Set<String> = [
        "KeyturnSystem", "LoopbackHTTP", "TerminalCurses", "Subcommands", "keyturn",
    ]

    /// The folders of MSAL that act. The others decide.
    private static let actingFolders = ["Sources/MSAL/Adapters/", "Sources/MSAL/Live/"]

    /// The targets that only these folders import.
    private static let adapted: Set<String> = ["LoopbackHTTP", "CCurl", "CDesktop", "CKeyturnSQLite", "CSystem"]

    /// Whether a file has effects instead of decisions.
    static func acts(_ file: SourceFile) -> Bool {
        actingTargets.contains(file.target) || actingFolders.contains(where: file.path.hasPrefix)
    }

    /// The names of the types that make system calls. A file that decides names none of them.
    static func systemTypes(in files: [SourceFile]) throws -> Set<String> {
        try LibraryFirstRule.hiddenTypes(of: files.filter { $0.path.hasPrefix("Sources/KeyturnSystem/POSIX/") })
    }

    static func systemCalls(in file: SourceFile, types: Set<String>) throws -> [Violation] {
        guard !acts(file), file.target != "MSALTesting" else { return [] }
        return try file.namedTypes().filter { types.contains($0.text) }
            .map { Violation(path: file.path, line: $0.line, reason: "\($0.text) makes system calls") }
    }

    static func violations(in file: SourceFile) -> [Violation] {
        guard let targets = allowed[file.target] else {
            return [Violation(path: file.path, line: 1, reason: "\(file.target) is missing in ImportRule")]
        }
        let permitted = targets.union(everywhere).union(byName[file.target] ?? [])
            .union(acts(file) ? whereItActs : [])
            .subtracting(file.target == "MSAL" && !acts(file) ? adapted : [])
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

    /// The edges in a document's diagram, one target per line: `MSAL  ─► OAuthCore, CCurl`.
    static func drawnDependencies(document: String) -> [String: Set<String>] {
        var drawn: [String: Set<String>] = [:]
        for match in document.matches(of: #/(?m)^(?<name>\w+) +─► (?<list>\w+(?:, \w+)*)$/#) {
            drawn[String(match.name)] = Set(match.list.matches(of: #/\w+/#).map { String($0.output) })
        }
        return drawn
    }
}

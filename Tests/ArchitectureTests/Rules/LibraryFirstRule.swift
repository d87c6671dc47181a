import Foundation

/// The program uses the library as another program would: by its public API. Within one package the compiler does not
/// hold that, because `package` declarations of the library are visible to the program's targets too.
enum LibraryFirstRule {
    static let programTargets: Set<String> = ["Console", "Subcommands", "keyturn"]
    static let libraryTargets: Set<String> = ["OAuthCore", "AuthEngine", "LinuxAdapters"]

    /// Names that the program may use all the same.
    struct Exception: Sendable {
        let name: String
        /// The files where it may stand begin with this.
        let path: String
        let reason: String
    }

    static let exceptions = ["CurlTransport", "HTTPRequest"].map {
        Exception(
            name: $0, path: "Sources/Subcommands/Demo/ScriptedBrowser",
            reason: "the scripted person's browser is on the other side of the sign-in, where no library helps")
    }

    /// The names of types that the library declares at the top level of a file and does not publish.
    static func hiddenTypes(of library: [SourceFile]) throws -> Set<String> {
        let declaration = #"^package\s+(final\s+|indirect\s+)*(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        return Set(
            try library.flatMap { file in
                try file.matches(of: declaration).compactMap { $0.text.split(separator: " ").last.map(String.init) }
            })
    }

    /// The names of types that the program's own targets, or those below its screen, declare anywhere: a name of their
    /// own is not the library's.
    static func ownTypes(of program: [SourceFile]) throws -> Set<String> {
        let declaration = #"\b(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        return Set(
            try program.flatMap { file in
                try file.matches(of: declaration).compactMap { $0.text.split(separator: " ").last.map(String.init) }
            })
    }

    static func violations(in file: SourceFile, hidden: Set<String>) throws -> [Violation] {
        guard programTargets.contains(file.target) else { return [] }
        return try file.matches(of: #"(?<![.\w])[A-Z]\w+"#)
            .filter { hidden.contains($0.text) && !isExcepted($0.text, in: file) }
            .map { Violation(path: file.path, line: $0.line, reason: "\($0.text) is not public API of the library") }
    }

    private static func isExcepted(_ name: String, in file: SourceFile) -> Bool {
        exceptions.contains { $0.name == name && file.path.hasPrefix($0.path) }
    }
}

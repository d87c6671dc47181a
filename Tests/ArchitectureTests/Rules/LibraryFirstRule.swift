import Foundation

/// The program uses only the library's public API, like any other program. Within one package the compiler does not
/// check that: the program's targets see `package` declarations of the library.
enum LibraryFirstRule {
    static let programTargets: Set<String> = ["Console", "Subcommands", "keyturn"]
    static let libraryTargets: Set<String> = ["OAuthCore", "MSAL"]

    /// Names that the program may use anyway.
    struct Exception: Sendable {
        let name: String
        /// The prefixes of the files that may use it.
        let path: String
        let reason: String
    }

    static let exceptions =
        ["CurlTransport", "HTTPRequest", "HTTPResponse"].map {
            Exception(
                name: $0, path: "Sources/Subcommands/Demo/ScriptedBrowser",
                reason: "the scripted user's browser is on the authority's side of the sign-in, outside the library")
        }
        + [
            "CurlTransport", "HTTPRequest", "HTTPResponse", "HTTPHeaders", "TransportFailure", "HTTPTransport",
            "ExchangeRecorder", "TimeSource", "SystemTime", "Privacy",
        ].map {
            Exception(
                name: $0, path: "Sources/Subcommands/Call/",
                reason: "the user's own request to an API is no part of a sign-in; it uses the same transport")
        }
        + ["CurlTransport", "HTTPRequest", "HTTPResponse", "HTTPHeaders", "TransportFailure"].map {
            Exception(
                name: $0, path: "Sources/Subcommands/Doors/",
                reason: "another program's request is no part of a sign-in; it uses the same transport")
        }
        + [
            Exception(
                name: "AuthorityRules", path: "Sources/Subcommands/SignIn/CarriedTokens",
                reason: "a token of another computer comes from no flow of this one's library"),
            Exception(
                name: "DesktopNotice", path: "Sources/Subcommands/Watch/",
                reason: "a notice to the user is no part of a sign-in; it uses the same session bus"),
            Exception(
                name: "Failure", path: "Sources/",
                reason: "the library's errors carry one, and the program's own failures are of this type"),
            Exception(
                name: "Release", path: "Sources/",
                reason: "the library and the program have one version, and applications have their own"),
        ]

    /// The names of types that the library declares at the top level of a file and does not publish.
    static func hiddenTypes(of library: [SourceFile]) throws -> Set<String> {
        let declaration = #"^package\s+(final\s+|indirect\s+)*(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        return Set(
            try library.flatMap { file in
                try file.matches(of: declaration).compactMap { $0.text.split(separator: " ").last.map(String.init) }
            })
    }

    /// The names of types that the program's targets, or those below its screen, declare anywhere: these are not the
    /// library's.
    static func ownTypes(of program: [SourceFile]) throws -> Set<String> {
        let declaration = #"\b(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        return Set(
            try program.flatMap { file in
                try file.matches(of: declaration).compactMap { $0.text.split(separator: " ").last.map(String.init) }
            })
    }

    static func violations(in file: SourceFile, hidden: Set<String>) throws -> [Violation] {
        guard programTargets.contains(file.target) else { return [] }
        return try file.namedTypes()
            .filter { hidden.contains($0.text) && !isExcepted($0.text, in: file) }
            .map { Violation(path: file.path, line: $0.line, reason: "\($0.text) is not public API of the library") }
    }

    private static func isExcepted(_ name: String, in file: SourceFile) -> Bool {
        exceptions.contains { $0.name == name && file.path.hasPrefix($0.path) }
    }
}

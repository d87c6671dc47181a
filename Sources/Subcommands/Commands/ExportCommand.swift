import Foundation
import MSAL

/// `keyturn export`: hands the cache to programs with other MSAL libraries.
package struct ExportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "export", summary: "writes the cache in the schema that other MSAL libraries read",
        discussion: """
            Writes every account and token to FILE, readable by you only, in the schema of MSAL for Python, .NET, Go, Java
            and Node. The tokens in it are not sealed: whoever has the file is signed in as you. A file that exists is
            replaced with --replace only.
            """,
        options: [replace], operand: "unified", furtherOperand: "FILE", example: "keyturn export unified cache.json")

    static let replace = Option("replace", "replaces FILE if it exists")

    private let settings: Settings
    private let path: String
    private let replaces: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        replaces = options.has(Self.replace)
        let word = options.operands.first ?? ""
        guard word == "unified" else {
            throw .unknownOperand(word, wanted: "unified", command: Self.specification.name)
        }
        guard let path = options.operands.dropFirst().first else {
            throw .missingOperand("FILE", command: Self.specification.name)
        }
        self.path = path
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        let accounts = try application.allAccounts()
        try ExportedFile(path: path, replaces: replaces).write(application.exportUnifiedCache())
        if !settings.isQuiet {
            let count = accounts.count == 1 ? "1 account" : "\(accounts.count) accounts"
            surroundings.tell("Wrote \(count) to \(path). Whoever has this file is signed in as you.\n")
        }
        return .done
    }
}

import Foundation
import MSAL

package struct ExportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "export", summary: "Export the cache for other MSAL libraries",
        discussion: """
            Writes all accounts and tokens to FILE in the unified schema of MSAL for Python, .NET, Go, Java and Node.
            Only you can read FILE. Its tokens are not encrypted: anyone who gets a copy can sign in as you.
            """,
        options: [replace], operand: "unified", furtherOperand: "FILE",
        examples: ["keyturn export unified cache.json", "keyturn export unified cache.json --replace"])

    static let replace = Option("replace", "Replace FILE if it exists")

    @Boxed private var settings: Settings
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
        // Not the name of standard output: tokens that aren't encrypted don't belong on a screen or in a pipe's log.
        guard path != "-" else {
            throw .unknownOperand(path, wanted: "a file name", command: Self.specification.name)
        }
        self.path = path
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        let accounts = try application.allAccounts()
        let file = ExportedFile(path: path, replaces: replaces, alternative: "Use another file, or --replace.")
        try file.write(application.exportUnifiedCache())
        if !settings.isQuiet {
            let count = accounts.count == 1 ? "1 account" : "\(accounts.count) accounts"
            let warning = accounts.isEmpty ? "" : " Anyone who can read this file can sign in as you."
            surroundings.tell("Wrote \(count) to \(path).\(warning)\n")
        }
        return .done
    }
}

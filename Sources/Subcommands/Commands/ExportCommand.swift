import MSAL

package struct ExportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "export", options: [replace], operand: "unified", furtherOperand: "FILE")

    static let replace = Option("replace")

    @Boxed private var settings: Settings
    private let options: ParsedOptions
    private let path: String

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        self.options = options
        let word = options.operands.first ?? ""
        guard word == "unified" else {
            throw .unknownOperand(word, wanted: "unified", command: Self.specification.name)
        }
        guard let path = options.operands.dropFirst().first else {
            throw .missingOperand("FILE", command: Self.specification.name)
        }
        // Not the name of standard output: tokens that aren't encrypted don't belong on a screen or in a pipe's log.
        guard path != "-" else { throw .unknownOperand(path, wanted: "a file name", command: Self.specification.name) }
        self.path = path
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        let accounts = try application.allAccounts()
        let file = ExportedFile(
            path: path, replaces: options.has(Self.replace), alternative: "Use another file, or --replace.")
        try file.write(application.exportUnifiedCache())
        if !settings.isQuiet {
            let count = accounts.count == 1 ? "1 account" : "\(accounts.count) accounts"
            let warning = accounts.isEmpty ? "" : " Anyone who can read this file can sign in as you."
            surroundings.tell("Wrote \(count) to \(path).\(warning)\n")
        }
        return .done
    }
}

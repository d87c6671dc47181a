/// `keyturn report`: what to give to whoever helps.
package struct ReportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "report", summary: "writes a support report that is safe to paste",
        discussion: """
            Writes the versions, what 'keyturn check' finds, and how the last request for a token went, with its codes and
            times. Tokens, codes, names, user names, tenants, hosts and paths are not in it: what others wrote is shown only
            where it is one of the known words of the protocol.
            """,
        options: [CheckCommand.offline], example: "keyturn report --offline")

    private let examination: SetupExamination

    package init(_ options: ParsedOptions) throws(UsageError) {
        examination = SetupExamination(settings: try Settings(options), isOffline: options.has(CheckCommand.offline))
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report = try await interruptible { await examination.supportReport(in: surroundings) }
        try surroundings.output.write(report.text)
        return .done
    }
}

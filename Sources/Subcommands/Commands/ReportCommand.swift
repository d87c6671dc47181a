package struct ReportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "report", summary: "Print a support report without secrets",
        discussion: """
            Contains the versions, the results of keyturn check, and the steps, error codes and times of the last token
            request. Omits tokens, sign-in codes, names, usernames, tenants, paths and the names of other computers.
            """,
        options: [Demand.resource, CheckCommand.offline],
        examples: ["keyturn report", "keyturn report --offline"])

    private let examination: SetupExamination

    package init(_ options: ParsedOptions) throws(UsageError) {
        examination = SetupExamination(
            settings: try Settings(options), resource: try Demand.url(options[Demand.resource]),
            isOffline: options.has(CheckCommand.offline))
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report = try await interruptible { await examination.supportReport(in: surroundings) }
        try surroundings.output.write(report.text)
        return .done
    }
}

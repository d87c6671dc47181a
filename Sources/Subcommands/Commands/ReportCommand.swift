package struct ReportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "report", options: [Demand.resource, CheckCommand.offline])

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

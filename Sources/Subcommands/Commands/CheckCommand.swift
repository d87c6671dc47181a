import Diagnosis
import MSAL

/// `keyturn check`: is this set-up right, and if not, why not.
package struct CheckCommand: Subcommand {
    static let infoPlist = Option(
        "info-plist", argument: "FILE", "checks the application of this Info.plist, XML or binary")
    static let offline = Option("offline", "asks nobody beyond this machine")
    static let acceptCache = Option(
        "accept-cache", "accepts a token cache that you restored or replaced, as it is now")

    package static let specification = CommandSpecification(
        name: "check", summary: "says whether the set-up is right, and what to do where it is not",
        discussion: """
            Looks at the configuration, the application's registration and redirect URI, the authority, the token cache and
            this machine. Each line says how it is, and what puts it right. Nobody signs in and nothing is changed, but that
            --accept-cache makes the other commands use a cache that they refuse because it was replaced.
            --info-plist, --redirect-uri and --client-id check another application, also of iOS or macOS, with no
            configuration at all. Exits with 0 when nothing is wrong; else with 3 for the configuration or the application,
            6 for the authority, 7 for the token cache, 1 for this machine: the first of these.
            """,
        options: [infoPlist, offline, acceptCache, OutputFormat.option], example: "keyturn check --offline")

    private let examination: SetupExamination
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        examination = SetupExamination(
            settings: try Settings(options), infoPlist: options[Self.infoPlist], isOffline: options.has(Self.offline),
            acceptsCache: options.has(Self.acceptCache))
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report = try await interruptible { await examination.report(in: surroundings) }
        let document = CheckDocument(report: report)
        try surroundings.output.write(format == .json ? JSONText.document(document) : document.text)
        return ExitCode(report.worstArea)
    }
}

extension ExitCode {
    /// Of the first area in which something is wrong.
    init(_ area: CheckReport.Area?) {
        switch area {
        case nil: self = .done
        case .configuration, .application: self = .configuration
        case .authority: self = .network
        case .cache: self = .store
        case .machine: self = .failed
        }
    }
}

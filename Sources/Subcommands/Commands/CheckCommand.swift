import Diagnosis
import MSAL

package struct CheckCommand: Subcommand {
    static let infoPlist = Option("info-plist", argument: "FILE")
    static let entitlements = Option("entitlements", argument: "FILE")
    static let walkedResource = Option("resource", of: "check", argument: "URL")
    static let offline = Option("offline")
    static let register = Option("register")
    static let acceptCache = Option("accept-cache")

    package static let specification = CommandSpecification(
        name: "check",
        options: [infoPlist, entitlements, walkedResource, register, offline, acceptCache, OutputFormat.option])

    private let settings: Settings
    private let examination: SetupExamination
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        if options.has(Self.register) {
            guard options[Self.walkedResource] != nil else {
                throw .missingOperand("--resource with --register", command: "check")
            }
            if options.has(Self.offline) { throw .both("--\(Self.register.long)", "--\(Self.offline.long)") }
        }
        if options[Self.entitlements] != nil, options[Self.infoPlist] == nil {
            throw .missingOperand("--info-plist with --entitlements", command: "check")
        }
        examination = SetupExamination(
            settings: settings, infoPlist: options[Self.infoPlist], entitlements: options[Self.entitlements],
            resource: try Demand.url(options[Self.walkedResource]), registers: options.has(Self.register),
            isOffline: options.has(Self.offline), acceptsCache: options.has(Self.acceptCache))
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report = try await interruptible { await examination.report(in: surroundings) }
        let look = OutputLook(settings, in: surroundings)
        try surroundings.output.write(format == .json ? report.json.document : report.text(look))
        return ExitCode(report.worst)
    }
}

extension ExitCode {
    /// The exit status for the first area with a failed check: that of a sign-in, if it would fail in the same way.
    init(_ section: CheckReport.Section?) {
        if let failure = section?.findings.lazy.compactMap(\.failure).first {
            self.init(failure)
            return
        }
        switch section?.area {
        case nil: self = .done
        case .configuration, .application: self = .configuration
        case .resource, .authority: self = .network
        case .cache: self = .store
        case .machine: self = .failed
        }
    }
}

import KeyturnSystem
import MSAL
import TerminalUI

package enum Program {
    package static func run(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        // The input may not have ended.
        defer { TypedInput.restoreAtExit() }
        guard Invocation.wantsJSON(arguments) else {
            return await withSignalNotices(watches: false) {
                tell($0, in: surroundings)
            } _: {
                await execute(arguments, in: surroundings)
            }
        }
        let errorWriter = ErrorWriter(on: surroundings.errors)
        var inside = surroundings
        inside.errorWriter = errorWriter
        // A signal that ends the process completes the JSON object first.
        return await withSignalNotices(watches: true) {
            if case .ended(let interrupted) = $0 { errorWriter.finish(with: Failure(reporting: interrupted)) }
        } _: { [inside] in
            await execute(arguments, in: inside)
        }
    }

    private static func tell(_ notice: SignalNotice, in surroundings: Surroundings) {
        switch notice {
        case .finishing:
            finishEchoedLine(in: surroundings)
            surroundings.tell(
                "Finishing a token request, for \(Int(OneTimeWork.grace)) seconds at most. "
                    + "Another signal ends it at once.\n")
        case .ended(let interrupted):
            if !interrupted.outcome.isEmpty { surroundings.tell(Failure(reporting: interrupted).text) }
        }
    }

    /// The terminal has echoed ^C within a line.
    private static func finishEchoedLine(in surroundings: Surroundings) {
        if surroundings.errors.isTerminal { surroundings.tell("\n") }
    }

    private static func execute(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        var suggested: SuggestedCommand?
        var isSignIn = false
        do {
            switch try Invocation.read(arguments) {
            case .version:
                try surroundings.output.write(
                    surroundings.errorWriter != nil ? VersionDocument.json.document : "keyturn \(Release.version)\n")
            case .run(let command, let options):
                isSignIn = command is SignInCommand
                let demand = (command as? CallCommand)?.demand ?? (command as? MCPCommand)?.demand
                suggested = SuggestedCommand(options, resource: demand?.atServer(in: surroundings.environment).resource)
                LogDetail(options).begin(on: surroundings.errors)
                let exitCode = try await performOrOfferSetUp(command, options, in: surroundings)
                surroundings.errorWriter?.finish(with: nil)
                return exitCode
            }
            return .done
        } catch {
            return report(error, suggested, isSignIn: isSignIn, in: surroundings)
        }
    }

    private static func performOrOfferSetUp(
        _ command: any Subcommand, _ options: ParsedOptions, in surroundings: Surroundings
    ) async throws -> ExitCode {
        let settings = try Settings(options)
        do { return try await perform(command, settings, in: surroundings) } catch let failure as ConfigurationError {
            let offer = SetUpOffer(failure, command, options, in: surroundings)
            guard
                let exitCode = try await offer?.run({ try await perform(command, settings, in: surroundings) })
            else { throw failure }
            return exitCode
        }
    }

    private static func perform(
        _ command: any Subcommand, _ settings: Settings, in surroundings: Surroundings
    ) async throws -> ExitCode {
        if let seconds = settings.timeLimit { limitTime(seconds: seconds) }
        let slowRequests =
            settings.isQuiet ? nil : MSALHTTPConfig.SlowRequests { surroundings.tell("  \(Printable.sanitize($0))\n") }
        // The user is ready to wait so long for one server too.
        return try await MSALHTTPConfig.$requestTimeout.withValue(settings.timeLimit.map(Double.init)) {
            try await MSALHTTPConfig.$slowRequests.withValue(slowRequests) { try await command.run(in: surroundings) }
        }
    }

    package static func reject(
        _ failure: WakeUpFailure, _ arguments: [String], in surroundings: Surroundings
    ) -> ExitCode {
        var inside = surroundings
        inside.errorWriter = Invocation.wantsJSON(arguments) ? ErrorWriter(on: surroundings.errors) : nil
        let limit = SystemLimit(creating: failure.code, otherwise: .openFiles)
        return report(
            Failure(.failed, name: "start", "keyturn can't start: \(limit.problem).", nextStep: "\(limit.remedy)."),
            in: inside)
    }

    private static func report(
        _ error: any Error, _ suggested: SuggestedCommand? = nil, isSignIn: Bool = false, in surroundings: Surroundings
    ) -> ExitCode {
        var report = Failure(reporting: error)
        if let suggested { report.advice = suggested.complete(report.advice) }
        surroundings.errorWriter?.finish(with: report)
        if !isSilent(error) {
            surroundings.tell(report.text(columns: surroundings.columns(of: surroundings.errors)))
        } else if error is Interrupted {
            finishEchoedLine(in: surroundings)
            if isSignIn, surroundings.errors.isTerminal { surroundings.tell("Cancelled.\n") }
        }
        return report.exitCode
    }

    private static func isSilent(_ error: any Error) -> Bool {
        (error as? Interrupted)?.outcome.isEmpty == true || (error as? TextSinkFailure)?.isClosedPipe == true
    }
}

/// The log level on standard error. The log never contains tokens, codes or names of users.
package enum LogDetail: Sendable, Equatable {
    case none
    /// `-v`: steps.
    case steps
    /// `-vv`: details.
    case everything

    init(_ options: ParsedOptions) {
        let count = options.given.count { $0.option == .verbose }
        self = options.has(.quiet) || count == 0 ? .none : count == 1 ? .steps : .everything
    }

    private var level: MSALLogLevel? {
        switch self {
        case .none: nil
        case .steps: .info
        case .everything: .verbose
        }
    }

    /// Whether to log the whole text of a server's error. On a terminal it may fill the screen, or imitate this program's text.
    func showsServerTexts(on sink: any TextSink) -> Bool { self == .everything && !sink.isTerminal }

    func begin(on sink: any TextSink) {
        guard let level else { return }
        MSALGlobalConfig.loggerConfig.logLevel = level
        MSALGlobalConfig.loggerConfig.showsServerTexts = showsServerTexts(on: sink)
        MSALGlobalConfig.loggerConfig.setLogCallback { _, message, _ in
            // Ignores a closed pipe.
            if let message { try? sink.write("keyturn: log: \(message)\n") }
        }
    }
}

/// Offers the set-up, or the demo, to a user whose command has no configuration. Never in scripts.
struct SetUpOffer {
    /// Commands that a newcomer tries first, and whether they run after the set-up. The set-up itself ends in a sign-in.
    private static let commands: [(command: any Subcommand.Type, runsAfterwards: Bool)] = [
        (SignInCommand.self, false), (AccountsCommand.self, true), (TokenCommand.self, true),
    ]

    private let options: ParsedOptions
    private let runsAfterwards: Bool
    private let surroundings: Surroundings

    /// `nil` where there is nothing to offer: for another failure or command, or without a user who can be prompted.
    init?(
        _ failure: ConfigurationError, _ command: any Subcommand, _ options: ParsedOptions,
        in surroundings: Surroundings
    ) {
        let fitting = Self.commands.first { $0.command == type(of: command) }
        // Options that the set-up would ignore, and those of scripts.
        let others: [Option] = [
            .profile, .clientID, .authority, .redirectURI, .cache, .timeout, Demand.resource, Demand.noInteraction,
        ]
        guard failure.kind == .missing, let fitting, surroundings.hasTerminal, surroundings.canPrompt,
            !others.contains(where: options.has)
        else { return nil }
        self.options = ParsedOptions(given: options.given.filter { Option.everywhere.contains($0.option) })
        runsAfterwards = fitting.runsAfterwards
        self.surroundings = surroundings
    }

    /// Runs what the user chooses. Returns the exit status of the command, or `nil` if it should report the failure.
    func run(_ again: () async throws -> ExitCode) async throws -> ExitCode? {
        surroundings.prompt("No configuration yet. Set up Keyturn now? (Enter: yes, d: demo without set-up, n: no): ")
        switch await surroundings.typedLine()?.lowercased() {
        case "", "y", "yes":
            _ = try await OpenCommand(options).run(in: surroundings)
            guard try Settings(options).hasProfile(in: surroundings.environment) else { return nil }
            return runsAfterwards ? try await again() : .done
        case "d", "demo": return try await DemoCommand(options).run(in: surroundings)
        case nil:
            // The input has ended in the line of the question.
            surroundings.prompt("\n")
            return nil
        default: return nil
        }
    }
}

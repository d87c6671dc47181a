import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

/// Runs a command line.
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
                    surroundings.errorWriter != nil
                        ? VersionDocument.json.document : "keyturn \(Release.version)\n")
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
        do {
            return try await perform(command, settings, in: surroundings)
        } catch let failure as ConfigurationError {
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
            settings.isQuiet
            ? nil : MSALHTTPConfig.SlowRequests { surroundings.tell("  \(Printable.sanitize($0))\n") }
        // The user is ready to wait so long for one server too.
        return try await MSALHTTPConfig.$requestTimeout.withValue(settings.timeLimit.map(Double.init)) {
            try await MSALHTTPConfig.$slowRequests.withValue(slowRequests) {
                try await command.run(in: surroundings)
            }
        }
    }

    /// Reports that the program can't start.
    package static func reject(
        _ failure: WakeUpFailure, _ arguments: [String], in surroundings: Surroundings
    ) -> ExitCode {
        var inside = surroundings
        inside.errorWriter = Invocation.wantsJSON(arguments) ? ErrorWriter(on: surroundings.errors) : nil
        let limit = SystemLimit(creating: failure.code, otherwise: .openFiles)
        return report(
            Failure(
                .failed, name: "start", "keyturn can't start: \(limit.problem).", nextStep: "\(limit.remedy)."),
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

    /// Whether the user or the reader of the output ended the command, and needs no text about it.
    private static func isSilent(_ error: any Error) -> Bool {
        (error as? Interrupted)?.outcome.isEmpty == true || (error as? TextSinkFailure)?.isClosedPipe == true
    }
}

import Glibc
import MSAL
import Tasks

/// The program: arguments in, exit code out.
package enum Program {
    package static func run(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        let asJSON = Invocation.asksForJSON(arguments)
        var inside = surroundings
        inside.reportsToProgram = asJSON
        var suggested: SuggestedCommand?
        do {
            switch try Invocation.read(arguments) {
            case .help(let specification): try surroundings.output.write(Help.text(for: specification))
            case .version: try surroundings.output.write("keyturn \(EmbeddedResource.version)\n")
            case .run(let command, let options):
                suggested = SuggestedCommand(options)
                LogDetail(options).begin(on: surroundings.errors)
                return try await command.run(in: inside)
            }
            return .done
        } catch {
            return report(error, suggested, in: surroundings, asJSON: asJSON)
        }
    }

    /// What is left when there is nothing to run on.
    package static func refuse(
        _ failure: WakeUpFailure, _ arguments: [String], in surroundings: Surroundings
    ) -> ExitCode {
        let reason = String(cString: strerror(failure.code))
        return report(
            CommandFailure(
                .failed, name: "start", "keyturn cannot begin, because it may not open what it needs: \(reason).",
                nextStep: "Raise the limit of open files (ulimit -n 256), or end what uses them up."),
            in: surroundings, asJSON: Invocation.asksForJSON(arguments))
    }

    private static func report(
        _ error: any Error, _ suggested: SuggestedCommand? = nil, in surroundings: Surroundings, asJSON: Bool
    ) -> ExitCode {
        switch error {
        case let interrupted as Interrupted:
            return ExitCode(interrupted)
        case let failure as TextSinkFailure where failure.isClosedPipe:
            return .failed
        default:
            var report = FailureReport(error)
            if let suggested { report.nextStep = suggested.complete(report.nextStep) }
            surroundings.tell(asJSON ? report.json : report.text)
            return report.exitCode
        }
    }
}

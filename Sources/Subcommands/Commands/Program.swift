import Glibc
import MSAL
import Tasks

/// The program: arguments in, exit code out.
package enum Program {
    package static func run(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        var inside = surroundings
        inside.errorObject = Invocation.asksForJSON(arguments) ? ErrorObject(on: surroundings.errors) : nil
        var suggested: SuggestedCommand?
        do {
            switch try Invocation.read(arguments) {
            case .help(let specification): try surroundings.output.write(Help.text(for: specification))
            case .version: try surroundings.output.write("keyturn \(EmbeddedResource.version)\n")
            case .run(let command, let options):
                suggested = SuggestedCommand(options)
                LogDetail(options).begin(on: surroundings.errors)
                let exitCode = try await command.run(in: inside)
                inside.errorObject?.end(with: nil)
                return exitCode
            }
            return .done
        } catch {
            return report(error, suggested, in: inside)
        }
    }

    /// What is left when there is nothing to run on.
    package static func refuse(
        _ failure: WakeUpFailure, _ arguments: [String], in surroundings: Surroundings
    ) -> ExitCode {
        let reason = String(cString: strerror(failure.code))
        var inside = surroundings
        inside.errorObject = Invocation.asksForJSON(arguments) ? ErrorObject(on: surroundings.errors) : nil
        return report(
            CommandFailure(
                .failed, name: "start", "keyturn cannot begin, because it may not open what it needs: \(reason).",
                nextStep: "Raise the limit of open files (ulimit -n 256), or end what uses them up."),
            in: inside)
    }

    private static func report(
        _ error: any Error, _ suggested: SuggestedCommand? = nil, in surroundings: Surroundings
    ) -> ExitCode {
        switch error {
        case let interrupted as Interrupted:
            surroundings.errorObject?.end(with: nil)
            return ExitCode(interrupted)
        case let failure as TextSinkFailure where failure.isClosedPipe:
            surroundings.errorObject?.end(with: nil)
            return .failed
        default:
            var report = FailureReport(error)
            if let suggested { report.nextStep = suggested.complete(report.nextStep) }
            surroundings.errorObject?.end(with: report)
            surroundings.tell(report.text)
            return report.exitCode
        }
    }
}

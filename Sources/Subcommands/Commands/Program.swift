import Glibc
import MSAL
import Tasks

/// Runs a command line.
package enum Program {
    package static func run(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        var inside = surroundings
        inside.errorObject = Invocation.asksForJSON(arguments) ? ErrorObject(on: surroundings.errors) : nil
        var suggested: SuggestedCommand?
        do {
            switch try Invocation.read(arguments) {
            case .version:
                try surroundings.output.write(
                    Invocation.asksForJSON(arguments)
                        ? JSONText.document(VersionDocument()) : "keyturn \(EmbeddedResource.version)\n")
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

    /// Reports that the program can't start.
    package static func refuse(
        _ failure: WakeUpFailure, _ arguments: [String], in surroundings: Surroundings
    ) -> ExitCode {
        let reason = String(cString: strerror(failure.code))
        var inside = surroundings
        inside.errorObject = Invocation.asksForJSON(arguments) ? ErrorObject(on: surroundings.errors) : nil
        return report(
            CommandFailure(
                .failed, name: "start", "keyturn can't start: \(reason).",
                nextStep: "Raise the limit of open files (ulimit -n 256)."),
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

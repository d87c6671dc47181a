import Foundation
import KeyturnSystem
import MSAL

extension ClientSecretSource {
    /// The library's source. Nothing is read or run before a request needs the secret.
    var source: MSALClientSecret {
        switch self {
        case .file(let path): .file(URL(fileURLWithPath: path))
        case .stored: .stored
        case .entered(let secret): .provider { secret }
        case .environment(let name):
            .provider {
                let secret = ProcessEnvironment.variables[name]
                if let secret, !secret.isEmpty { return secret }
                throw Self.unusable(
                    "The variable \(name) for the client secret \(secret == nil ? "isn't set" : "is empty").",
                    "Set it, and try again.")
            }
        case .command(let command): .provider { try await Self.output(of: command) }
        }
    }

    /// The first line that a command prints. Nothing of it becomes part of an error.
    private static func output(of command: [String]) async throws -> String {
        let environment = ProcessEnvironment.variables
        let name = command.first ?? ""
        let subject = "The command \(name) for the client secret"
        if let distrust = FileTrust.distrust(ofCommand: command, searchPath: environment["PATH"] ?? "") {
            throw unusable("\(subject) is unsafe: \(distrust.problem).", "\(distrust.remedy).")
        }
        let notice = MSALHTTPConfig.slowRequests.map { listener in
            Task(executorPreference: ThreadPool.current) {
                try await sleep(for: .seconds(2))
                listener.tell("Waiting for the command \(name), which prints the client secret")
            }
        }
        defer { notice?.cancel() }
        guard let result = await ExternalProgram.run(command, environment: environment) else {
            throw unusable("\(subject) doesn't exist, or can't be started.", "Correct it in the profile.")
        }
        switch result.status {
        case 0 where result.output.isEmpty:
            throw unusable("\(subject) printed nothing.", "Run it in a terminal to see why.")
        case 0: return String(result.output.prefix { !$0.isNewline })
        case ExternalProgram.overdue:
            throw unusable(
                "\(subject) took longer than \(Int(ExternalProgram.patience)) s.",
                "Run it in a terminal: it must not ask.")
        default: throw unusable("\(subject) failed (status \(result.status)).", "Run it in a terminal to see why.")
        }
    }

    private static func unusable(_ reason: String, _ nextStep: String) -> NSError {
        NSError(
            domain: Failure.programDomain, code: Int(ExitCode.configuration.rawValue),
            userInfo: [NSLocalizedDescriptionKey: reason, NSLocalizedRecoverySuggestionErrorKey: nextStep])
    }
}

import Foundation
import Glibc
import KeyturnSystem
import LoopbackHTTP
import MSAL

/// A server for other programs of the user, while a command runs or until the user ends it.
struct Door: Sendable {
    let server: LoopbackServer
    /// The variables by which a program finds the door.
    let variables: [String: String]

    /// A secret of this run, which fits in a path.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    static func failure(_ failure: LoopbackServerFailure, nextStep: String) -> Failure {
        Failure(.failed, name: "cannotListen", failure.reason, nextStep: nextStep)
    }

    /// The environment of a program whose requests to this computer use no proxy: it would get the secret.
    static func withoutProxy(_ environment: [String: String]) -> [String: String] {
        let names = ["NO_PROXY", "no_proxy"]
        let others = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let value = [others, "127.0.0.1"].compactMap(\.self).joined(separator: ",")
        return Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
    }

    /// Serves until the program ends, whose status is this one's; without a program until a signal.
    ///
    /// - Parameter announcement: what to print when there is no program.
    func serve(_ command: [String], announcement: String, in surroundings: Surroundings) async throws -> ExitCode {
        do throws(LoopbackServerFailure) { try server.serve() } catch {
            throw Self.failure(error, nextStep: "Try again.")
        }
        defer { server.stop() }
        guard command.isEmpty else {
            let environment = surroundings.environment.merging(variables) { $1 }
            let exit = try await RunningProgram.run(command, environment)
            server.stop()
            ProcessReplacement.end(with: exit)
        }
        try surroundings.output.write(announcement)
        do {
            try await interruptible { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return .done
        } catch let interrupted as Interrupted {
            // SIGTERM stops a service; the other signals interrupt a command.
            return interrupted.signal == SIGTERM ? .done : ExitCode(interrupted)
        }
    }
}

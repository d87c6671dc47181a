import Foundation
import KeyturnSystem
import Testing

@testable import Subcommands

/// What a command without a configuration says and offers.
@Suite("The offer to set up") struct SetUpOfferTests {
    private static let failure = "keyturn: No configuration.\n"
    private static let question = "No configuration yet. Set up Keyturn now?"

    /// Runs a command line in a home without a configuration, where the user types these lines at a terminal.
    private func run(
        _ line: String, typing lines: [String], isTerminal: Bool = true, config: String? = nil
    ) async throws -> (code: ExitCode, output: String, errors: String) {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let columns = isTerminal ? 80 : nil
        let (output, errors) = (MemorySink(columns: columns), MemorySink(columns: columns))
        let environment = ["HOME": folder.path, "LANG": "C.UTF-8"].merging(
            config.map { ["KEYTURN_CONFIG": $0] } ?? [:]
        ) { $1 }
        var surroundings = Surroundings.test(environment, output: output, errors: errors)
        surroundings.hasTerminal = isTerminal
        surroundings.hasTypedInput = isTerminal
        let left = Locked(lines)
        surroundings.typedLine = { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let code = await Program.run(line.split(separator: " ").map(String.init), in: surroundings)
        return (code, output.text, errors.text)
    }

    @Test(
        "The failure names the set-up and the demo", arguments: ["sign-in", "accounts", "token", "claims", "remove a"])
    func hint(_ line: String) async throws {
        let result = try await run(line, typing: [], isTerminal: false)
        #expect(result.code == .configuration && result.errors.hasPrefix(Self.failure))
        #expect(result.errors.contains("Run 'keyturn' to set it up, ") && result.errors.contains("'keyturn demo' "))
    }

    @Test("At a terminal, a newcomer's commands offer both", arguments: ["sign-in", "accounts", "token"])
    func offers(_ line: String) async throws {
        for lines in [["n"], ["what"], []] {
            let result = try await run(line, typing: lines)
            #expect(result.code == .configuration && result.output == "")
            #expect(result.errors.hasPrefix(Self.question) && result.errors.contains(Self.failure), "\(result.errors)")
        }
    }

    @Test(
        "Nothing is offered for other commands, other failures and scripts",
        arguments: [
            "claims", "remove a", "token --no-interaction", "token -o json", "sign-in --client-id a",
            "accounts --profile a", "token --timeout 86400", "call --scope a https://a.example",
        ])
    func offersNothing(_ line: String) async throws {
        let result = try await run(line, typing: [""])
        #expect(result.code == .configuration && !result.errors.contains(Self.question), "\(result)")
    }

    @Test("A file that was named and is missing is another failure")
    func named() async throws {
        let result = try await run("token", typing: [""], config: "/nowhere/config.json")
        #expect(result.code == .configuration && !result.errors.contains(Self.question), "\(result)")
    }
}

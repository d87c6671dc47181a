import Foundation
import KeyturnSystem
import MSAL

package struct ExecCommand: Subcommand {
    private static let variable = Option("env", argument: "NAME[=SCOPE]", isRepeatable: true)
    private static let tokenFile = Option("token-file", argument: "FILE")

    package static let specification = CommandSpecification(
        name: "exec", options: [variable, tokenFile, Demand.scope] + Demand.options, operand: "COMMAND",
        takesAnyWords: true, stopsAtOperand: true)

    @Boxed private var demand: Demand
    private let variables: [Variable]
    private let options: ParsedOptions

    private struct Variable {
        let name: String
        /// Empty for the request's own.
        let scopes: [String]

        init(_ text: String) throws(UsageError) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            scopes = parts.count > 1 ? parts[1].split(separator: " ").map(String.init) : []
            name = parts[0]
            guard name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil, scopes.allSatisfy(\.isScope),
                parts.count == 1 || !scopes.isEmpty
            else { throw .badArgument(ExecCommand.variable, argument: text, wanted: "NAME or NAME=SCOPE") }
        }
    }

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
        let variables = try options.all(Self.variable).map(Variable.init)
        self.variables =
            variables.isEmpty && !options.has(Self.tokenFile) ? [try Variable("KEYTURN_ACCESS_TOKEN")] : variables
        if options.operands.first?.isEmpty != false {
            throw .missingOperand("COMMAND", command: Self.specification.name)
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let command = options.operands
        try RunningProgram.check(command, in: surroundings.environment)
        let desk = try TokenDesk(demand, carries: true, in: surroundings)
        var environment = surroundings.environment
        var expiries: [Date] = []
        for variable in variables {
            let demand = variable.scopes.isEmpty ? demand : demand.naming(variable.scopes)
            let token = try await desk.token(for: demand).printed()
            environment[variable.name] = token.text
            expiries += [token.expiresOn].compactMap(\.self)
        }
        // As with `token -o env`.
        environment["KEYTURN_EXPIRES_ON"] = expiries.min()?.ISO8601Format()
        guard let file = options[Self.tokenFile] else {
            // A limit is Keyturn's: the program would be killed later, without a reason.
            alarm(0)
            let code = ProcessReplacement.become(command, environment)
            throw RunningProgram.notStarted(command, code: code, environment)
        }
        let tokenFile = TokenFile(
            path: file, desk: desk, demand: demand, program: command[0].fileName,
            advise: SuggestedCommand(options).complete)
        // Before there is a file.
        let signals = RunningProgram.signals()
        let exit = try await tokenFile.present(in: surroundings) { [environment] close in
            alarm(0)
            return try await RunningProgram.run(command, environment, signals, closing: close)
        }
        ProcessReplacement.end(with: exit)
    }
}

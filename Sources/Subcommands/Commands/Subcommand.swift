/// One command: options in, engine, result out.
package protocol Subcommand: Sendable {
    static var specification: CommandSpecification { get }

    /// Takes what it needs from the options, or says what is wrong with them. Nothing is read or opened yet.
    init(_ options: ParsedOptions) throws(UsageError)

    /// Does it. What it throws is written as an error and becomes the exit code.
    func run(in surroundings: Surroundings) async throws -> ExitCode
}

import Testing

@testable import Subcommands

@Suite("Options")
struct OptionParserTests {
    static let scope = Option("scope", argument: "S", "a scope")
    static let format = Option("output", short: "o", argument: "FORMAT", choices: ["token", "json", "header"], "how")
    static let force = Option("force-refresh", "asks anew")
    static let form = Option("form", "a neighbour of force")
    static let verbose = Option("verbose", short: "v", "says more")
    static let parser = OptionParser(options: [scope, format, force, form, verbose], command: "token")

    struct Accepted: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var given: [(Option, String?)]
        var operands: [String] = []
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let accepted = [
        Accepted(arguments: [], given: []),
        Accepted(arguments: ["--scope", "a"], given: [(scope, "a")]),
        Accepted(arguments: ["--scope=a", "--scope=b"], given: [(scope, "a"), (scope, "b")]),
        Accepted(arguments: ["-o", "json"], given: [(format, "json")]),
        Accepted(arguments: ["-ojson"], given: [(format, "json")]),
        Accepted(arguments: ["-vojson"], given: [(verbose, nil), (format, "json")]),
        Accepted(arguments: ["--output", "json"], given: [(format, "json")]),
        Accepted(arguments: ["--sc", "a"], given: [(scope, "a")]),
        Accepted(arguments: ["ada", "-v", "bo"], given: [(verbose, nil)], operands: ["ada", "bo"]),
        Accepted(arguments: ["--", "-v"], given: [], operands: ["-v"]),
        Accepted(arguments: ["--scope", "-v"], given: [(scope, "-v")]),
    ]

    @Test("Parses", arguments: accepted)
    func reads(_ row: Accepted) throws {
        let parsed = try Self.parser.parse(row.arguments)
        #expect(parsed.given == row.given.map { ParsedOptions.Given(option: $0.0, argument: $0.1) })
        #expect(parsed.operands == row.operands)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var message: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let refused = [
        Refused(
            arguments: ["--scpoe", "a"],
            message: "there is no option --scpoe; did you mean --scope? See 'keyturn token --help'"),
        Refused(arguments: ["--zebra"], message: "there is no option --zebra. See 'keyturn token --help'"),
        Refused(arguments: ["--zebra=x"], message: "there is no option --zebra. See 'keyturn token --help'"),
        Refused(arguments: ["-x"], message: "there is no option -x. See 'keyturn token --help'"),
        Refused(arguments: ["-vx"], message: "there is no option -x. See 'keyturn token --help'"),
        Refused(
            arguments: ["--for"], message: "--for could be --force-refresh or --form. See 'keyturn token --help'"),
        Refused(arguments: ["--scope"], message: "--scope needs S: a scope. See 'keyturn token --help'"),
        Refused(arguments: ["--scope="], message: "--scope needs S: a scope. See 'keyturn token --help'"),
        Refused(arguments: ["-o"], message: "--output needs FORMAT: how. See 'keyturn token --help'"),
        Refused(
            arguments: ["--force-refresh=yes"],
            message: "--force-refresh takes no argument. See 'keyturn token --help'"),
        Refused(
            arguments: ["-o", "jsn"], message: "--output takes token, json or header, not 'jsn'; did you mean json?"),
        Refused(arguments: ["-o", "xml"], message: "--output takes token, json or header, not 'xml'."),
    ]

    @Test("Rejects with a one-line error", arguments: refused)
    func refuses(_ row: Refused) throws {
        let error = #expect(throws: UsageError.self) { try Self.parser.parse(row.arguments) }
        #expect(error?.message == row.message)
    }

    @Test("Stops at the command's name if requested")
    func stopsAtTheFirstOperand() throws {
        let parser = OptionParser(options: [Self.verbose], stopsAtFirstOperand: true)
        let parsed = try parser.parse(["-v", "token", "--scope", "a"])
        #expect(parsed.operands == ["token", "--scope", "a"])
    }

    @Test("The last value of an option counts")
    func lastWins() throws {
        #expect(try Self.parser.parse(["-o", "token", "-o", "json"])[Self.format] == "json")
    }
}

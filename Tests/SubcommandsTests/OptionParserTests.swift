import Foundation
import Testing

@testable import Subcommands

@Suite("Options")
struct OptionParserTests {
    static let scope = Option("scope", argument: "S")
    static let format = Option("output", short: "o", argument: "FORMAT", choices: ["token", "json", "header"])
    static let force = Option("force-refresh")
    static let form = Option("form")
    static let verbose = Option("verbose", short: "v")
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
        Accepted(
            arguments: ["-5", "\u{2212}5", "--scope=\u{2212}5"], given: [(scope, "\u{2212}5")],
            operands: ["-5", "\u{2212}5"]),
        Accepted(arguments: ["--scope", "-v"], given: [(scope, "-v")]),
    ]

    @Test("Parses", arguments: accepted)
    func reads(_ row: Accepted) throws {
        let parsed = try Self.parser.parse(row.arguments)
        #expect(parsed.given == row.given.map { ParsedOptions.Given(option: $0.0, argument: $0.1) })
        #expect(parsed.operands == row.operands)
    }

    struct Rejected: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var message: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rejected = [
        Rejected(
            arguments: ["--scpoe", "a"],
            message: "Unknown option --scpoe. Did you mean --scope? See 'keyturn help token'."),
        Rejected(arguments: ["--zebra"], message: "Unknown option --zebra. See 'keyturn help token'."),
        Rejected(arguments: ["--zebra=x"], message: "Unknown option --zebra. See 'keyturn help token'."),
        Rejected(
            arguments: ["-f"], message: "Unknown option -f. Did you mean --force-refresh? See 'keyturn help token'."),
        Rejected(arguments: ["-x"], message: "Unknown option -x. See 'keyturn help token'."),
        Rejected(arguments: ["-vx"], message: "Unknown option -x. See 'keyturn help token'."),
        Rejected(
            arguments: ["--for"], message: "--for is ambiguous: --force-refresh or --form. See 'keyturn help token'."),
        Rejected(arguments: ["--scope"], message: "--scope needs an argument: S. See 'keyturn help token'."),
        Rejected(arguments: ["--scope="], message: "--scope needs an argument: S. See 'keyturn help token'."),
        Rejected(arguments: ["-o"], message: "--output needs an argument: FORMAT. See 'keyturn help token'."),
        Rejected(
            arguments: ["--force-refresh=yes"],
            message: "--force-refresh takes no argument. See 'keyturn help token'."),
        Rejected(
            arguments: ["-o", "jsn"],
            message: "Invalid --output 'jsn'. Did you mean json? Use token, json or header."),
        Rejected(arguments: ["-o", "xml"], message: "Invalid --output 'xml'. Use token, json or header."),
    ]

    @Test("Rejects with a one-line error", arguments: rejected)
    func rejects(_ row: Rejected) throws {
        let error = #expect(throws: UsageError.self) { try Self.parser.parse(row.arguments) }
        #expect(error.map { "\($0.description) \($0.nextStep)" } == row.message)
    }

    @Test("Stops at the command's name if requested")
    func stopsAtTheFirstOperand() throws {
        let parser = OptionParser(options: [Self.verbose], stopsAtFirstOperand: true)
        let parsed = try parser.parse(["-v", "token", "--scope", "a"])
        #expect(parsed.operands == ["token", "--scope", "a"])
    }

    @Test("Another program runs the command in any folder")
    func words() {
        let given: [ParsedOptions.Given] = [
            .init(option: Self.verbose), .init(option: .config, argument: "/a/./b"),
            .init(option: .cache, argument: "c"),
            .init(option: Self.scope, argument: "c"), .init(option: Self.force),
        ]
        let words = ParsedOptions(given: given).words(without: Self.force)
        let file = FileManager.default.currentDirectoryPath + "/c"
        #expect(words == ["--verbose", "--config", "/a/./b", "--cache", file, "--scope", "c"])
    }

    @Test("The last value of an option counts")
    func lastWins() throws {
        #expect(try Self.parser.parse(["-o", "token", "-o", "json"])[Self.format] == "json")
    }
}

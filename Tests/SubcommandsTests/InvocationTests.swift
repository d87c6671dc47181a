import Foundation
import Testing

@testable import Subcommands

@Suite("Command lines")
struct InvocationTests {
    /// The command of a command line, as one word.
    private func kind(_ arguments: [String]) throws -> String {
        switch try Invocation.read(arguments) {
        case .help(let specification): "help \(specification.name)"
        case .version: "version"
        case .run(let command, _): "\(type(of: command))"
        }
    }

    @Test(
        "A command line and its command",
        arguments: [
            ("", "OpenCommand"), ("--profile a", "OpenCommand"), ("demo", "DemoCommand"),
            ("demo --tour", "DemoCommand"),
            ("authority --port 0", "AuthorityCommand"), ("sign-in --prompt login", "SignInCommand"),
            ("token -o json", "TokenCommand"), ("--profile a token", "TokenCommand"),
            ("token --profile a", "TokenCommand"), ("accounts", "AccountsCommand"), ("claims", "ClaimsCommand"),
            ("remove ada", "RemoveCommand"), ("remove -- -ada", "RemoveCommand"), ("remove --all", "RemoveCommand"),
            ("sign-out ada --browser", "SignOutCommand"),
            ("claims --token -", "ClaimsCommand"), ("completions fish", "CompletionsCommand"),
            ("complete -- token --no-such x y z", "CompleteCommand"), ("-vv token --plain", "TokenCommand"),
            ("--help", "help "),
            ("token --help", "help token"), ("remove --help", "help remove"), ("-h", "help "),
            ("--version", "version"), ("token --version", "version"), ("explain -50002", "ExplainCommand"),
            ("explain -", "ExplainCommand"),
        ])
    func asksFor(_ line: String, _ expected: String) throws {
        #expect(try kind(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(
        "A wrong command line and its error",
        arguments: [
            ("tokne", "there is no command 'tokne'; did you mean token? See 'keyturn --help'"),
            ("frobnicate", "there is no command 'frobnicate'. See 'keyturn --help'"),
            ("--tuor", "there is no option --tuor. See 'keyturn --help'"),
            ("--confg x", "there is no option --confg; did you mean --config? See 'keyturn --help'"),
            ("demo --tuor", "there is no option --tuor; did you mean --tour? See 'keyturn demo --help'"),
            ("sign-in --way device", "there is no option --way; did you mean --method? See 'keyturn sign-in --help'"),
            ("remove", "'keyturn remove' needs ACCOUNT or --all. See 'keyturn remove --help'"),
            ("remove a --all", "'keyturn remove' has no use for 'a beside --all'. See 'keyturn remove --help'"),
            ("sign-out", "'keyturn sign-out' needs ACCOUNT. See 'keyturn sign-out --help'"),
            ("login", "there is no command 'login'; did you mean sign-in? See 'keyturn --help'"),
            ("help token", "there is no command 'help'; did you mean --help? See 'keyturn --help'"),
            (
                "completions tcsh",
                "'keyturn completions' takes bash, zsh or fish, not 'tcsh'. See 'keyturn completions --help'"
            ),
            ("token --min-validity soon", "--min-validity takes a number of seconds, not 'soon'"),
            ("claims --token refresh", "--token takes id, access or -, not 'refresh'."),
            ("remove a b", "'keyturn remove' has no use for 'b'. See 'keyturn remove --help'"),
            ("token a", "'keyturn token' has no use for 'a'. See 'keyturn token --help'"),
            ("authority --port x", "--port takes a number from 0 to 65535, not 'x'"),
            ("authority --port 65536", "--port takes a number from 0 to 65535, not '65536'"),
            ("token --authority contoso", "--authority takes an https address, not 'contoso'"),
            ("token --authority http://contoso.com", "--authority takes an https address, not 'http://contoso.com'"),
        ])
    func wrong(_ line: String, _ message: String) {
        let error = #expect(throws: UsageError.self) {
            try Invocation.read(line.split(separator: " ").map(String.init))
        }
        #expect(error?.message == message)
    }

    @Test(
        "A request for JSON counts at any position, and beside other mistakes",
        arguments: [
            ("token -o json", true), ("token -ojson", true), ("token --output=json", true), ("token --out json", true),
            ("token --bogus -o json", true), ("token -o json --bogus", true),
            ("token --min-validity soon -o json", true),
            ("token -x -o json", true), ("token extra words -o json", true), ("tokne -o json", true),
            ("--bogus token -o json", true), ("-o json token", true), ("remove -o json", true),
            ("accounts --profile -o json", false), ("token -o jsn", false), ("token -o json -o header", false),
            ("token -o header -o json", true), ("token -- -o json", false), ("token -o", false), ("token", false),
            ("", false), ("claims --token - -o json", true),
        ])
    func asksForJSON(_ line: String, _ expected: Bool) {
        #expect(Invocation.asksForJSON(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(
        "A failure of a command that writes JSON is one JSON object on standard error",
        arguments: [
            "token -o json --bogus", "sign-in --tenant -o json -o json", "accounts extra -o json", "tokne -o json",
            "accounts -o json --config /nowhere/config.json", "sign-in -o json --config /nowhere/config.json",
            "explain nothing-that-is-known -o json",
            "import unified /nowhere/file -o json --config /nowhere/config.json",
        ])
    func failsInJSON(_ line: String) async throws {
        let errors = MemorySink()
        let output = MemorySink()
        let code = await Program.run(
            line.split(separator: " ").map(String.init), in: .test(output: output, errors: errors))
        #expect(code != .done)
        #expect(output.text == "")
        let document = try JSONSerialization.jsonObject(with: Data(errors.text.utf8)) as? [String: [String: Any]]
        #expect(document?.keys.sorted() == ["error"])
        #expect((document?["error"]?["description"] as? String)?.isEmpty == false)
    }

    static let commands = CommandTable.all.map { $0.specification.name }

    @Test("The help of every command has its usage, its options and an example", arguments: commands)
    func help(_ name: String) throws {
        guard case .help(let specification) = try Invocation.read([name, "--help"]) else {
            Issue.record("no help")
            return
        }
        let text = Help.text(for: specification)
        #expect(text.hasPrefix("Usage: keyturn \(name)"))
        #expect(text.contains("For example:\n  \(specification.example)\n"))
        #expect(specification.options.allSatisfy { !$0.sentence.isEmpty })
        for option in specification.options + Option.everywhere { #expect(text.contains("--\(option.long)")) }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("The examples of every command can be typed unchanged", arguments: commands)
    func example(_ name: String) throws {
        let command = try #require(CommandTable.all.first { $0.specification.name == name })
        let line = command.specification.example.split(separator: "|")[0]
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == "keyturn")
        #expect(try kind(Array(words.dropFirst())) == "\(command)")
    }

    @Test("The program's help lists every command")
    func overview() {
        let text = Help.text(for: OpenCommand.specification)
        for name in Self.commands { #expect(text.contains("\n  \(name) ")) }
    }

    @Test("No command's option hides a global one")
    func noClashes() {
        for command in CommandTable.all {
            let options = command.specification.options + Option.everywhere
            #expect(Set(options.map(\.long)).count == options.count)
            #expect(Set(options.compactMap(\.short)).count == options.compactMap(\.short).count)
        }
    }
}

import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Command lines")
struct InvocationTests {
    /// The command of a command line, as one word.
    private func kind(_ arguments: [String]) throws -> String {
        switch try Invocation.read(arguments) {
        case .version: "version"
        case .run(let command as HelpCommand, _):
            switch command.topic {
            case .command(let specification): "help \(specification.name)"
            case .options: "help options"
            }
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
            ("help", "help "), ("help token", "help token"), ("help options", "help options"),
            ("help help", "help help"),
            ("--version", "version"), ("token --version", "version"), ("--version -o json", "version"),
            ("-o json --version", "version"), ("token -o json --version", "version"),
            ("explain -50002", "ExplainCommand"), ("explain -", "ExplainCommand"),
        ])
    func asksFor(_ line: String, _ expected: String) throws {
        #expect(try kind(line.split(separator: " ").map(String.init)) == expected)
    }

    static let wrongLines = [
        ("tokne", "Unknown command 'tokne'. Did you mean token? See 'keyturn help'."),
        ("frobnicate", "Unknown command 'frobnicate'. See 'keyturn help'."),
        ("help tokne", "Unknown command 'tokne'. Did you mean token? See 'keyturn help'."),
        ("login", "Unknown command 'login'. Did you mean sign-in? See 'keyturn help'."),
        ("--tuor", "Unknown option --tuor. See 'keyturn help'."),
        ("--confg x", "Unknown option --confg. Did you mean --config? See 'keyturn help'."),
        ("demo --tuor", "Unknown option --tuor. Did you mean --tour? See 'keyturn help demo'."),
        ("sign-in --way device", "Unknown option --way. Did you mean --method? See 'keyturn help sign-in'."),
        ("step --profile a b", "Both PROFILE and --profile are given. Use PROFILE or --profile, not both."),
        ("claims --json", "Unknown option --json. Did you mean -o json? See 'keyturn help claims'."),
        ("token --format=json", "Unknown option --format. Did you mean --output? See 'keyturn help token'."),
        ("--json accounts", "Unknown option --json. Did you mean -o json after the command? See 'keyturn help'."),
        (
            "sign-in --use-device-code",
            "Unknown option --use-device-code. Did you mean --method device? See 'keyturn help sign-in'."
        ),
        ("token -u ann", "Unknown option -u. Did you mean --account? See 'keyturn help token'."),
        ("token -s a", "Unknown option -s. Did you mean --scope? See 'keyturn help token'."),
        ("claims -i", "Unknown option -i. See 'keyturn help claims'."),
        ("check -f", "Unknown option -f. See 'keyturn help check'."),
        ("call -I https://a.example", "Unknown option -I. Did you mean --request HEAD? See 'keyturn help call'."),
        ("remove", "'keyturn remove' needs ACCOUNT or --all. See 'keyturn help remove'."),
        ("remove a --all", "Both ACCOUNT and --all are given. Use ACCOUNT or --all, not both."),
        ("demo outage --fault expired", "Both SCENARIO and --fault are given. Use SCENARIO or --fault, not both."),
        ("remove a b", "'keyturn remove' doesn't accept 'b'. See 'keyturn help remove'."),
        ("sign-out", "'keyturn sign-out' needs ACCOUNT. See 'keyturn help sign-out'."),
        ("token a", "'keyturn token' doesn't accept 'a'. See 'keyturn help token'."),
        (
            "demo --authority https://a.example",
            "'keyturn demo' doesn't accept '--authority'. See 'keyturn help demo'."
        ),
        (
            "completions tcsh",
            "'keyturn completions' doesn't accept 'tcsh'. Use bash, zsh or fish. See 'keyturn help completions'."
        ),
        ("token --min-validity soon", "Invalid --min-validity 'soon'. Use a number of seconds."),
        ("claims --token refresh", "Invalid --token 'refresh'. Use id, access or -."),
        ("authority --port x", "Invalid --port 'x'. Use a number from 0 to 65535."),
        ("authority --port 65536", "Invalid --port '65536'. Use a number from 0 to 65535."),
        ("token --authority contoso", "Invalid --authority 'contoso'. Use an https URL."),
        (
            "token --authority http://localhostemail",
            "Invalid --authority 'http://localhostemail'. Use https: http works only on this computer."
        ),
        (
            "token --authority localhost:99999",
            "Invalid --authority 'localhost:99999'. Use a port from 1 to 65535, or none."
        ),
        ("sign-in --scope a\tb", "Invalid --scope 'a\tb'. Use the option once for each scope."),
        ("token --scope a,b", "Invalid --scope 'a,b'. Use the option once for each scope."),
        ("token --claims {bad", "Invalid --claims '{bad'. Use a JSON object of claims, or its base64."),
        ("--account ann token", "--account is an option of a command. Put it after the command."),
        ("-o json", "-o is an option of a command. Put it after the command."),
        ("call", "'keyturn call' needs URL. See 'keyturn help call'."),
        ("call nonsense", "'keyturn call' doesn't accept 'nonsense'. Use an https URL. See 'keyturn help call'."),
        (
            "call -H nonsense https://api.example",
            "Invalid --header '…'. Use 'NAME: VALUE', without spaces before or in the name."
        ),
        ("mcp", "'keyturn mcp' needs URL. See 'keyturn help mcp'."),
        ("mcp nonsense", "'keyturn mcp' doesn't accept 'nonsense'. Use an https URL. See 'keyturn help mcp'."),
        (
            "mcp --client emacs https://mail.example/mcp",
            "Invalid --client 'emacs'. Use claude-code, claude-desktop, codex, cursor, vscode or json."
        ),
        (
            "client-metadata https://a.b",
            "'keyturn client-metadata' doesn't accept 'https://a.b'. Use an https URL with a path, without a query. See 'keyturn help client-metadata'."
        ),
        ("logout", "Unknown command 'logout'. Did you mean sign-out? See 'keyturn help'."),
        ("--frobnicate", "Unknown option --frobnicate. See 'keyturn help'."),
        ("-x", "Unknown option -x. See 'keyturn help'."),
        ("--no", "--no is ambiguous: --no-color or --no-motion. See 'keyturn help'."),
        ("--config", "--config needs an argument: FILE. See 'keyturn help'."),
        ("--config=", "--config needs an argument: FILE. See 'keyturn help'."),
        ("--quiet=yes", "--quiet takes no argument. See 'keyturn help'."),
        ("token extra", "'keyturn token' doesn't accept 'extra'. See 'keyturn help token'."),
        (
            "token --forse-refresh",
            "Unknown option --forse-refresh. Did you mean --force-refresh? See 'keyturn help token'."
        ),
        ("token -o yaml", "Invalid --output 'yaml'. Use token, json, header, headers, env or exec-credential."),
        (
            "token -o jsno",
            "Invalid --output 'jsno'. Did you mean json? Use token, json, header, headers, env or exec-credential."
        ),
        ("token --min-validity -5", "Invalid --min-validity '-5'. Use a number of seconds."),
        (
            "token --authority http://login.example.org",
            "Invalid --authority 'http://login.example.org'. Use https: http works only on this computer."
        ),
        ("sign-in --method phone", "Invalid --method 'phone'. Use browser, paste, device, broker or url-handler."),
        ("sign-in --prompt none", "Invalid --prompt 'none'. Use select_account, login, consent or create."),
        (
            "sign-in --listen nowhere",
            "Invalid --listen 'nowhere'. Use [ADDRESS:]PORT or [ADDRESS:]FIRST-LAST, with ports from 1 to 65535."
        ),
        ("remove ann@contoso.example --all", "Both ACCOUNT and --all are given. Use ACCOUNT or --all, not both."),
        ("import", "'keyturn import' needs unified|adal|known. See 'keyturn help import'."),
        ("import unified", "'keyturn import' needs FILE. See 'keyturn help import'."),
        (
            "import keepass x",
            "'keyturn import' doesn't accept 'keepass'. Use unified, adal or known. See 'keyturn help import'."
        ),
        ("export unified", "'keyturn export' needs FILE. See 'keyturn help export'."),
        ("open-url", "'keyturn open-url' needs URL. See 'keyturn help open-url'."),
        ("completions", "'keyturn completions' needs bash|zsh|fish. See 'keyturn help completions'."),
        ("gate", "'keyturn gate' needs URL. See 'keyturn help gate'."),
        ("ssh", "'keyturn ssh' needs HOST. See 'keyturn help ssh'."),
        (
            "gate http://api.example",
            "'keyturn gate' doesn't accept 'http://api.example'. Use an https URL without a query. See 'keyturn help gate'."
        ),
        (
            "gate --allow /mail https://api.example",
            "Invalid --allow '/mail'. Use a method and a path, for example 'GET /mail/*'."
        ),
        (
            "gate --port 1 --socket a https://api.example",
            "Both --port and --socket are given. Use --port or --socket, not both."
        ),
        (
            "serve nonsense",
            "'keyturn serve' doesn't accept 'nonsense'. Use managed-identity. See 'keyturn help serve'."
        ),
        ("serve", "'keyturn serve' needs managed-identity. See 'keyturn help serve'."),
        ("watch --before soon", "Invalid --before 'soon'. Use a time from 1m to 24h, for example 90s, 30m or 1h."),
        ("watch --before 48h", "Invalid --before '48h'. Use a time from 1m to 24h, for example 90s, 30m or 1h."),
        ("exec", "'keyturn exec' needs COMMAND. See 'keyturn help exec'."),
        ("explain", "'keyturn explain' needs FILE|CODE|URL|TOKEN. See 'keyturn help explain'."),
        ("report extra", "'keyturn report' doesn't accept 'extra'. See 'keyturn help report'."),
        ("check --register", "'keyturn check' needs --resource with --register. See 'keyturn help check'."),
        (
            "check --register --offline --resource https://api.example",
            "Both --register and --offline are given. Use --register or --offline, not both."
        ),
        (
            "demo plain-sign-on",
            "Unknown scenario 'plain-sign-on'. Did you mean plain-sign-in? 'keyturn demo --list' lists the scenarios."
        ),
        (
            "authority --scenario plain-sign-on",
            "Unknown scenario 'plain-sign-on'. Did you mean plain-sign-in? 'keyturn demo --list' lists the scenarios."
        ),
        ("git-credential get", "'keyturn git-credential' needs --host URL. See 'keyturn help git-credential'."),
        ("git-credential install", "'keyturn git-credential' needs --host URL. See 'keyturn help git-credential'."),
        (
            "git-credential install --host a.example",
            "Invalid --host 'a.example'. Use the https URL of one host, without a path."
        ),
        (
            "git-credential install --host https://a/b",
            "Invalid --host 'https://a/b'. Use the https URL of one host, without a path."
        ),
        (
            "git-credential install --host http://a.example",
            "Invalid --host 'http://a.example'. Use the https URL of one host, without a path."
        ),
        (
            "git-credential install --host https://*.example",
            "Invalid --host 'https://*.example'. Use the https URL of one host, without a path."
        ),
        (
            "git-credential install --host https://a%0ab.example",
            "Invalid --host 'https://a%0ab.example'. Use the https URL of one host, without a path."
        ),
        (
            "git-credential install --host https://a.example?x",
            "Invalid --host 'https://a.example…'. Use the https URL of one host, without a path."
        ),
        ("token --timeout 0", "Invalid --timeout '0'. Use a number of seconds from 1 to 86400."),
        ("token --timeout 86401", "Invalid --timeout '86401'. Use a number of seconds from 1 to 86400."),
    ]

    @Test("A wrong command line has exit status 2, an error, and no output", arguments: wrongLines)
    func wrong(_ line: String, _ message: String) async {
        let words = line.split(separator: " ").map(String.init)
        let error = #expect(throws: UsageError.self) { try Invocation.read(words) }
        #expect(error.map { "\($0.description) \($0.nextStep)" } == message)
        #expect(error.map { $0.description.count < 60 } == true)
        let (output, errors) = (MemorySink(), MemorySink())
        #expect(await Program.run(words, in: .test(output: output, errors: errors)) == .usage)
        let failure = error.map { Failure(reporting: $0) }
        #expect(output.text == "")
        #expect(errors.text == (Invocation.wantsJSON(words) ? failure?.json() : failure?.text))
    }

    @Test(
        "What may be a secret is not repeated",
        arguments: [
            "claims --token eyJSECRET", "call foo?sig=SECRET", "call -H Cookie-SECRET https://a.example",
            "token eyJSECRET",
            "eyJSECRET", "call -H X:\u{7}SECRET https://a.example",
        ])
    func secrets(_ line: String) {
        let error = #expect(throws: UsageError.self) {
            try Invocation.read(line.split(separator: " ").map(String.init))
        }
        #expect(error?.description.contains("SECRET") == false, "\(error?.description ?? "")")
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
            ("", false), ("claims --token - -o json", true), ("exec kubectl -o json", false),
            ("exec -- kubectl -o json", false), ("ssh host kubectl -o json", false),
        ])
    func wantsJSON(_ line: String, _ expected: Bool) {
        #expect(Invocation.wantsJSON(line.split(separator: " ").map(String.init)) == expected)
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

    static let topics: [Help.Topic] =
        [.options, .command(OpenCommand.specification)] + CommandTable.all.map { .command($0.specification) }

    @Test("The help of a command has its usage, options and two or three examples", arguments: commands)
    func help(_ name: String) throws {
        let command = try #require(CommandTable.command(named: name)).specification
        let text = Help.text(for: .command(command), width: 200)
        #expect(text.hasPrefix("Usage: keyturn \(name)"))
        for option in command.options { #expect(text.contains("--\(option.long)")) }
        #expect((2...3).contains(command.examples.count))
        for example in command.examples { #expect(text.contains("\n  \(example)\n")) }
        #expect(text.hasSuffix("Global options: keyturn help options\n"))
        #expect(!text.contains("--no-motion"), "global options are listed once")
    }

    @Test("The file of the texts has each command and option, and no other")
    func texts() {
        let commands = CommandTable.all + [CommandTable.forShells, OpenCommand.self]
        let keys = EmbeddedResource.commands.object?.keys.sorted()
        #expect(keys == (commands.map { $0.specification.name } + ["options"]).sorted())
        let options = Option.everywhere + commands.flatMap { $0.specification.options }
        #expect(EmbeddedResource.commands["options"]?.object?.keys.sorted() == Set(options.map(\.row)).sorted())
        for option in options { #expect(!option.summary.isEmpty && option.description.hasPrefix(option.summary)) }
        for command in commands {
            let specification = command.specification
            #expect(!specification.summary.isEmpty && !specification.discussion.contains(""), "\(specification.name)")
        }
    }

    @Test("The help fits the width and breaks no words", arguments: topics.indices, [24, 40, 80, 200])
    func widths(topic: Int, width: Int) {
        let text = Help.text(for: Self.topics[topic], width: width)
        let wide = Help.text(for: Self.topics[topic], width: 10_000)
        func words(_ text: String) -> [Substring] { text.split { " \n".contains($0) }.filter { $0 != "\\" } }
        #expect(words(text) == words(wide))
        // A command to add to a file must be copied whole.
        let commands = Set(CommandTable.all.flatMap { $0.specification.terms?.rows ?? [] }.map(\.0))
        for line in text.split(separator: "\n")
        where line.count > width && !commands.contains(line.trimmingCharacters(in: .whitespaces)) {
            #expect(line.split(separator: " ").count <= 4, "only a long word is longer: \(line)")
        }
        if width == 80 { #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }) }
    }

    @Test("The descriptions of options are aligned")
    func columns() {
        let text = Help.text(for: .command(TokenCommand.specification), width: 80)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("  --") && $0.dropFirst(4).contains("  ") }
        let starts = rows.compactMap { row in row.dropFirst(4).firstRange(of: #/  +/#)?.upperBound.utf16Offset(in: row)
        }
        #expect(rows.count > 4 && Set(starts).count == 1)
    }

    @Test("keyturn help COMMAND and COMMAND --help print the same text")
    func sameHelp() async {
        var texts: [String] = []
        for line in [["help", "token"], ["token", "--help"], ["token", "-h"]] {
            let output = MemorySink(columns: 50)
            let surroundings = Surroundings.test(output: output, errors: MemorySink())
            #expect(await Program.run(line, in: surroundings) == .done)
            texts.append(output.text)
        }
        #expect(Set(texts) == [Help.text(for: .command(TokenCommand.specification), width: 50, .mono)])
        let plain = Help.text(for: .command(TokenCommand.specification), width: 50)
        #expect(!plain.contains("\u{1B}") && texts[0].replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain)
        for heading in ["Usage:", "Output formats:", "Options:", "Examples:"] {
            #expect(texts[0].contains("\u{1B}[0;1m\(heading)\u{1B}[0m"))
        }
    }

    @Test("The examples of every command can be typed unchanged", arguments: commands)
    func examples(_ name: String) throws {
        let command = try #require(CommandTable.command(named: name))
        for example in command.specification.examples {
            let quoted = example.split(separator: "|")[0].split(separator: "'", omittingEmptySubsequences: false)
            let words = quoted.enumerated().flatMap { index, part in
                index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
            }
            #expect(words.first == "keyturn")
            let kind = try kind(Array(words.dropFirst()))
            #expect(name == "help" ? kind.hasPrefix("help ") : kind == "\(command)")
        }
    }

    @Test("The program's help lists every command")
    func overview() {
        let text = Help.text(for: .command(OpenCommand.specification), width: 80)
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

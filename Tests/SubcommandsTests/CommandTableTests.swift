import DemoAuthority
import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

/// What each command prints in each situation, and its exit status. Rows that need a process, standard input, the user's own folders
/// or the schema of the JSON output are in `Tests/EndToEnd/tables/commands.py`, wrong command lines in ``InvocationTests``.
@Suite("Commands in each situation", .serialized, .oneSessionAtATime, .timeLimit(.minutes(5)))
struct CommandTableTests {
    enum Situation: String, CaseIterable {
        /// No configuration, no accounts.
        case nothing
        /// A configuration with two mistakes.
        case mistaken
        /// A configuration for the built-in authority, no accounts.
        case configured
        /// Ann is signed in. Rows that redeem her refresh token are `fresh`.
        case ann, fresh
        /// Ann and Wang are signed in.
        case two
        /// Ann is signed in, and the authority no longer responds.
        case gone
        /// A configuration for an authority that never responded.
        case unreachable
    }

    struct Row: Sendable {
        var situation: Situation
        var line: String
        var exitCode: ExitCode
        var output: String?
        var errors: String?

        /// - Parameters:
        ///   - output: a regular expression for a part of standard output; `nil` for no output.
        ///   - errors: the same for standard error.
        init(
            _ situation: Situation, _ line: String, _ exitCode: ExitCode = .done, output: String? = nil,
            errors: String? = nil
        ) {
            (self.situation, self.line, self.exitCode) = (situation, line, exitCode)
            (self.output, self.errors) = (output, errors)
        }
    }

    /// A home of a situation.
    private struct Home {
        let folder: TemporaryFolder
        let server: DemoAuthorityServer

        init(_ situation: Situation, _ server: DemoAuthorityServer) async throws {
            (folder, self.server) = (try TemporaryFolder(in: [:]), server)
            guard situation != .nothing else { return }
            let origin = situation == .unreachable ? "http://127.0.0.1:1" : "\(server.origin)"
            let mistakes = situation == .mistaken ? "\n\"clientID\": \"x\",\n\"method\": \"phone\"," : ""
            for path in ["/config", "/config/keyturn"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path + path, withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
            }
            try """
            { "defaultProfile": "test", "profiles": { "test": {\(mistakes)
              "clientId": "\(server.clientID)", "authority": "\(origin)/contoso", "authorityType": "aad",
              "knownAuthorities": ["\(origin)/contoso"], "scopes": ["User.Read"], "cache": { "key": "keyFile", "path": "tokens.db" } } } }
            """.write(toFile: folder.path + "/config/keyturn/config.json", atomically: true, encoding: .utf8)
            let users: [String] =
                switch situation {
                case .nothing, .mistaken, .configured, .unreachable: []
                case .ann, .fresh, .gone: ["ann@contoso.example"]
                case .two: ["ann@contoso.example", "wang@contoso.example"]
                }
            for user in users {
                let signIn = await run(["sign-in"], as: user)
                try #require(signIn.exitCode == .done, "\(signIn.errors)")
            }
        }

        /// A home with a copy of another's content.
        init(copyOf other: Home) throws {
            (folder, server) = (try TemporaryFolder(in: [:]), other.server)
            for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
                try FileManager.default.copyItem(
                    atPath: "\(other.folder.path)/\(name)", toPath: "\(folder.path)/\(name)")
            }
        }

        /// Runs a command line. Without a user, opening a page is an error.
        func run(_ words: [String], as username: String? = nil) async -> SignInTests.World.Outcome {
            let (output, errors) = (MemorySink(), MemorySink())
            var environment = ["HOME": folder.path, "LANG": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
            for name in ["CONFIG", "STATE", "CACHE"] {
                environment["XDG_\(name)_HOME"] = "\(folder.path)/\(name.lowercased())"
            }
            let user = server.directory.users.first { $0.username == username }.map(SignInTests.World.SeatedUser.init)
            var surroundings = Surroundings.test(environment, output: output, errors: errors) { address in
                guard let user else {
                    throw Failure(.failed, name: "test", "\(words) opened \(address).", nextStep: "")
                }
                try await user.walk(address) { _ in }
            }
            surroundings.canReachUser = user != nil
            // The tokens come from a real authority.
            surroundings.now = { .now }
            let exitCode = await Program.run(words, in: surroundings)
            return SignInTests.World.Outcome(exitCode: exitCode, output: output.text, errors: errors.text)
        }
    }

    private static let token = #"^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$"#
    private static let noConfiguration =
        #"^keyturn: No configuration\.\n +.*/keyturn/config\.json: no such file\.\n +Run 'keyturn' to set it up, or use "#
        + "--client-id"
    private static let signInFirst = #"^keyturn: No accounts\.\n +Run 'keyturn sign-in'\.\n$"#

    static let rows = [
        Row(
            .nothing, "open-url nowhere", .usage,
            errors: #"^keyturn: Not a URL\.\n +Enter the whole URL in quotes\.\n$"#),
        Row(
            .nothing, "call http://api.example/x", .usage,
            errors: #"^keyturn: http://api\.example/x doesn't use https\.\n"#),
        Row(
            .nothing, "mcp http://mail.example/mcp", .usage,
            errors: #"^keyturn: http://mail\.example/mcp doesn't use https\.\n"#),
        Row(.nothing, "--version", output: #"^keyturn \d+\.\d+\.\d+\n$"#),
        Row(
            .nothing, "--help",
            output:
                #"(?s)^Usage: keyturn .*\nSign in:\n  sign-in .*\nUse a token:\n  token  .*\nManage:\n.*Examples:\n  keyturn demo\n.*help options\n$"#
        ),
        Row(.nothing, "-h", output: #"^Usage: keyturn "#),
        Row(.nothing, "help", output: #"^Usage: keyturn \[options\] \[COMMAND\]\n"#),
        Row(.nothing, "token --help", output: #"(?s)^Usage: keyturn token .*Examples:\n  keyturn token"#),
        Row(
            .nothing, "help token", output: #"(?s)^Usage: keyturn token .*Examples:\n  keyturn token(?!.*--no-motion)"#),
        Row(.nothing, "help options", output: #"(?s)^Global options, .*--no-motion"#),
        Row(.nothing, "sign-out --help", output: #"(?s)^Usage: keyturn sign-out \[options\] ACCOUNT\n.*--browser"#),
        Row(.nothing, "remove --help", output: #"^Usage: keyturn remove \[options\] \[ACCOUNT\]\n"#),
        Row(.nothing, "completions --help", output: #"(?s)^Usage: keyturn completions .*eval"#),
        Row(
            .nothing, "", .usage,
            errors: #"^keyturn: The terminal program needs a terminal\.\n +Use 'keyturn --plain',"#),
        Row(.nothing, "call --help", output: #"(?s)^Usage: keyturn call \[options\] URL\n.*-d, --data"#),
        Row(.nothing, "mcp --help", output: #"(?s)^Usage: keyturn mcp \[options\] URL\n.*--client CLIENT"#),
        Row(
            .nothing, "mcp --client codex --ca-file ca.pem --client-secret-file s -q https://mail.example/mcp",
            output:
                #"^\[mcp_servers\.mail-example\]\ncommand = "/.*"\nargs = \["mcp","--ca-file","/.*/ca\.pem","--client-secret-file","/.*/s","--quiet","https://mail\.example/mcp"\]\n$"#
        ),
        Row(
            .nothing, "mcp --client vscode https://mail.example/mcp",
            output: #"(?s)^\{\n  "servers" : \{\n    "mail-example" : .*"type" : "stdio""#),
        Row(
            .nothing, "mcp --profile none https://mail.example/mcp", .configuration,
            errors: #"^keyturn: No configuration\.\n"#),
        Row(
            .nothing, "token --resource http://api.example", .configuration,
            errors: #"http://api\.example is not the URL of a resource: it must be an https URL"#),
        Row(.nothing, "client-metadata https://example.com/k.json", output: #""client_id":"https:.*/k\.json""#),
        Row(.configured, "token --challenge Basic", .failed, errors: #"contains no Bearer challenge"#),
        Row(.nothing, "demo --list-faults", output: #"^FAULT +CLIENTS MUST "#),
        Row(.mistaken, "--version", output: #"^keyturn "#),
        Row(.mistaken, "completions bash", output: #"complete -F _keyturn keyturn\n$"#),
        Row(.mistaken, "completions zsh", output: #"^#compdef keyturn\n"#),
        Row(.mistaken, "completions fish", output: #"complete --command keyturn "#),
        Row(.mistaken, "complete -- tok", output: #"^token\t.*\n$"#),
        Row(.mistaken, "complete -- --profile ''"),
        Row(
            .mistaken, "open-url msauth.org.keyturn.app://auth?code=1", .failed,
            errors: #"^keyturn: No sign-in is waiting\."#),
        Row(.nothing, "token", .configuration, errors: noConfiguration),
        Row(.nothing, "sign-in", .configuration, errors: noConfiguration),
        Row(.nothing, "accounts", .configuration, errors: noConfiguration),
        Row(.nothing, "claims", .configuration, errors: noConfiguration),
        Row(.nothing, "remove ann@contoso.example", .configuration, errors: noConfiguration),
        Row(.nothing, "sign-out ann@contoso.example", .configuration, errors: noConfiguration),
        Row(.nothing, "export unified {home}/x.json", .configuration, errors: noConfiguration),
        Row(.nothing, "watch", .configuration, errors: noConfiguration),
        Row(
            .mistaken, "accounts", .configuration,
            errors:
                #"^keyturn: The configuration is invalid\.\n +.*config\.json:2: profiles\.test\.clientID: unknown key\. "#
                + #"Did you mean "clientId"\?\n +.*config\.json:3: profiles\.test\.method: invalid value "phone"\. "#
                + "Use one of: "),
        Row(
            .nothing, "accounts --config {home}/none", .configuration,
            errors:
                #"^keyturn: Can't read the configuration\.\n +.*/none: No such file or directory\.\n +Use another with --config FILE\.\n$"#
        ),
        Row(.nothing, "accounts --config {home}", .configuration, errors: #": it is a folder\."#),
        Row(
            .configured, "accounts --profile other", .configuration,
            errors: #"no profile \"other\"\.\n +Use one of: test\.\n$"#),
        Row(.configured, "accounts", errors: #"^No accounts\. Run 'keyturn sign-in'\.\n$"#),
        Row(.configured, "accounts -q"),
        Row(.nothing, "status", .configuration, errors: noConfiguration),
        Row(.configured, "status", .interactionRequired, errors: #"^No accounts\. Run 'keyturn sign-in'\.\n$"#),
        Row(.ann, "status", output: #"^ann@contoso\.example  test  valid \d+ min, until .+\n$"#),
        Row(.gone, "status", output: #"^ann@contoso\.example  test  valid "#),
        Row(
            .ann, "status -o json",
            output: #"(?s)^\[\n.*"profile" : "test",.*"state" : "valid",.*"tokenExpiresOn" : "\S+Z""#),
        Row(
            .ann, "status --cache {home}/other.db -o json", .interactionRequired, output: #"^\[\n*\]\n$"#),
        Row(.configured, "accounts -o json", output: #"^\[\n*\]\n$"#),
        Row(.configured, "token", .interactionRequired, errors: signInFirst),
        Row(.configured, "token --no-interaction", .interactionRequired, errors: signInFirst),
        Row(.configured, "token --no-interaction -q", .interactionRequired, errors: signInFirst),
        Row(.configured, "token --no-interaction -o exec-credential", .interactionRequired, errors: signInFirst),
        Row(
            .configured, "token --no-interaction --account ann@contoso.example", .interactionRequired,
            errors: #"^keyturn: ann@contoso.example is not signed in\."#),
        Row(.configured, "claims", .interactionRequired, errors: signInFirst),
        Row(
            .configured, "remove ann@contoso.example", .failed,
            errors: #"^keyturn: No account ann@contoso.example in the cache\."#),
        Row(.configured, "remove --all", errors: #"^No accounts\.\n$"#),
        Row(
            .configured, "sign-out ann@contoso.example", .failed,
            errors: #"^keyturn: No account ann@contoso.example in the cache\."#),
        Row(
            .configured, "sign-in --method paste", .interactionRequired,
            errors: #"(?s)Open this URL .*keyturn: Standard input is closed or ended"#),
        Row(.configured, "sign-in --method paste -q", .interactionRequired, errors: #"^Open this URL "#),
        Row(
            .configured, "sign-in --method url-handler", .configuration,
            errors: #"(?s)^keyturn: The redirect URI http://localhost leads to a listener, .*keyturn register"#),
        Row(.configured, "register", .configuration, errors: #"^keyturn: http://localhost has no custom scheme\."#),
        Row(.configured, "import unified {home}/none", .failed, errors: #"^keyturn: .*/none"#),
        Row(.configured, "export unified {home}/x.json", errors: #"^Wrote 0 accounts to .*/x\.json\.\n$"#),
        Row(
            .ann, "accounts",
            output:
                #"^USERNAME +ENVIRONMENT +IDENTIFIER +TOKEN\nann@contoso.example  127\.0\.0\.1:\d+  [\w.-]+  valid \d+ min\n$"#
        ),
        Row(.ann, "token", output: token),
        Row(.ann, "token --plain --ascii --no-color --no-motion", output: token),
        Row(.ann, "token -o headers", output: #"^\{"Authorization":"Bearer eyJ[^"]+"\}\n$"#),
        Row(.configured, "gate http://127.0.0.1:9 --no-interaction -- true", .interactionRequired, errors: signInFirst),
        Row(.configured, "serve managed-identity --no-interaction -- true", .interactionRequired, errors: signInFirst),
        Row(.ann, "watch --profile none", .configuration, errors: #"^keyturn: Can.t select a profile\.\n"#),
        Row(.configured, "exec --no-interaction -- true", .interactionRequired, errors: signInFirst),
        Row(.nothing, "git-credential capability", output: #"^version 0\ncapability authtype\n$"#),
        Row(.ann, "token -o header", output: #"^Authorization: Bearer eyJ\S+\n$"#),
        Row(
            .ann, "token -o env",
            output:
                #"^export KEYTURN_ACCESS_TOKEN='eyJ\S+'\nexport KEYTURN_TOKEN_TYPE='Bearer'\nexport KEYTURN_EXPIRES_ON='\S+Z'\n$"#
        ),
        Row(.ann, "token --min-validity 60", output: token),
        Row(
            .fresh, "token --min-validity 999999", .failed,
            errors: #"^keyturn: The new token expires in less than 999999 seconds\."#),
        Row(.ann, "token --scope User.Read", output: token),
        Row(
            .fresh, "token --scope Mail.Read --no-interaction", .interactionRequired,
            errors: #"(?s)^keyturn: .*\(interactionRequired -50002, correlation ID "#),
        Row(.ann, "token --scope openid --scope User.Read", output: token),
        Row(.ann, "token --scope openid --scope offline_access", output: token),
        Row(.ann, "token --account ANN@CONTOSO.EXAMPLE", output: token),
        Row(
            .ann, "token --account wang@contoso.example --no-interaction", .interactionRequired,
            errors: #"wang@contoso\.example is not signed in"#),
        Row(.fresh, "token --tenant fabrikam --no-interaction", .interactionRequired, errors: #"AADSTS50020"#),
        Row(
            .fresh, "token --claims { --no-interaction", .usage,
            errors: #"^keyturn: Invalid --claims '{'\.\n +Use a JSON object of claims"#),
        Row(.fresh, "token -v --force-refresh", output: token, errors: #"^keyturn: log: (?!.*eyJ)(?!.*ann@)"#),
        Row(.fresh, "token -qv --force-refresh", output: token),
        Row(
            .ann, "claims",
            output:
                #"(?s)^Account  ann@contoso.example\n.*Checks of the ID token\n.*passed.*Claims of the ID token\n.*Claims of the access"#
        ),
        Row(.ann, "claims --token id", output: #"(?s)Claims of the ID token(?!.*access token)"#),
        Row(.ann, "claims --fail", output: #"passed +Signature"#),
        Row(.ann, "claims --fail --token access", .usage, errors: #"Both --fail and --token access are given"#),
        Row(
            .ann, "token --copy", .failed,
            errors:
                #"^keyturn: The token can't be copied\. There is no terminal\.\n +Print it instead: leave out --copy"#),
        Row(.ann, "claims --account nobody", .failed, errors: #"^keyturn: No account nobody in the cache\."#),
        Row(
            .ann, "remove ann@contoso.example",
            errors: #"^Removed ann@contoso.example\. 0 listed accounts left\.\nThe browser may still be signed in"#),
        Row(.ann, "remove ann@contoso.example -q"),
        Row(.ann, "remove --all", errors: #"^Removed ann@contoso.example"#),
        Row(
            .ann, "sign-out ann@contoso.example",
            errors: #"(?s)Removed ann@contoso.example.*The refresh token is revoked at "#),
        Row(.ann, "export unified {home}/x.json -q"),
        Row(.ann, "complete -- remove a", output: #"^ann@contoso.example\t127\.0\.0\.1:\d+\n$"#),
        Row(.ann, "complete -- token --scope ''", output: #"^User\.Read\t\n$"#),
        Row(.ann, "token --authority {authority}/common", output: token),
        Row(
            .ann, "token --authority https://login.example.org/other --no-interaction", .interactionRequired,
            errors:
                #"^keyturn: No account at https://login\.example\.org/other\.\n +Run 'keyturn sign-in --authority \S+'\.\n$"#
        ),
        Row(
            .ann, "token --client-id other --no-interaction", .interactionRequired,
            errors: #"^keyturn: No accounts\.\n +Run 'keyturn sign-in --client-id other'\.\n$"#),
        Row(
            .ann, "token --cache {home}/other.db --no-interaction", .interactionRequired,
            errors: #"^keyturn: No accounts\.\n +Run 'keyturn sign-in --cache \S+/other\.db'\.\n$"#),
        Row(.ann, "accounts --cache {home}/other.db -q"),
        Row(.mistaken, "explain AADSTS50076", output: #"AADSTS50076|50076"#),
        Row(
            .mistaken, "explain nothing-at-all", .failed,
            errors: #"^keyturn: Not recognised as an error code, URL, token, recording or log\."#),
        Row(.nothing, "check --offline", .configuration, output: #"(?s)."#),
        Row(.ann, "check --offline", output: #"(?s)."#),
        Row(
            .ann, "report --offline", output: #"(?s)^# Keyturn support report\n.*## Last token request\ninteractive, "#),
        Row(.nothing, "report --offline", output: #"(?s)\[failed\] Configuration.*None recorded\.\n$"#),
        Row(
            .two, "token --no-interaction", .usage,
            errors:
                #"^keyturn: Several accounts: .*\n +Choose one with --account, or a default: .keyturn accounts --default USER.\.\n$"#
        ),
        Row(.two, "token --account wang@contoso.example", output: token),
        Row(.two, "claims", .usage, errors: #"^keyturn: Several accounts: "#),
        Row(.two, "token --account wang", output: token),
        Row(
            .two, "accounts --default wang --no-default", .usage, errors: #"Both --default and --no-default are given"#),
        Row(.two, "accounts --default zoe", .failed, errors: #"^keyturn: No account zoe in the cache\."#),
        Row(.two, "remove ann@contoso.example", errors: #"1 listed account left"#),
        Row(.two, "remove --all", errors: #"(?s)1 listed account left.*0 listed accounts left"#),
        Row(.gone, "token", output: token),
        Row(.gone, "accounts", output: #"^USERNAME.*\nann@contoso.example"#),
        Row(
            .gone, "token --force-refresh", .network,
            errors: #"(?m)^keyturn: Can't reach 127\.0\.0\.1:\d+: Connection refused\.\n +Check the network"#),
        Row(.unreachable, "sign-in", .network, errors: #"Can't reach 127\.0\.0\.1:\d+: "#),
        Row(.unreachable, "sign-in -o json", .network, errors: #"\{"error":"#),
        Row(.unreachable, "token", .interactionRequired, errors: signInFirst),
    ]

    @Test("Prints what the table says, and suggests only commands that work there", arguments: Situation.allCases)
    func prints(_ situation: Situation) async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let home = try await Home(situation, server)
        defer { home.folder.remove() }
        if situation == .gone { server.stop() }
        var suggestions = 0
        for row in Self.rows where row.situation == situation {
            let own = situation == .fresh ? try await Home(situation, server) : try Home(copyOf: home)
            defer { own.folder.remove() }
            let words = Self.words(row.line, in: own.folder.path, "\(server.origin)")
            let outcome = await own.run(words)
            let text = "\(row.line)\n\(outcome)"
            #expect(outcome.exitCode == row.exitCode, "\(text)")
            #expect(try Self.fits(outcome.output, row.output) && Self.fits(outcome.errors, row.errors), "\(text)")
            #expect(!(outcome.output + outcome.errors).contains("\u{1B}"), "\(text)")
            // A random `state` can contain the start alone.
            #expect(outcome.errors.firstMatch(of: /eyJ[\w-]+\./) == nil, "\(text)")
            suggestions += await check(outcome, in: own)
        }
        #expect(situation != .configured || suggestions > 5)
    }

    /// The words of a line, in which `''` is an empty one.
    private static func words(_ line: String, in folder: String, _ origin: String) -> [String] {
        line.replacing("{home}", with: folder).replacing("{authority}", with: origin).split(separator: " ")
            .map { $0 == "''" ? "" : String($0) }
    }

    private static func fits(_ text: String, _ pattern: String?) throws -> Bool {
        guard let pattern else { return text.isEmpty }
        return try Regex(pattern).firstMatch(in: text) != nil
    }

    /// Runs the suggested commands, and returns their number.
    private func check(_ outcome: SignInTests.World.Outcome, in home: Home) async -> Int {
        var count = 0
        for match in (outcome.output + outcome.errors).matches(of: #/[Rr]un 'keyturn (?<command>[^'\n]+)'/#) {
            let words = match.command.split(separator: " ").map { String($0).replacing("\"", with: "") }
            // A word in capitals is the user's to replace.
            guard !words.contains(where: { $0.contains(#/^[A-Z][A-Z-]+$|\u{2026}/#) }) else { continue }
            #expect(throws: Never.self, "\(match.command)") { try Invocation.read(words) }
            // These run other programs, look for other computers, or wait for a user whom the authority rejects.
            guard Set(words).isDisjoint(with: ["register", "--client-id", "--tenant"]),
                !match.command.contains("https://")
            else { continue }
            let again = await home.run(words, as: "ann@contoso.example")
            #expect(again.exitCode != .usage && !again.errors.contains("No configuration"), "\(words) \(again)")
            count += 1
        }
        return count
    }

    @Test("A table has every command", arguments: CommandTable.all.map { $0.specification.name })
    func complete(_ name: String) {
        let lines = Self.rows.map(\.line) + InvocationTests.wrongLines.map(\.0)
        #expect(lines.contains { $0.split(separator: " ").first == name[...] })
    }
}

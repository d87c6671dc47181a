import DemoAuthority
import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Runs `body` with a world of its own.
func withWorld(_ body: (SignInTests.World) async throws -> Void) async throws {
    let world = try await SignInTests.World()
    defer { world.close() }
    try await body(world)
}

/// The commands with the built-in authority, over real sockets. A process has one waiting sign-in at a time, so the
/// tests run one after the other.
@Suite("Commands with the built-in authority", .serialized, .oneSessionAtATime)
struct SignInTests {
    /// A folder for all files, an authority, and a user with a browser.
    struct World {
        let folder: TemporaryFolder
        let server: DemoAuthorityServer
        var environment: [String: String]
        let ann: SeatedUser

        init() async throws {
            folder = try TemporaryFolder(in: [:])
            server = try await DemoAuthorityServer.start()
            let fault = try #require(Fault(named: "expired"))
            let notice = AuthorityNotice(server: server, scenario: .plainSignIn, faults: [fault]).text
            #expect(notice.contains("\nFault: \(fault.behaviour)\n"))
            let narrow = AuthorityNotice(server: server, scenario: .plainSignIn, faults: [fault], columns: 40).text
            #expect(
                narrow != notice
                    && narrow.split(whereSeparator: \.isWhitespace) == notice.split(whereSeparator: \.isWhitespace))
            let start = try #require(notice.firstIndex(of: "{"))
            let end = try #require(notice.lastIndex(of: "}"))
            try String(notice[start...end]).write(
                toFile: folder.path + "/config.json", atomically: true, encoding: .utf8)
            environment = [
                "KEYTURN_CONFIG": folder.path + "/config.json", "HOME": folder.path, "LANG": "C.UTF-8",
            ]
            let user = try #require(server.directory.users.first)
            ann = SeatedUser(user)
        }

        /// A user with a browser.
        struct SeatedUser: Sendable {
            private let browser = ScriptedBrowser.live()
            private let user: User

            init(_ user: User) { self.user = user }

            func walk(_ address: URL, say: @escaping @Sendable (String) -> Void) async throws {
                guard let step = Scenario.plainSignIn.steps.first else { return }
                try await browser.act(on: address, as: user, for: step, isCode: false) { say($0.title) }
            }
        }

        func close() {
            server.stop()
            folder.remove()
        }

        struct Outcome: Equatable {
            var exitCode: ExitCode
            var output: String
            var errors: String
        }

        /// Runs a command line with the cache in the folder.
        func keyturn(_ arguments: String...) async -> Outcome { await keyturn(arguments: arguments) }

        func keyturn(arguments: [String]) async -> Outcome {
            let (output, errors) = (MemorySink(), MemorySink())
            let surroundings = Surroundings.test(environment, output: output, errors: errors) { address in
                try await ann.walk(address) { _ in }
            }
            let all = arguments + ["--cache", folder.path + "/tokens.db"]
            let exitCode = await Program.run(all, in: surroundings)
            return Outcome(exitCode: exitCode, output: output.text, errors: errors.text)
        }
    }

    @Test("Without an account, the command says how to sign in")
    func noAccount() async throws {
        try await withWorld { world in
            let accounts = await world.keyturn("accounts")
            let cache = world.folder.path + "/tokens.db"
            #expect(
                accounts
                    == .init(
                        exitCode: .done, output: "", errors: "No accounts. Run 'keyturn sign-in --cache \(cache)'.\n"))
            #expect(await world.keyturn("accounts", "-q").errors == "")
            let list = await world.keyturn("accounts", "-o", "json").output
            #expect(list.filter { !$0.isWhitespace } == "[]")
            let token = await world.keyturn("token", "--no-interaction")
            #expect(token.exitCode == .interactionRequired)
            #expect(token.output == "")
            #expect(token.errors.hasPrefix("keyturn: No accounts.\n"))
            #expect(await world.keyturn("claims").exitCode == .interactionRequired)
            #expect(await world.keyturn("remove", "ann@contoso.example").exitCode == .failed)
        }
    }

    @Test("The token of the named user, or none, in every format", arguments: TokenFormat.allCases)
    func whoseToken(format: TokenFormat) async throws {
        try await withWorld { world in
            let rejected = await world.keyturn("token", "--account", "zoe@fabrikam.example", "-o", format.rawValue)
            #expect(rejected.exitCode == .failed)
            #expect(rejected.output == "")
            #expect(rejected.errors.contains("ann@contoso.example"))
            #expect(rejected.errors.contains("zoe@fabrikam.example"))
            // A random `state` can contain the start alone.
            #expect(rejected.errors.firstMatch(of: /eyJ[\w-]+\./) == nil)
            #expect(await world.keyturn("accounts", "-q").output == "")

            let given = await world.keyturn("token", "--account", "ANN@contoso.example", "-o", format.rawValue)
            #expect(given.exitCode == .done, "\(given.errors)")
            #expect(given.output.contains("eyJ"))
        }
    }

    @Test("The token for an API's challenge, as header, as curl's output or with claims in base64")
    func challenge() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let cached = await world.keyturn("token", "--challenge", "Bearer", "--no-interaction")
            #expect(cached.exitCode == .done, "\(cached.errors)")
            let refreshed = await world.keyturn(
                "token", "--challenge", "Bearer error=invalid_token", "--no-interaction")
            #expect(refreshed.exitCode == .done && refreshed.output != cached.output, "\(refreshed.errors)")
            let stepUp = "WWW-Authenticate: Bearer error=\"insufficient_user_authentication\", max_age=5"
            #expect(
                await world.keyturn("token", "--challenge", stepUp, "--no-interaction").exitCode == .interactionRequired
            )
            let signedIn = await world.keyturn("token", "--challenge", stepUp)
            #expect(signedIn.exitCode == .done, "\(signedIn.errors)")
            let claims = "eyJpZF90b2tlbiI6eyJlbWFpbCI6bnVsbH19"
            #expect(await world.keyturn("token", "--claims", claims, "--no-interaction").exitCode == .done)
            let dpop = await world.keyturn("token", "--challenge", "DPoP algs=ES256", "--no-interaction")
            #expect(dpop.exitCode == .failed && dpop.errors.contains("DPoP"), "\(dpop.errors)")
            let word = await world.keyturn("token", "--challenge", "foo", "--no-interaction")
            #expect(
                word.exitCode == .failed && word.errors.contains("contains no Bearer challenge")
                    && word.errors.contains("Use the WWW-Authenticate header of the API's response."), "\(word.errors)")
        }
    }

    @Test("The error for another profile's account names that profile", arguments: [true, false])
    func otherProfile(isConfigured: Bool) async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let path = world.folder.path + "/config.json"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: [String: Any]])
            let name = try #require(document["profiles"]?.keys.first)
            let other = [
                "clientId": DemoAuthorityServer.clientID, "authority": "https://id.example", "authorityType": "oidc",
            ]
            document["profiles"]?["other"] = other
            if !isConfigured { document["profiles"]?[name] = nil }
            try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: path))
            let token = await world.keyturn("token", "--profile", "other", "--account", "ann@contoso.example")
            #expect(token.exitCode == .failed)
            #expect(token.errors.hasPrefix("keyturn: ann@contoso.example is signed in at \(world.server.origin)"))
            #expect(token.errors.contains(", not at https://id.example."))
            #expect(token.errors.contains("Use '--profile \(name)'.") == isConfigured)
            #expect(token.errors.contains("No profile has its authority: add one for http") == !isConfigured)
        }
    }

    @Test("A login hint doesn't restrict the user; the command reports another one")
    func loginHint() async throws {
        try await withWorld { world in
            let other = await world.keyturn("sign-in", "--login-hint", "zoe@fabrikam.example")
            #expect(other.exitCode == .done)
            let notice = "ann@contoso.example signed in instead of zoe@fabrikam.example"
            #expect(other.errors.contains(notice))
            for arguments in [["--login-hint", "Ann@contoso.example"], ["--login-hint", "zoe@x", "-q"], []] {
                let signIn = await world.keyturn(arguments: ["sign-in"] + arguments)
                #expect(signIn.exitCode == .done)
                #expect(!signIn.errors.contains("instead of"))
            }
        }
    }

    @Test("Sign in, use the cache, read the claims, remove")
    func wholeTour() async throws {
        try await withWorld { world in
            let signIn = await world.keyturn("sign-in")
            #expect(signIn.exitCode == .done, "\(signIn.errors)")
            #expect(signIn.output.hasPrefix("ann@contoso.example  "))
            #expect(signIn.errors.contains("http://127.0.0.1"))
            // A random `state` can contain the start alone.
            #expect((signIn.output + signIn.errors).firstMatch(of: /eyJ[\w-]+\./) == nil)

            let token = await world.keyturn("token")
            #expect(token.exitCode == .done, "\(token.errors)")
            #expect(token.output.hasPrefix("eyJ") && token.output.hasSuffix("\n"))
            #expect(token.errors == "")
            #expect(
                await world.keyturn("token", "-o", "header").output
                    == "Authorization: Bearer \(token.output)")

            try expectDocument(await world.keyturn("token", "-o", "json").output, fromCache: true)
            try expectDocument(await world.keyturn("token", "-o", "json", "--force-refresh").output, fromCache: false)
            try expectClaims(await world.keyturn("claims", "-o", "json").output)
            try await expectVerification(world)
            let claims = await world.keyturn("claims", "--account", "ANN@contoso.example").output
            #expect(claims.contains("  passed  "))
            #expect(!claims.contains("  failed  "))
            #expect(!claims.contains("eyJ"))

            let removal = await world.keyturn("remove", "ann@contoso.example")
            #expect(removal.exitCode == .done)
            #expect(removal.output == "")
            let after = await world.keyturn("token", "--no-interaction", "-o", "json")
            #expect(after.exitCode == .interactionRequired)
            #expect(after.errors.hasPrefix(#"{"error":{"code":4,"#))
        }
    }

    private func expectDocument(_ text: String, fromCache: Bool) throws {
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
            Set(json.keys) == [
                "accessToken", "tokenType", "expiresOn", "scopes", "account", "authority", "idToken", "correlationId",
                "fromCache",
            ])
        #expect(json["fromCache"] as? Bool == fromCache)
        #expect(json["tokenType"] as? String == "Bearer")
        let account = try #require(json["account"] as? [String: Any])
        #expect(Set(account.keys) == ["identifier", "username", "environment", "tenantId"])
        #expect(account["username"] as? String == "ann@contoso.example")
        let expiry = try #require(json["expiresOn"] as? String)
        #expect(try Date(expiry, strategy: .iso8601) > Date(timeIntervalSince1970: 0))
    }

    /// A pasted ID token has the verdicts of the sign-in; a changed one fails.
    private func expectVerification(_ world: World) async throws {
        let text = await world.keyturn("token", "-o", "json").output
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let token = try #require(json["idToken"] as? String)
        let good = await world.keyturn("explain", token)
        #expect(good.output.contains("Verified with the issuer's keys."), "\(good.output)")
        #expect(good.output.contains(#/passed +Signature/#) && !good.output.contains(#/\bfailed\b/#))
        let parts = token.split(separator: ".")
        let changed = "\(parts[0]).\(parts[1]).\(parts[2].hasPrefix("A") ? "B" : "A")\(parts[2].dropFirst())"
        let bad = await world.keyturn("explain", changed)
        #expect(bad.output.contains("Verification failed.") && bad.output.contains(#/failed +Signature/#))
        let offline = await world.keyturn("explain", token, "--offline")
        #expect(offline.output.contains("Not verified.") && !offline.output.contains(#/(passed|failed) +Signature/#))
    }

    private func expectClaims(_ text: String) throws {
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(Set(json.keys) == ["account", "verdicts", "idToken", "accessToken"])
        let verdicts = try #require(json["verdicts"] as? [[String: String]])
        #expect(verdicts.contains { $0["rule"] == "Signature" && $0["outcome"] == "passed" })
        #expect(verdicts.allSatisfy { $0["outcome"] != "failed" })
        let idToken = try #require(json["idToken"] as? [String: [String: Any]])
        #expect(idToken["claims"]?["preferred_username"] as? String == "ann@contoso.example")
    }

    @Test("token signs in when necessary")
    func tokenInteracts() async throws {
        try await withWorld { world in
            let token = await world.keyturn("token", "--account", "ann@contoso.example", "-q")
            #expect(token.exitCode == .done, "\(token.errors)")
            #expect(token.output.hasPrefix("eyJ"))
            #expect(token.errors == "")
        }
    }

    @Test("claims reads the cached ID token when the access token needs a sign-in")
    func storedClaims() async throws {
        try await withWorld { world in
            #expect(await world.keyturn("sign-in").exitCode == .done)
            world.server.stop()
            for arguments in [["claims", "--token", "id"], ["claims"]] {
                let claims = await world.keyturn(arguments: arguments)
                #expect(claims.exitCode == .done, "\(claims.errors)")
                #expect(claims.output.contains("Checked at sign-in. The nonce that was sent isn't cached."))
                #expect(claims.output.contains("skipped"))
                #expect(claims.output.contains("Signature"))
            }
        }
    }

    /// Deletes the cached metadata and keys, as an authority that forbids caching them leaves the cache.
    private func deleteDocuments(_ world: World) throws {
        let file = URL(fileURLWithPath: world.folder.path + "/tokens.db")
        let keys = DataKeyVaults(
            source: .automatic, keyFile: FileKeyVault(store: file), passphrase: nil,
            secretService: SecretServiceKeyVault(store: file.path))
        let query = CredentialQuery(kinds: [.document], homeAccountIDs: [""])
        try SQLiteCredentialStore(file: file, keys: keys).update(matching: query) { documents in
            documents.map { .delete($0.key) }
        }
    }

    @Test(
        "claims fetches keys that aren't cached, or says why it can't",
        arguments: [["claims", "--token", "id"], ["claims"]])
    func claimsWithoutKeys(arguments: [String]) async throws {
        try await withWorld { world in
            #expect(await world.keyturn("sign-in").exitCode == .done)
            try deleteDocuments(world)
            let checked = await world.keyturn(arguments: arguments)
            #expect(checked.exitCode == .done, "\(checked.errors)")
            #expect(checked.output.contains("passed   Signature"), "\(checked.output)")
            try deleteDocuments(world)
            world.server.stop()
            let unchecked = await world.keyturn(arguments: arguments)
            #expect(unchecked.exitCode == .done, "\(unchecked.errors)")
            #expect(unchecked.output.contains("No checks: "))
            #expect(unchecked.output.contains("The keys can't be fetched: "), "\(unchecked.output)")
        }
    }

    @Test("A denial without state is ignored, and reported even with --quiet")
    func denialWithoutState() async throws {
        try await withWorld { world in
            let errors = MemorySink()
            let surroundings = Surroundings.test(world.environment, errors: errors) { address in
                let query = URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems
                let redirect = try #require(query?.first { $0.name == "redirect_uri" }?.value)
                let denial = try #require(URL(string: "\(redirect)?error=access_denied"))
                _ = try await CurlTransport().send(HTTPRequest(.get, denial))
                try await world.ann.walk(address) { _ in }
            }
            let cache = world.folder.path + "/tokens.db"
            #expect(
                await Program.run(["sign-in", "-q", "--cache", cache], in: surroundings) == .done, "\(errors.text)")
            #expect(errors.text.contains("the error access_denied: it has no state,"))
        }
    }

    @Test("The tour shows every step and no token")
    func tour() async throws {
        let (output, errors) = (MemorySink(), MemorySink())
        let exitCode = await Program.run(["demo", "--tour"], in: .test(output: output, errors: errors))
        #expect(exitCode == .done, "\(errors.text)")
        #expect(errors.text == "")
        let lines = output.text.split(separator: "\n")
        for word in [
            "1. Sign in as ann@contoso.example", "Listening on", "from the cache, without a request", "signature",
            "press Sign in", "Account removed.", "(-50002)", "Lesson",
        ] {
            #expect(lines.contains { $0.contains(word) }, "\(word)")
        }
        #expect(!output.text.contains("eyJ"))
        #expect(!output.text.contains("code="))
        #expect(output.text.allSatisfy { $0.isASCII })
    }

    @Test("A listener that rejects the response fails the scripted user")
    func listenerRejects() async throws {
        try await withWorld { world in
            let user = try #require(world.server.directory.users.first)
            let stranger = World.SeatedUser(user)
            let errors = MemorySink()
            let surroundings = Surroundings.test(world.environment, errors: errors) { address in
                let another = try #require(
                    URL(string: address.absoluteString.replacing(/([?&])state=[^&]*/) { "\($0.1)state=another" }))
                let failure = await #expect(throws: Failure.self) { try await stranger.walk(another) { _ in } }
                #expect(failure?.reason.hasPrefix("The application rejected the response.") == true)
                // The sign-in still waits for its own response.
                try await world.ann.walk(address) { _ in }
            }
            let cache = world.folder.path + "/tokens.db"
            #expect(
                await Program.run(["sign-in", "-q", "--cache", cache], in: surroundings) == .done, "\(errors.text)")
        }
    }

    @Test("The demo leaves no files")
    func leavesNothing() async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        _ = await Program.run(["demo", "--tour"], in: .test(["TMPDIR": folder.path]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
        "Invalid set-ups",
        arguments: [
            (["sign-in", "--redirect-uri", "msauth.elsewhere://auth"], ExitCode.configuration),
            (["sign-in", "--redirect-uri", "http://example.org"], .configuration),
            (["sign-in", "--authority", "https://127.0.0.1:1/common"], .network),
            (["sign-in", "--profile", "none"], .configuration),
            (["sign-in", "--ca-file", "/nowhere.pem"], .configuration),
            (["sign-in", "--method", "browser", "--cache", "/proc/nowhere/tokens.db"], .store),
            (["sign-in", "--method", "device", "--cache", "/proc/nowhere/tokens.db"], .store),
        ])
    func wrongSetUp(_ arguments: [String], _ exitCode: ExitCode) async throws {
        try await withWorld { world in
            let errors = MemorySink()
            let surroundings = Surroundings.test(world.environment, errors: errors)
            let cache = ["--cache", world.folder.path + "/tokens.db"]
            #expect(await Program.run(cache + arguments, in: surroundings) == exitCode, "\(errors.text)")
            #expect(errors.text.contains("keyturn: "))
        }
    }

    @Test("Without a terminal, the program suggests commands")
    func noTerminal() async {
        let errors = MemorySink()
        #expect(await Program.run([], in: .test(errors: errors)) == .usage)
        #expect(errors.text.contains("'keyturn token'"))
    }
}

import DemoAuthority
import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Which account a command uses, with profiles for two issuers at one host.
@Suite("Account selection", .serialized, .oneSessionAtATime)
struct AccountSelectionTests {
    private typealias World = SignInTests.World

    private struct Document: Encodable {
        var defaultProfile = "first"
        var profiles: [String: [String: String]]
    }

    /// Runs the body with the profiles `first` and `second` for two issuers, `foreign`, which has another client ID, and
    /// `work` for Microsoft Entra ID, all at one host.
    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let world = try await World()
        defer { world.close() }
        func profile(_ tenant: String, _ client: String = DemoAuthorityServer.clientID) -> [String: String] {
            ["clientId": client, "authority": "\(world.server.origin)/\(tenant)/v2.0", "authorityType": "oidc"]
        }
        let document = Document(
            profiles: [
                "first": profile(Directory.contoso), "second": profile(Directory.fabrikam),
                "foreign": profile(Directory.contoso, "another-client"),
                "work": [
                    "clientId": DemoAuthorityServer.clientID, "authority": "\(world.server.origin)/common",
                    "authorityType": "aad",
                ],
            ])
        let encoder = JSONEncoder()
        // In a fixed order, because the first profile of a client is the one that messages name.
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(document).write(to: URL(fileURLWithPath: world.folder.path + "/config.json"))
        try await body(world)
    }

    private func identifier(_ account: [String: Any]?) throws -> String {
        try #require(account?["identifier"] as? String)
    }

    private func accounts(_ world: World) async throws -> [[String: Any]] {
        let list = await world.keyturn("accounts", "-o", "json")
        return try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
    }

    @Test("Without a name, only an account of the profile's issuer counts")
    func issuer() async throws {
        try await withWorld { world in
            let signIn = await world.keyturn("sign-in")
            #expect(signIn.exitCode == .done, "\(signIn.errors)")
            let own = await world.keyturn("token", "--no-interaction")
            #expect(own.exitCode == .done, "\(own.errors)")
            let other = await world.keyturn("token", "--no-interaction", "--profile", "second")
            #expect(other.exitCode == .interactionRequired)
            #expect(other.errors.contains("No account at "), "\(other.errors)")
            let claims = await world.keyturn("claims", "--profile", "second")
            #expect(claims.exitCode == .interactionRequired)
            #expect(claims.errors.contains("No account at "), "\(claims.errors)")
        }
    }

    @Test("Several accounts of another issuer are not offered for a choice")
    func severalElsewhere() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let wang = try #require(world.server.directory.users.first { $0.username == "wang@contoso.example" })
            let user = World.SeatedUser(wang)
            let signIn = await Program.run(
                ["sign-in", "--cache", world.folder.path + "/tokens.db"],
                in: .test(world.environment) { try await user.walk($0) { _ in } })
            #expect(signIn == .done)
            #expect(await world.keyturn("token", "--no-interaction").exitCode == .usage)
            let other = await world.keyturn("token", "--no-interaction", "--profile", "second")
            #expect(other.exitCode == .interactionRequired, "\(other.errors)")
        }
    }

    @Test("sign-out and remove name the profile of another profile's account", arguments: ["sign-out", "remove"])
    func otherProfile(command: String) async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            for profile in ["second", "foreign"] {
                let rejected = await world.keyturn(command, "ANN@contoso.example", "--profile", profile)
                #expect(rejected.exitCode == .failed)
                #expect(rejected.errors.contains("with the profile first, not "), "\(rejected.errors)")
                #expect(rejected.errors.contains("Use '--profile first'."))
            }
            #expect(try await accounts(world).count == 1)
            let token = await world.keyturn("token", "--account", "ann@contoso.example", "--profile", "second")
            #expect(token.errors.contains("Use '--profile first'."), "\(token.errors)")
            let unknown = await world.keyturn(command, "zoe@fabrikam.example", "--profile", "second")
            #expect(unknown.errors.hasPrefix("keyturn: No account zoe@fabrikam.example in the cache."))
            let named = try identifier(try await accounts(world).first)
            let inCapitals = await world.keyturn(command, named.uppercased())
            #expect(inCapitals.errors.hasPrefix("keyturn: No account \(named.uppercased()) in the cache."))
            let removed = await world.keyturn(command, named, "--profile", "second")
            #expect(removed.exitCode == .done, "\(removed.errors)")
            #expect(try await accounts(world).isEmpty)
        }
    }

    @Test("token names the profile of an account at another Entra authority")
    func otherEntraAuthority() async throws {
        let (world, other) = (try await World(), try await DemoAuthorityServer.start())
        defer {
            other.stop()
            world.close()
        }
        func profile(_ server: DemoAuthorityServer) -> String {
            let authority = "\(server.origin)/common"
            return """
                {"clientId": "\(server.clientID)", "authority": "\(authority)", "authorityType": "aad",
                  "knownAuthorities": ["\(authority)"]}
                """
        }
        try """
        {"defaultProfile": "first", "profiles": {"first": \(profile(world.server)), "second": \(profile(other))}}
        """.write(toFile: world.folder.path + "/config.json", atomically: true, encoding: .utf8)
        #expect(await world.keyturn("sign-in").exitCode == .done)
        let rejected = await world.keyturn("token", "--account", "ann@contoso.example", "--profile", "second")
        #expect(rejected.exitCode == .failed)
        #expect(rejected.errors.contains("Use '--profile first'."), "\(rejected.errors)")
    }

    /// Sending its refresh token there would revoke the sign-in.
    @Test("A profile for Entra rejects an OpenID provider's account at the same host")
    func otherDialect() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let account = try identifier(try await accounts(world).first)
            let rejected = await world.keyturn("token", "--force-refresh", "--account", account, "--profile", "work")
            #expect(rejected.exitCode == .failed)
            #expect(rejected.errors.contains("Use '--profile first'."), "\(rejected.errors)")
            #expect(await world.keyturn("token", "--force-refresh").exitCode == .done)
            #expect(await world.keyturn("remove", "--all", "--profile", "work").exitCode == .done)
            #expect(try await accounts(world).count == 1)
        }
    }

    /// Sending its refresh token there would revoke the sign-in.
    @Test("A profile for an OpenID provider rejects an account of Microsoft Entra ID at the same host")
    func entraAccountElsewhere() async throws {
        try await withWorld { world in
            let signIn = await world.keyturn("sign-in", "--profile", "work")
            try #require(signIn.exitCode == .done, "\(signIn.errors)")
            for profile in ["first", "second"] {
                let silent = await world.keyturn("token", "--no-interaction", "--profile", profile)
                #expect(silent.exitCode == .interactionRequired)
                #expect(silent.errors.contains("No account at "), "\(silent.errors)")
                let named = await world.keyturn(
                    "token", "--force-refresh", "--account", "ann@contoso.example", "--profile", profile)
                #expect(named.exitCode == .failed)
                #expect(named.errors.contains("is signed in at \(world.server.origin)/common"), "\(named.errors)")
                let removal = await world.keyturn("remove", "--all", "--profile", profile)
                #expect(removal.errors.hasPrefix("No accounts.\nNot included: 1 account at "), "\(removal.errors)")
            }
            #expect(await world.keyturn("token", "--force-refresh", "--profile", "work").exitCode == .done)
        }
    }

    @Test("remove --all removes the accounts of the profile's authority, and says what stays")
    func removeAll() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let elsewhere = await world.keyturn("remove", "--all", "--profile", "second", "-o", "json")
            #expect(elsewhere.exitCode == .done, "\(elsewhere.errors)")
            #expect(elsewhere.output.contains("\"accountsLeft\" : 1"))
            let told = await world.keyturn("remove", "--all", "--profile", "second")
            #expect(told.errors.hasPrefix("No accounts.\nNot included: 1 account at "), "\(told.errors)")
            #expect(told.errors.contains("('keyturn remove --all --profile first')"), "\(told.errors)")
            let foreign = await world.keyturn("accounts", "--profile", "foreign")
            #expect(foreign.errors.contains("Not included: 1 account of the client ID "), "\(foreign.errors)")
            #expect(foreign.errors.contains("('keyturn accounts --profile first')"), "\(foreign.errors)")
            // Without a configuration, a command needs both options.
            var other = world
            other.environment["KEYTURN_CONFIG"] = nil
            let authority = "\(world.server.origin)/\(Directory.contoso)/v2.0"
            let bare = await other.keyturn("accounts", "--client-id", "another-client", "--authority", authority)
            let named = "--client-id \(DemoAuthorityServer.clientID) --authority \(authority)"
            #expect(bare.errors.contains("('keyturn accounts \(named)')"), "\(bare.errors)")
            let removed = await world.keyturn("remove", "--all", "-o", "json")
            #expect(removed.output.contains("\(Directory.contoso)"), "the JSON names the authority: \(removed.output)")
            let left = try await accounts(world)
            #expect(left.isEmpty)
        }
    }

    @Test("The error for an account without a match names the accounts, and its profile")
    func names() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let unknown = await world.keyturn("token", "--account", "zoe", "--no-interaction")
            #expect(unknown.exitCode == .interactionRequired)
            #expect(
                unknown.errors.contains("zoe is not signed in. Accounts: ann@contoso.example."), "\(unknown.errors)")
            let foreign = await world.keyturn(
                "token", "--account", "ann@contoso.example", "--profile", "foreign", "--no-interaction")
            #expect(foreign.errors.contains("is signed in with the profile first, not with this one"))
            #expect(
                foreign.errors.contains("To sign in here, run 'keyturn sign-in --profile foreign "),
                "\(foreign.errors)")
        }
    }

    @Test("accounts -o json has the authorities of each account")
    func authorities() async throws {
        try await withWorld { world in
            _ = await world.keyturn("sign-in")
            let account = try #require(try await accounts(world).first)
            #expect(
                account["authorities"] as? [String] == ["\(world.server.origin)/\(Directory.contoso)/v2.0"])
        }
    }

    @Test("Of two accounts with one username, none is chosen without the user")
    func oneUsername() async throws {
        let (world, application, account) = try await signedInAtEntra()
        let name = try #require(account.username)
        // The user is a guest of the same name in another organization.
        let records = world.store.all.filter { $0.key.homeAccountID == account.identifier }
        try world.store.update(matching: CredentialQuery()) { _ in
            records.map { record in
                var other = record
                other.key.homeAccountID = "other.tenant"
                other.members["home_account_id"] = "other.tenant"
                return .save(other)
            }
        }
        let own = try #require(account.identifier)
        for spelling in [name, name.uppercased()] {
            let failure = await #expect(throws: Failure.self) { try await application.account(named: spelling) }
            #expect(failure?.name == "ambiguousAccount" && failure?.exitCode == .usage)
            #expect(failure?.reason.hasPrefix("Several accounts match \(spelling): ") == true)
            for identifier in [own, "other.tenant"] { #expect(failure?.reason.contains(identifier) == true) }
        }
        let unnamed = await #expect(throws: Failure.self) { try await application.onlyAccount() }
        #expect(unnamed?.name == "ambiguousAccount")
        for identifier in [own, "other.tenant"] {
            #expect(try await application.account(named: identifier)?.identifier == identifier)
        }
    }

    @Test("The table has the authority of accounts with the same name and host, and no other")
    func table() throws {
        func account(_ name: String, _ identifier: String, _ environment: String = "id.example") -> MSALAccount {
            MSALAccount(
                username: name, homeAccountId: MSALAccountId(identifier),
                environment: environment, tenantProfiles: nil, claims: nil)
        }
        let accounts = [
            account("ann", "a"), account("Ann", "b"), account("bo", "c"), account("ann", "d", "other.example"),
        ]
        let authorities: ([MSALAccount]) throws -> [String: [URL]] = { accounts in
            let identifiers = accounts.compactMap(\.identifier)
            #expect(identifiers.sorted() == ["a", "b"])
            return Dictionary(
                uniqueKeysWithValues: try identifiers.map {
                    ($0, [try #require(URL(string: "https://id.example/\($0)"))])
                })
        }
        let text = try AccountTable(accounts: accounts, authorities: authorities).text()
        #expect(
            text == """
                ann  https://id.example/a  a
                Ann  https://id.example/b  b
                bo   id.example            c
                ann  other.example         d

                """)
        let states = ["a": "valid 59 min", "c": "refreshes at use"]
        // The wide form has a line for each account on any terminal.
        let narrow = try AccountTable(accounts: [accounts[2], accounts[3]], states: states).text(columns: 40)
        #expect(narrow.split(separator: "\n").count == 3)
        let headed = try AccountTable(accounts: [accounts[2], accounts[3]], states: states).text()
        #expect(
            headed == """
                USERNAME  ENVIRONMENT    IDENTIFIER  TOKEN
                bo        id.example     c           refreshes at use
                ann       other.example  d           -

                """)
    }
}

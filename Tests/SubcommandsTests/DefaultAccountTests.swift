import DemoAuthority
import Foundation
import KeyturnSystem
import TestSupport
import Testing

@testable import Subcommands

/// Which account a command uses when several fit: the default, one with a short name, or the user's choice.
@Suite("Default accounts, short names and the question", .serialized, .oneSessionAtATime)
struct DefaultAccountTests {
    private typealias World = SignInTests.World

    private static let ann = "ann@contoso.example"
    private static let wang = "wang@contoso.example"

    /// Runs the body after these users have signed in.
    private func withWorld(_ users: [String] = [ann, wang], _ body: (World) async throws -> Void) async throws {
        let world = try await World()
        defer { world.close() }
        for user in users { try await signIn(user, world) }
        try await body(world)
    }

    private func signIn(_ username: String, _ world: World) async throws {
        let user = World.SeatedUser(try #require(world.server.directory.users.first { $0.username == username }))
        let code = await Program.run(
            ["sign-in", "--cache", world.folder.path + "/tokens.db"],
            in: .test(world.environment) { try await user.walk($0) { _ in } })
        #expect(code == .done)
    }

    /// Runs a command at a terminal, where the user types these lines.
    private func typing(_ answers: [String], _ world: World, _ arguments: String...) async -> World.Outcome {
        let (output, errors) = (MemorySink(columns: 80), MemorySink(columns: 80))
        var surroundings = Surroundings.test(world.environment, output: output, errors: errors)
        surroundings.hasTypedInput = true
        let left = Locked(answers)
        surroundings.typedLine = { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let code = await Program.run(arguments + ["--cache", world.folder.path + "/tokens.db"], in: surroundings)
        return World.Outcome(exitCode: code, output: output.text, errors: errors.text)
    }

    /// The username of the account whose token a script gets, or `nil` after an exit status of 2.
    private func user(_ world: World, _ options: [String]) async throws -> String? {
        let result = await world.keyturn(arguments: ["token", "--no-interaction", "-o", "json"] + options)
        guard result.exitCode != .usage else { return nil }
        #expect(result.exitCode == .done, "\(result.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return (json?["account"] as? [String: Any])?["username"] as? String
    }

    private func expect(
        _ expected: String?, _ world: World, _ options: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await user(world, options)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    private func expectDefaults(
        _ expected: [String], _ world: World, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await defaults(world)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    private func defaults(_ world: World) async throws -> [String] {
        let list = await world.keyturn("accounts", "-o", "json").output
        let accounts = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
        return (accounts ?? []).filter { $0["isDefault"] as? Bool == true }.compactMap { $0["username"] as? String }
    }

    @Test("A command without --account uses the default account, which the list marks")
    func isUsed() async throws {
        try await withWorld { world in
            try await expect(nil, world)
            #expect(await world.keyturn("accounts").output.contains("DEFAULT") == false)
            let set = await world.keyturn("accounts", "--default", "WANG@contoso.example")
            #expect(set.exitCode == .done, "\(set.errors)")
            let lines = set.output.split(separator: "\n")
            let isMarked = lines.map { $0.hasSuffix("  default") || $0.hasSuffix("  DEFAULT") }
            #expect(isMarked == [true, false, true])
            try await expect(Self.wang, world)
            try await expect(Self.ann, world, "--account", Self.ann)
            #expect(await world.keyturn("claims", "--offline").output.hasPrefix("Account  \(Self.wang)"))
            try await expectDefaults([Self.wang], world)
            #expect(await world.keyturn("accounts", "--no-default").output.contains("DEFAULT") == false)
            try await expect(nil, world)
        }
    }

    @Test("An account that isn't cached can't become the default")
    func unknown() async throws {
        try await withWorld { world in
            let set = await world.keyturn("accounts", "--default", "zoe@fabrikam.example")
            #expect(set.exitCode == .failed && set.errors.contains("No account zoe@fabrikam.example in the cache."))
            let both = await world.keyturn("accounts", "--default", Self.ann, "--no-default")
            #expect(both.exitCode == .usage)
            try await expectDefaults([], world)
        }
    }

    @Test(
        "The default survives a removal and another sign-in, and is forgotten when others must be told apart without it"
    )
    func removal() async throws {
        try await withWorld { world in
            _ = await world.keyturn("accounts", "--default", Self.wang)
            _ = await world.keyturn("remove", Self.wang)
            try await expect(Self.ann, world)
            try await signIn(Self.wang, world)
            try await expect(Self.wang, world)
            _ = await world.keyturn("remove", Self.wang)
            try await signIn("zoe@fabrikam.example", world)
            // Neither another cache's accounts nor a run without them say that the default is gone.
            let file = SavedChoicesFile(in: world.environment)
            try await expect(nil, world)
            #expect(try file.choices(of: "demo").account != nil, "with --cache, the default is not forgotten")
        }
    }

    @Test("Without settings that name another configuration or cache, a default that is gone is forgotten")
    func forgotten() async throws {
        try await withWorld { world in
            let cache = world.folder.path + "/tokens.db"
            let text = try String(contentsOfFile: world.folder.path + "/config.json", encoding: .utf8)
            try text.replacing("\"clientId\"", with: #""cache": {"path": "\#(cache)"}, "clientId""#)
                .write(toFile: world.folder.path + "/config.json", atomically: true, encoding: .utf8)
            let file = SavedChoicesFile(in: world.environment)
            let profile = try Settings(ParsedOptions()).profile(in: world.environment).name
            try file.change(profile) { $0.account = "gone" }
            let usual = world.folder.path + "/keyturn/config.json"
            try FileManager.default.createDirectory(atPath: usual.parentFolder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: world.folder.path + "/config.json", toPath: usual)
            var environment = world.environment
            for (configuration, account) in [(environment["KEYTURN_CONFIG"], "gone"), (nil, nil)] {
                environment["KEYTURN_CONFIG"] = configuration
                environment["XDG_CONFIG_HOME"] = world.folder.path
                let code = await Program.run(["token", "--no-interaction"], in: .test(environment))
                #expect(code == .usage)
                #expect(try file.choices(of: profile).account == account)
            }
        }
    }

    @Test("The start of a username before its at sign is enough for --account if it is unique")
    func shortNames() async throws {
        try await withWorld { world in
            for (name, expected) in [("ann", Self.ann), ("WAN", Self.wang), ("w", Self.wang)] {
                try await expect(expected, world, "--account", name)
            }
            // A whole username or its beginning with an at sign can be another user's name.
            for name in ["ann@contoso", "wang@", "nn", "x"] {
                let rejected = await world.keyturn("token", "--account", name, "--no-interaction")
                #expect(rejected.exitCode == .interactionRequired, "\(name) \(rejected.errors)")
            }
            // What can't be undone needs the whole name.
            for command in ["remove", "sign-out"] {
                #expect(await world.keyturn(command, "ann").exitCode == .failed)
            }
        }
    }

    @Test("At a terminal, the user chooses among several accounts")
    func question() async throws {
        try await withWorld { world in
            let chosen = await typing(["7", "no", "2"], world, "claims", "--offline")
            #expect(chosen.output.hasPrefix("Account  \(Self.wang)"), "\(chosen)")
            #expect(chosen.errors.hasPrefix("Several accounts fit:\n  1  \(Self.ann)  "), "\(chosen.errors)")
            #expect(chosen.errors.components(separatedBy: "Number of the account (1-2; Enter cancels): ").count == 4)
            #expect(chosen.errors.hasSuffix("'keyturn accounts --default \(Self.wang)' makes it the default.\n"))
            for answers in [[""], []] {
                let cancelled = await typing(answers, world, "token")
                #expect(cancelled.exitCode == .cancelled && cancelled.output == "", "\(cancelled)")
            }
            #expect(await typing(["1"], world, "token").output.hasPrefix("eyJ"))
        }
    }

    @Test("A script is never asked", arguments: [["--no-interaction"], ["-o", "json"]])
    func scripts(options: [String]) async throws {
        try await withWorld { world in
            #expect(await world.keyturn(arguments: ["token"] + options).exitCode == .usage)
            let atTerminal = await typing(["1"], world, "token", options[0], options.last ?? "")
            #expect(atTerminal.exitCode == .usage, "\(atTerminal)")
            #expect(!atTerminal.errors.contains("Number of"))
        }
    }
}

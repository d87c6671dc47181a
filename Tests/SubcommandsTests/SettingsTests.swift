import Foundation
import Testing

@testable import Subcommands

@Suite("Settings: options, environment and file")
struct SettingsTests {
    /// A folder with a configuration of two profiles, removed at the end.
    private func withFile(
        _ text: String = """
        { "defaultProfile": "a", "profiles": {
          "a": { "clientId": "1", "authority": "https://login.example.org/a", "authorityType": "aad",
                 "infoPlist": "app/Info.plist", "scopes": ["x"],
                 "cache": { "kind": "unified", "path": "shared.json", "passphraseFile": "new",
                            "previousPassphraseFile": "/run/old" } },
          "b": { "clientId": "2", "authority": "https://login.example.org/b" } } }
        """, _ body: (URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keyturn-\(UUID().uuidString)")
        let file = folder.appendingPathComponent("keyturn/config.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        try body(file)
    }

    @Test(
        "Without a configuration, the placeholder of a resource's authority is its host",
        arguments: ["[::1]", "[::ffff:127.0.0.1]", "[2001:db8::1]", "127.0.0.1", "api.example"])
    func placeholder(host: String) throws {
        let settings = try Settings(OptionParser(options: Option.everywhere).parse([]))
        let resource = try #require(URL(string: "http://\(host):8443/mcp?a=b"))
        let profile = try settings.profile(in: ["HOME": "/nonexistent"], forResource: resource)
        #expect(profile.authority.scheme == "https" && profile.authority.port == nil)
        #expect(profile.authority.host() == resource.host())
    }

    private func profile(_ arguments: String..., in environment: [String: String] = [:]) throws -> Profile {
        try Settings(OptionParser(options: Option.everywhere).parse(arguments)).profile(in: environment)
    }

    @Test("The file is found by option, variable or the XDG folder")
    func places() throws {
        try withFile { file in
            let home = file.deletingLastPathComponent().deletingLastPathComponent().path
            try #expect(profile("--config", file.path).clientID == "1")
            try #expect(profile(in: ["KEYTURN_CONFIG": file.path]).clientID == "1")
            try #expect(profile(in: ["XDG_CONFIG_HOME": home]).clientID == "1")
        }
    }

    @Test("The default path of the file")
    func defaultPlace() {
        let file = ConfigurationFile.locate(named: nil, in: ["HOME": "/home/ada", "XDG_CONFIG_HOME": "relative"])
        #expect(file.path == "/home/ada/.config/keyturn/config.json")
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        #expect(ConfigurationFile.locate(named: nil, in: [:]).path == "\(home)/.config/keyturn/config.json")
    }

    @Test("The profile is chosen by option, then variable, then default")
    func choice() throws {
        try withFile { file in
            let environment = ["KEYTURN_CONFIG": file.path]
            try #expect(profile("--profile", "b", in: environment).clientID == "2")
            let named = environment.merging(["KEYTURN_PROFILE": "b"]) { $1 }
            try #expect(profile(in: named).clientID == "2")
            try #expect(profile("--profile", "a", in: named).clientID == "1")
        }
    }

    @Test("Options replace values of the file; another authority does not use the file's type")
    func replacements() throws {
        try withFile { file in
            let profile = try profile(
                "--config", file.path, "--client-id", "9", "--authority", "https://other.example.org",
                "--redirect-uri", "http://127.0.0.1:9", "--cache", "/c.db", "--ca-file", "/ca.pem"
            )
            #expect(profile.clientID == "9")
            #expect(profile.authority.absoluteString == "https://other.example.org")
            #expect(profile.authorityType == nil)
            #expect(profile.redirectURI == "http://127.0.0.1:9")
            #expect(profile.cacheFile == "/c.db")
            #expect(profile.certificateAuthorityFile == "/ca.pem")
            #expect(profile.scopes == ["x"])
        }
    }

    @Test("Another tenant of the same host uses the file's type")
    func otherTenant() throws {
        try withFile { file in
            let profile = try profile("--config", file.path, "--authority", "https://login.example.org/other")
            #expect(profile.authority.absoluteString == "https://login.example.org/other")
            #expect(profile.authorityType == .aad)
            let typed = try self.profile("--config", file.path, "--authority", "127.0.0.1:9411")
            #expect(typed.authority.absoluteString == "http://127.0.0.1:9411")
            let elsewhere = try self.profile("--config", file.path, "--authority", "https://login.example.org:8443/a")
            #expect(elsewhere.authorityType == nil)
        }
    }

    @Test("A path in the file is relative to the file")
    func relativePath() throws {
        try withFile { file in
            let profile = try profile("--config", file.path)
            let folder = file.deletingLastPathComponent()
            #expect(profile.cacheKind == .unified)
            #expect(profile.cacheFile == folder.appendingPathComponent("shared.json").path)
            #expect(profile.infoPlist?.path == folder.appendingPathComponent("app/Info.plist").path)
            #expect(profile.cachePassphraseFile == folder.appendingPathComponent("new").path)
            #expect(profile.cachePreviousPassphraseFile == "/run/old")
        }
    }

    @Test("A client ID and an authority are enough without a file")
    func noFile() throws {
        let profile = try profile(
            "--client-id", "9", "--authority", "https://login.example.org", in: ["HOME": "/nowhere"])
        #expect(profile.clientID == "9")
        #expect(profile.redirectURI == "http://localhost")
    }

    struct Problem: Sendable, CustomTestStringConvertible {
        var name: String
        var arguments: [String]
        var kind: ConfigurationError.Kind
        var message: String
        var testDescription: String { name }
    }

    static let problems = [
        Problem(
            name: "no file", arguments: [], kind: .missing,
            message: "/nowhere/.config/keyturn/config.json: no such file. "
                + "Run 'keyturn' to set it up, or use --client-id and --authority. 'keyturn demo' needs neither."),
        Problem(
            name: "named file is missing", arguments: ["--config", "/nowhere/x"], kind: .unreadable,
            message: "/nowhere/x: No such file or directory. Use another with --config FILE."),
        Problem(
            name: "a folder", arguments: ["--config", "/"], kind: .unreadable,
            message: "/: it is a folder. Use another with --config FILE."),
        Problem(
            name: "endless", arguments: ["--config", "/dev/zero"], kind: .unreadable,
            message: "/dev/zero: it is not a regular file. Use another with --config FILE."),
        Problem(
            name: "profile without a file",
            arguments: [
                "--profile", "a", "--client-id", "9", "--authority", "https://login.example.org",
            ], kind: .missing,
            message: "/nowhere/.config/keyturn/config.json: no such file. "
                + "Run 'keyturn' to set it up, or use --client-id and --authority. 'keyturn demo' needs neither."),
    ]

    @Test("Mistakes of the file itself", arguments: problems)
    func problem(_ row: Problem) throws {
        let settings = try Settings(OptionParser(options: Option.everywhere).parse(row.arguments))
        let error = #expect(throws: ConfigurationError.self) { try settings.profile(in: ["HOME": "/nowhere"]) }
        #expect(error?.kind == row.kind)
        #expect(error?.messages == [row.message])
    }

    @Test(
        "A file that other users can change is not used",
        arguments: [(0o600, true), (0o644, true), (0o664, true), (0o666, false), (0o602, false)])
    func permissions(_ mode: Int, _ isUsed: Bool) throws {
        try withFile { file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            guard !isUsed else {
                #expect(try profile("--config", file.path).name == "a")
                return
            }
            let error = #expect(throws: ConfigurationError.self) { try profile("--config", file.path) }
            #expect(error?.kind == .unsafe)
            let message = "\(file.path): every user of this computer can change it. Run: chmod o-w '\(file.path)'"
            #expect(error?.messages == [message])
        }
    }

    @Test("An unknown profile is reported with the known ones")
    func unknownProfile() throws {
        try withFile { file in
            let error = #expect(throws: ConfigurationError.self) {
                try profile("--config", file.path, "--profile", "c")
            }
            #expect(error?.messages == ["\(file.path): no profile \"c\". Use one of: a, b."])
        }
    }
}

import Console
import Diagnosis
import Foundation
import Glibc
import Testing

@testable import Subcommands

@Suite("Changing the configuration")
struct ConfigurationEditTests {
    private static let draft = ProfileDraft(
        kind: .entra, authority: "https://login.microsoftonline.com/contoso.com",
        clientID: "11111111-2222-3333-4444-555555555555", redirectURI: "http://localhost",
        scopes: "User.Read Mail.Read",
        name: "contoso")

    private static let two = """
        { "profiles": { "a": { "clientId": "1", "authority": "https://login.example.org/a", "method": "device",
        "cache": { "kind": "encrypted", "key": "passphrase", "passphraseFile": "/run/p" }, "clientCapabilities": [] },
        "b": { "clientId": "2", "authority": "https://login.example.org/b", "redirectUri": null } },
        "defaultProfile": "a" }
        """

    @Test("The first profile creates a readable file, and is the default")
    func first() throws {
        #expect(
            try ConfigurationEdit.save(Self.draft, replacing: nil).applied(to: nil) == """
                {
                  "defaultProfile": "contoso",
                  "profiles": {
                    "contoso": {
                      "clientId": "11111111-2222-3333-4444-555555555555",
                      "authority": "https://login.microsoftonline.com/contoso.com",
                      "redirectUri": "http://localhost",
                      "scopes": ["User.Read", "Mail.Read"]
                    }
                  }
                }

                """)
    }

    @Test("A change keeps every other member and the order")
    func keepsTheRest() throws {
        var draft = ProfileDraft(
            authority: "https://login.example.org/a2", clientID: "1", redirectURI: "http://localhost")
        draft.name = "renamed"
        #expect(
            try ConfigurationEdit.save(draft, replacing: "a").applied(to: Self.two) == """
                {
                  "profiles": {
                    "renamed": {
                      "clientId": "1",
                      "authority": "https://login.example.org/a2",
                      "method": "device",
                      "cache": {
                        "kind": "encrypted",
                        "key": "passphrase",
                        "passphraseFile": "/run/p"
                      },
                      "clientCapabilities": [],
                      "redirectUri": "http://localhost"
                    },
                    "b": {
                      "clientId": "2",
                      "authority": "https://login.example.org/b",
                      "redirectUri": null
                    }
                  },
                  "defaultProfile": "renamed"
                }

                """)
    }

    @Test("A typed secret is only marked as stored, and a change without one keeps where it is")
    func clientSecret() throws {
        var draft = Self.draft
        draft.clientSecret = "GOCSPX-planted"
        let typed = try ConfigurationEdit.save(draft, replacing: nil).applied(to: nil)
        #expect(!typed.contains("planted"))
        let source = try ConfigurationReader.read(typed, file: "config.json").profile(named: nil)?.clientSecret
        #expect(source == .stored)
        let other = typed.replacing("\"stored\": true", with: "\"file\": \"secret\"")
        let kept = try ConfigurationEdit.save(Self.draft, replacing: "contoso").applied(to: other)
        #expect(
            try ConfigurationReader.read(kept, file: "config.json").profile(named: nil)?.clientSecret == .file("secret")
        )
    }

    @Test("A redirect URI chosen by the library stays automatic")
    func libraryDefault() throws {
        let draft = ProfileDraft(authority: "https://login.example.org/b", clientID: "3", name: "b")
        let text = try ConfigurationEdit.save(draft, replacing: "b").applied(to: Self.two)
        #expect(try ConfigurationReader.read(text, file: "c").profile(named: "b")?.redirectURI == nil)
    }

    @Test("Removing the default profile leaves no default, and another can become it")
    func removal() throws {
        let text = try ConfigurationEdit.remove("a").applied(to: Self.two)
        let configuration = try ConfigurationReader.read(text, file: "c")
        #expect(configuration.profiles.map(\.name) == ["b"])
        #expect(configuration.defaultProfile == nil)
        let other = try ConfigurationEdit.makeDefault("b").applied(to: Self.two)
        #expect(try ConfigurationReader.read(other, file: "c").defaultProfile == "b")
    }

    @Test(
        "The type is written if the URL does not determine it",
        arguments: [
            (ProviderKind.entra, "http://127.0.0.1:8400/common", AuthorityKind.aad),
            (.b2c, "https://signin.contoso.com/contoso/B2C_1_signin", .b2c),
            (.externalID, "https://signin.contoso.com/tenant", .ciam),
            (.openID, "https://login.microsoftonline.com/contoso/v2.0", .oidc),
        ])
    func types(kind: ProviderKind, authority: String, type: AuthorityKind) throws {
        let draft = ProfileDraft(
            kind: kind, authority: authority, clientID: "1", redirectURI: "http://localhost", name: "a")
        let text = try ConfigurationEdit.save(draft, replacing: nil).applied(to: nil)
        #expect(try ConfigurationReader.read(text, file: "c").profile(named: "a")?.authorityType == type)
    }

    @Test("Texts are escaped where necessary, and read back unchanged")
    func escapes() throws {
        var draft = Self.draft
        draft.name = "quo\"te \\ 日本 \t"
        let text = try ConfigurationEdit.save(draft, replacing: nil).applied(to: nil)
        #expect(try ConfigurationReader.read(text, file: "c").profiles.map(\.name) == [draft.name])
    }

    // The file.

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        try body(folder.path)
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test("The file and its folder are readable by the user only, and no other file is left")
    func modes() throws {
        try withFolder { folder in
            let file = ConfigurationFile(path: folder + "/keyturn/config.json", isNamed: false)
            try file.change(.save(Self.draft, replacing: nil))
            try file.change(.makeDefault("contoso"))
            #expect(mode(file.path) == 0o600)
            #expect(mode(folder + "/keyturn") == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/keyturn") == ["config.json"])
            #expect(try file.read()?.profiles.map(\.name) == ["contoso"])
        }
    }

    @Test(
        "A file with a mistake is never overwritten",
        arguments: ["{ ", "{\"profiles\": {\"a\": {\"colour\": 1}}}", "// x\n{}"])
    func broken(text: String) throws {
        try withFolder { folder in
            let file = ConfigurationFile(path: folder + "/config.json", isNamed: false)
            try text.write(toFile: file.path, atomically: true, encoding: .utf8)
            #expect(throws: ConfigurationError.self) { try file.change(.save(Self.draft, replacing: nil)) }
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
        }
    }

    @Test("A link to the file elsewhere is kept")
    func link() throws {
        try withFolder { folder in
            let file = ConfigurationFile(path: folder + "/config.json", isNamed: false)
            try Self.two.write(toFile: folder + "/dotfile.json", atomically: true, encoding: .utf8)
            try #require(symlink("dotfile.json", file.path) == 0)
            try file.change(.makeDefault("b"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "dotfile.json")
            #expect(try file.read()?.defaultProfile == "b")
        }
    }

    @Test("A folder that cannot be written to is reported")
    func unwritable() throws {
        let file = ConfigurationFile(path: "/proc/keyturn/config.json", isNamed: false)
        #expect(throws: (any Error).self) { try file.change(.save(Self.draft, replacing: nil)) }
    }
}

import DemoAuthority
import Foundation
import Glibc
import MSAL
import Testing

@testable import Subcommands

/// `import` and `export`: their input, the places they search, their output.
@Suite("Import and export by commands")
struct TransferTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("keyturn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ text: String, to name: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        // No program has just truncated it, and is about to write the rest.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: url.path)
        return url.path
    }

    private func run(_ arguments: String...) async -> (code: ExitCode, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        let surroundings = Surroundings(
            environment: ["HOME": folder.path], output: output, errors: errors, hasTerminal: false,
            now: { Date(timeIntervalSince1970: 1_700_000_000) })
        let profile = [
            "--client-id", "c1", "--authority", "https://login.example.org", "--cache", file("state/cache.db"),
        ]
        let code = await Program.run(arguments + profile, in: surroundings)
        return (code, output.text, errors.text)
    }

    private static let cache = #"""
        {"RefreshToken":{"x":{"credential_type":"RefreshToken","home_account_id":"u1.t1","environment":"login.example",
          "client_id":"c1","secret":"REFRESH"}},
         "Account":{"y":{"home_account_id":"u1.t1","environment":"login.example","realm":"t1","local_account_id":"u1",
          "username":"ann@contoso.example","authority_type":"MSSTS"}},"AccessToken":{"z":{"foo":"bar"}}}
        """#

    @Test("A recording is not a cache, and a name of one character is a file; a device is not replaced")
    func files() async throws {
        let recording = try write(#"{"log":{"entries":[]}}"#, to: "a.har")
        let imported = await run("import", "unified", recording)
        #expect(imported.code == .failed && imported.errors.contains("This is not a token cache"))
        let target = file("device")
        try #require(symlink("/dev/null", target) == 0)
        let exported = await run("export", "unified", target, "--replace")
        #expect(exported.code == .failed && exported.errors.contains("is not a regular file"), "\(exported.errors)")
        let folder = await run("export", "unified", folder.path, "--replace")
        #expect(folder.errors.contains("Use a file, not a folder."), "\(folder.errors)")
    }

    @Test("An empty file is not an empty cache", arguments: ["unified", "adal"])
    func empty(kind: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write("", to: "msal.json")
        let imported = await run("import", kind, path)
        #expect(imported.code == .failed && imported.output == "")
        #expect(imported.errors.contains("Can't read \(path): it is empty."))
    }

    @Test("A cache that other users can change is not imported", arguments: ["unified", "adal"])
    func unsafeCache(kind: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write(Self.cache, to: "msal.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let rejected = await run("import", kind, path)
        #expect(rejected.code == .configuration && rejected.output == "")
        #expect(rejected.errors.contains("\(path) is not imported: every user of this computer can change it."))
        #expect(rejected.errors.contains("chmod o-w"))
    }

    @Test("A cache is imported, listed, and exported for its owner only")
    func roundTrip() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let imported = await run("import", "unified", try write(Self.cache, to: "msal.json"))
        #expect(imported.code == .done, "\(imported.errors)")
        #expect(
            imported.output.contains(
                "ann@contoso.example  login.example  imported  1 refresh token, 1 account entry"))
        #expect(imported.output.contains("  1 account: 1 imported. "))
        #expect(imported.output.contains("1 unused entry"))
        #expect(!(imported.output + imported.errors).contains("REFRESH"))
        #expect(await run("accounts").output.contains("ann@contoso.example"))

        let exported = await run("export", "unified", file("out.json"))
        #expect(exported.code == .done, "\(exported.errors)")
        #expect(!(exported.output + exported.errors).contains("REFRESH"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file("out.json"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: file("out.json"), encoding: .utf8)
        #expect(text.contains(#""u1.t1-login.example-refreshtoken-c1--""#))

        let again = await run("import", "unified", file("out.json"), "-o", "json")
        #expect(again.output.contains(#""outcome" : "alreadyCached""#))
    }

    @Test("A list of ADAL whose tokens nobody redeems: the summary adds up")
    func adal() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let row = #"{"_authority":"https://login.example.org/t1","_clientId":"c1","resource":"https://api.example","#
        let path = try write(
            "[\(row)\"userId\":\"ann@contoso.example\",\"refreshToken\":\"REFRESH\"},"
                + "\(row)\"userId\":\"mia@contoso.example\",\"refreshToken\":\"REFRESH\"},\(row)\"accessToken\":\"x\"}]",
            to: "adal.json")
        let imported = await run("import", "adal", path)
        #expect(imported.code == .interactionRequired)
        for words in [
            "ann@contoso.example  login.example.org  sign in again  ", "2 accounts: 2 sign in again. ",
            "1 unused entry",
        ] {
            #expect(imported.output.contains(words), "\(imported.output)")
        }
        #expect(!(imported.output + imported.errors).contains("REFRESH"))
    }

    @Test("export replaces a file only on request")
    func overwriting() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write("mine", to: "out.json")
        let rejected = await run("export", "unified", path)
        #expect(rejected.code == .failed)
        #expect(rejected.errors.contains("--replace"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(await run("export", "unified", path, "--replace").code == .done)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasSuffix(".part") } == false
        )
    }

    @Test("The known places are searched, and a damaged one does not stop the search")
    func known() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await run("import", "known").errors.contains("No known caches found"))
        let azure = try write(Self.cache, to: ".azure/msal_token_cache.json")
        _ = try write("", to: ".local/.IdentityService/msal.cache")
        _ = try write("damaged", to: ".IdentityService/msal.cache.nocae")
        _ = try write(Data(Self.cache.utf8).base64EncodedString(), to: ".azureauth/msal_contoso_cache.json")
        let result = await run("import", "known")
        #expect(result.code == .failed)
        #expect(result.output.contains("Azure CLI: \(azure)\n  ann@contoso.example  login.example  imported"))
        #expect(result.output.contains("azure-identity for Python"))
        #expect(result.output.contains("failed: This is not a token cache"))
        #expect(!result.output.contains("Git Credential Manager"))
        #expect(result.output.contains("AzureAuth") && result.output.contains("already cached"))
        #expect(try String(contentsOfFile: azure, encoding: .utf8) == Self.cache)
    }

    @Test(
        "Mistakes of the command line or the file",
        arguments: [
            (["import"], ExitCode.usage, "needs unified|adal|known"),
            (["import", "unified"], .usage, "needs FILE"), (["import", "known", "x"], .usage, "doesn't accept 'x'"),
            (["import", "other", "x"], .usage, "doesn't accept 'other'"),
            (["export", "adal", "x"], .usage, "doesn't accept 'adal'"),
            (["export"], .usage, "needs unified FILE"), (["export", "unified"], .usage, "needs FILE"),
            (["import", "unified", "/nowhere/x"], .failed, "Can't read /nowhere/x"),
            (["import", "unified", "/"], .failed, "Can't read /"),
            (["import", "adal", "/etc/passwd"], .failed, "This is not an ADAL token cache"),
            (["import", "unified", "/etc/passwd"], .failed, "keyturn: This file can't be imported.\n"),
            (["export", "unified", "/nowhere/x"], .failed, "Can't write /nowhere/x"),
        ])
    func mistakes(arguments: [String], code: ExitCode, message: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = MemorySink()
        let errors = MemorySink()
        let surroundings = Surroundings(
            environment: ["HOME": folder.path], output: output, errors: errors, hasTerminal: false,
            now: { Date(timeIntervalSince1970: 1_700_000_000) })
        let profile = [
            "--client-id", "c1", "--authority", "https://login.example.org", "--cache", file("state/cache.db"),
        ]
        #expect(await Program.run(arguments + profile, in: surroundings) == code)
        #expect(errors.text.contains(message), "\(errors.text)")
    }

    @Test(
        "The names of known places",
        arguments: [
            ("msal.cache", true), ("msal.cache.cae", true), ("msal.cache.nocae", true), ("msal.cache.lockfile", false),
            ("msal.cache.bak", false),
        ])
    func names(name: String, isMeant: Bool) {
        let places = KnownCaches.places(in: ["HOME": "/h"])
        #expect(places.contains { $0.folder == "/h/.IdentityService" && KnownCaches.isMeant(name, by: $0) } == isMeant)
        #expect(KnownCaches.places(in: ["HOME": "/h", "AZURE_CONFIG_DIR": "/a"]).first?.folder == "/a")
    }
}

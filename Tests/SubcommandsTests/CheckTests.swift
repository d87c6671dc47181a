import Console
import DemoAuthority
import Diagnosis
import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

/// Interruptible, and another suite sends signals to the whole process.
@Suite("keyturn check", .oneSessionAtATime)
struct CheckTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("keyturn-\(UUID().uuidString)")
        // Tokens are only stored in a folder that other users cannot read.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func write(_ text: String, to name: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private struct Finding: Decodable {
        var subject: String
        var verdict: String
        var fact: String
        var fix: String?
    }

    private struct Document: Decodable {
        struct Section: Decodable {
            var area: String
            var findings: [Finding]
        }

        var summary: String
        var verdict: String
        var sections: [Section]

        subscript(subject: String) -> Finding? { sections.flatMap(\.findings).first { $0.subject == subject } }
    }

    private func run(_ arguments: String...) async throws -> (code: ExitCode, document: Document) {
        let output = MemorySink()
        let environment = [
            "HOME": folder.path, "XDG_STATE_HOME": folder.path, "XDG_CACHE_HOME": folder.path, "PATH": "/usr/bin:/bin",
        ]
        let code = await Program.run(
            ["check", "-o", "json"] + arguments, in: Surroundings.test(environment, output: output))
        return (code, try JSONDecoder().decode(Document.self, from: Data(output.text.utf8)))
    }

    @Test("A CA file that can't be read fails only the check of the authority")
    func certificateFile() async throws {
        let fifo = folder.appendingPathComponent("fifo.pem").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let (code, document) = try await run(
            "--client-id", "native", "--authority", "https://id.example", "--ca-file", fifo)
        #expect(code != .done)
        let findings = document.sections.flatMap(\.findings)
        let blamed = findings.filter { $0.fact.contains(fifo) }
        #expect(blamed.map(\.subject) == ["Authority"])
        #expect(blamed.first?.fact.hasPrefix("The CA file \(fifo) is unreadable: it is not a regular file") == true)
        #expect(document["Token cache"]?.fact.contains("CA file") == false)
    }

    @Test("A failed write is explained on the screen as in a command")
    func failedWrite() {
        let failure = Failure(.failed, name: "unwritable", "Can't write x: no space.", nextStep: "Free some.")
        let report = Failure(failure, at: Date(timeIntervalSince1970: 0))
        #expect(report.reason == "Can't write x: no space." && report.advice == "Free some.")
    }

    @Test("The sign-in method is one that the authority supports, and the profile's is checked")
    func method() throws {
        func method(_ offersDeviceCode: Bool?, configured: SignInMethod? = nil) throws -> MachineFindings.Method {
            var profile = Profile(
                name: "work", clientID: "native", authority: try #require(URL(string: "https://id.example")))
            profile.method = configured
            if configured == .paste { profile.nextMethods = [.device] }
            return MachineFindings.Method(
                MachineFacts(environment: [:]), profile: profile, offersDeviceCode: offersDeviceCode)
        }
        #expect(try method(true).name == "device" && method(false).name == "paste")
        #expect(try method(nil).reason.hasSuffix("If the authority doesn't support device codes, paste is used."))
        #expect(try !method(true).reason.contains("support"))
        let impossible = try method(false, configured: .device)
        #expect(impossible.configured?.name == "device")
        #expect(impossible.configured?.objection == "The authority doesn't support device codes.")
        let given = try method(true, configured: .paste)
        #expect((given.name, given.reason, given.configured) == ("paste, then device", "As the profile says.", nil))
        #expect(try method(true, configured: .device).configured == nil)
        #expect(try method(true, configured: .browser).configured?.name == "browser")
    }

    private func configuration(authority: String, redirectURI: String = "http://localhost") throws -> String {
        try write(
            """
            { "profiles": { "work": {
              "clientId": "\(DemoAuthorityServer.clientID)",
              "authority": "\(authority)", "authorityType": "aad",
              "redirectUri": "\(redirectURI)",
              "cache": { "path": "tokens.db", "key": "keyFile" } } } }
            """, to: "config.json")
    }

    @Test func aValidSetUpPasses() async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let result = try await run("--config", try configuration(authority: "\(server.origin.absoluteString)/common"))
        #expect(result.code == .done, "\(result.document)")
        #expect(result.document.verdict == "warning")
        for subject in [
            "Configuration", "Client ID", "Redirect URI", "Authority", "Issuer", "Clock", "Token cache", "Registration",
        ] {
            #expect(result.document[subject]?.verdict == "passed", "\(subject)")
        }
        #expect(result.document["Encryption"]?.verdict == "warning")
    }

    @Test(
        "The authority is asked whether it knows the redirect URI",
        arguments: ["http://localhost/other", "http://localhost"])
    func registration(redirectURI: String) async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let file = try configuration(authority: "\(server.origin.absoluteString)/common", redirectURI: redirectURI)
        let result = try await run("--config", file)
        let isKnown = redirectURI == "http://localhost"
        #expect(result.document["Registration"]?.verdict == (isKnown ? "passed" : "failed"))
        #expect(result.document["Registration"]?.fact.contains(isKnown ? "login_required" : "AADSTS50011") == true)
        #expect(try await run("--config", file, "--offline").document["Registration"] == nil)
    }

    @Test(
        "A profile that uses device codes gets a warning about phishing, as the scenario says",
        arguments: [true, false])
    func phishing(usesCodes: Bool) async throws {
        let method = usesCodes ? #"["browser", "device"]"# : #""browser""#
        let file = try write(
            #"{"profiles": {"work": {"clientId": "x", "authority": "https://id.example", "method": \#(method)}}}"#,
            to: "config.json")
        let finding = try await run("--config", file, "--offline").document["Phishing"]
        #expect(finding?.verdict == (usesCodes ? "warning" : nil))
        let scenario = try #require(Scenario.all.first { $0.name == "device-code-phishing" })
        #expect(scenario.teaches.contains("keyturn check warns about a profile that uses them."))
    }

    @Test func everyMistakeOfAConfigurationIsListed() async throws {
        let file = try write(
            "{ \"profiles\": { \"work\": {\n  \"clientId\": \"x\",\n  \"authorty\": \"https://id.example\",\n"
                + "  \"method\": \"bowser\" } } }", to: "config.json")
        let result = try await run("--config", file)
        #expect(result.code == .configuration)
        let mistakes = result.document.sections.first { $0.area == "configuration" }?.findings ?? []
        #expect(mistakes.count == 3)
        #expect(mistakes.allSatisfy { $0.verdict == "failed" && $0.fix?.isEmpty == false })
        #expect(mistakes.contains { $0.fact.contains("line 4: profiles.work.method") })
        #expect(!result.document.sections.contains { $0.area == "authority" })
    }

    @Test func anUnreachableAuthorityIsAProblemAndOtherChecksStillRun() async throws {
        let result = try await run("--config", try configuration(authority: "http://127.0.0.1:9/common"))
        #expect(result.code == .network)
        #expect(result.document["Authority"]?.verdict == "failed")
        #expect(result.document["Authority"]?.fact.contains("127.0.0.1:9") == true)
        #expect(result.document["Token cache"]?.verdict == "passed")
    }

    @Test func offlineSendsNoRequest() async throws {
        let result = try await run("--offline", "--config", try configuration(authority: "http://127.0.0.1:9/common"))
        #expect(result.code == .done)
        #expect(result.document["Authority"]?.verdict == "skipped")
    }

    @Test func aRejectedRedirectURIIsAProblemAndTheAuthorityIsStillChecked() async throws {
        let file = try configuration(authority: "http://127.0.0.1:9/common", redirectURI: "myapp://auth")
        let result = try await run("--config", file, "--offline")
        #expect(result.code == .configuration)
        #expect(result.document["Redirect URI"]?.verdict == "failed")
        #expect(result.document["Authority"]?.verdict == "skipped")
    }

    @Test("An application of another system, by its Info.plist", arguments: [true, false])
    func otherApplication(isBinary: Bool) async throws {
        let list: [String: Any] = [
            "CFBundleIdentifier": "com.example.app",
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["msauth.com.example.app"]]],
            "LSApplicationQueriesSchemes": ["msauthv2"],
        ]
        let plist = folder.appendingPathComponent("Info.plist")
        try PropertyListSerialization.data(fromPropertyList: list, format: isBinary ? .binary : .xml, options: 0)
            .write(to: plist)
        let result = try await run("--info-plist", plist.path, "--client-id", "11111111-2222-3333-4444-555555555555")
        #expect(result.code == .configuration)
        #expect(result.document["Configuration"]?.verdict == "skipped")
        #expect(result.document["Redirect URI"]?.fact.hasPrefix("msauth.com.example.app://auth") == true)
        #expect(result.document["Broker query schemes"]?.verdict == "failed")
        #expect(result.document["Certificate redirect URI"]?.fix?.contains("msauth") == true)
    }

    @Test func anInvalidPlistIsReported() async throws {
        let result = try await run("--info-plist", try write("hello", to: "Info.plist"))
        #expect(result.code == .configuration)
        #expect(result.document["Application"]?.fact.contains("not a property list") == true)
    }

    @Test func withoutInputTheConfigurationIsReportedMissing() async throws {
        let result = try await run("--offline")
        #expect(result.code == .configuration)
        #expect(result.document["Configuration"]?.verdict == "failed")
        #expect(result.document.sections.map(\.area) == ["configuration", "machine"])
    }
}

import Console
import Foundation
import Glibc
import MSAL
import Testing

@testable import Subcommands

@Suite("Starting")
struct StartTests {
    private func settings(_ arguments: String...) throws -> Settings {
        try Settings(OptionParser(options: Option.everywhere).parse(arguments))
    }

    @Test("Without a configuration, the program starts with the set-up")
    func noConfiguration() throws {
        guard case .unconfigured = try settings().programStart(in: ["HOME": "/nowhere"]) else {
            Issue.record("it did not start with the set-up")
            return
        }
    }

    @Test(
        "The set-up writes to the named file if it does not exist", arguments: ["--config", "$KEYTURN_CONFIG"])
    func namedConfiguration(how: String) throws {
        let path = "/nowhere/keyturn.json"
        let (settings, environment) =
            how == "--config"
            ? (try settings("--config", path), [:]) : (try settings(), ["KEYTURN_CONFIG": path])
        guard case .unconfigured = settings.programStart(in: environment) else {
            Issue.record("it did not start with the set-up")
            return
        }
        let book = FileProfileBook(settings, in: .test(environment))
        #expect(book.path == path)
        #expect(try book.entries() == [])
    }

    @Test("A new profile never replaces one with its name; a renamed profile keeps its choices")
    func names() throws {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let environment = ["XDG_STATE_HOME": folder.path]
        let book = FileProfileBook(try settings("--config", folder.path + "/c.json"), in: .test(environment))
        func draft(_ name: String, clientID: String = "1") -> ProfileDraft {
            ProfileDraft(
                authority: "https://login.example.org/t", clientID: clientID, redirectURI: "http://localhost",
                name: name)
        }
        try book.save(draft("a"), replacing: nil)
        try book.save(draft("b"), replacing: nil)
        for replaced in [nil, "b"] {
            let failure = #expect(throws: Failure.self) {
                try book.save(draft("a", clientID: "2"), replacing: replaced)
            }
            #expect(failure?.reason == "A profile a exists already.")
        }
        #expect(try book.entries().map(\.draft.clientID) == ["1", "1"])
        let choices = SavedChoicesFile(in: environment)
        try choices.change("b") { $0.account = "1.2" }
        try book.save(draft("c"), replacing: "b")
        #expect(try choices.choices(of: "c").account == "1.2" && choices.choices(of: "b").account == nil)
    }

    @Test("Scopes are separated by spaces or commas")
    func scopes() throws {
        let draft = ProfileDraft(
            authority: "https://login.example.org/t", clientID: "1", redirectURI: "http://localhost",
            scopes: "User.Read, Mail.Read  api://x/y", name: "a")
        #expect(DraftRules(draft: draft).judge()[.scopes] == nil)
        let text = try ConfigurationEdit.save(draft, replacing: nil).applied(to: nil)
        let profile = try ConfigurationReader.read(text, file: "c").profiles.first
        #expect(profile?.scopes == ["User.Read", "Mail.Read", "api://x/y"])
    }

    @Test("Without the file, reading it again leads to the set-up")
    func deletedFile() throws {
        let book = FileProfileBook(try settings("--config", "/nowhere/c.json"), in: .test([:]))
        let failure = #expect(throws: Failure.self) { try book.openFirst { _ in } }
        #expect(failure?.name == Failure.noConfiguration)
    }

    @Test("A redacted copy never replaces its source, whatever its name")
    func ownCopy() async throws {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let (source, link) = (folder.path + "/a.log", folder.path + "/link.log")
        try "AADSTS50011".write(toFile: source, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.log")
        let settings = try settings("--config", folder.path + "/c.json")
        try await DemoSession.use(in: .test(["HOME": folder.path])) { demo, surroundings async throws in
            let services = ProgramServices(settings, demo, in: surroundings)
            func failure(of source: String, to path: String) async -> Failure? {
                let export = Export("the redacted copy", path: path, .redactedCopy(of: source))
                let result = await services.perform(.export(export, replaces: true, nil), services) { _ in }
                guard case .exported(export, let outcome) = result else {
                    return Failure(.failed, name: "none", "", nextStep: "")
                }
                return outcome.error
            }
            for path in [source, link, "~/a.log"] {
                #expect(await failure(of: source, to: path)?.name == "source")
                #expect(await failure(of: "~/a.log", to: path)?.name == "source")
            }
            #expect(await failure(of: source, to: folder.path + "/b.log") == nil)
        }
    }

    @Test("A named file with mistakes is a problem")
    func wrongConfiguration() throws {
        guard case .problem = try settings("--config", "/").programStart(in: [:]) else {
            Issue.record("it started")
            return
        }
    }

    @Test("All mistakes are listed with their lines")
    func mistakes() throws {
        let error = ConfigurationError(
            file: "c",
            mistakes: [
                .init(line: 2, key: "a", problem: "is wrong", remedy: "Right it"),
                .init(line: 3, key: "b", problem: "too", remedy: "Did you mean \"c\"?"),
            ])
        let problem = Failure(starting: error)
        #expect(problem.headline == "The configuration is invalid.")
        #expect(problem.reason == "line 2: a: is wrong. Right it.\nline 3: b: too. Did you mean \"c\"?")
    }

    @Test("A rejected redirect URI is a problem with the library's next step")
    func rejectedRedirectURI() throws {
        let settings = try settings(
            "--client-id", "1", "--authority", "https://login.example.org", "--redirect-uri", "msauth.elsewhere://auth",
            "--cache", "/nowhere/tokens.db")
        guard case .problem(let problem, _) = settings.programStart(in: ["HOME": "/nowhere"]) else {
            Issue.record("it started")
            return
        }
        #expect(problem.reason.contains("msauth.elsewhere"))
        #expect(!problem.advice.isEmpty)
    }

    @Test("A profile's members reach the library's configuration")
    func application() throws {
        var profile = Profile(
            name: "a", clientID: "1", authority: try #require(URL(string: "https://login.microsoftonline.com/contoso")))
        profile.clientCapabilities = ["CP1"]
        profile.keychainSharingGroup = "shared"
        profile.knownAuthorities = [profile.authority]
        profile.cacheFile = "/nowhere/tokens.db"
        let configuration = try profile.application().configuration
        #expect(configuration.clientId == "1")
        #expect(configuration.redirectUri == "http://localhost")
        #expect(configuration.authority is MSALAADAuthority)
        #expect(configuration.knownAuthorities.map(\.url) == [profile.authority])
        #expect(configuration.clientApplicationCapabilities == ["CP1"])
        #expect(configuration.cacheConfig.keychainSharingGroup == "shared")
        #expect(configuration.cacheConfig.storeURL?.path == "/nowhere/tokens.db")
    }

    @Test("Options of the full screen")
    func screenOptions() throws {
        let plain = try settings().programOptions(in: .test())
        #expect(!plain.ascii && !plain.noColor && !plain.noMotion)
        let options = try settings("--ascii", "--no-color", "--no-motion").programOptions(in: .test())
        #expect(options.ascii && options.noColor && options.noMotion)
        #expect(try settings().programOptions(in: .test(["NO_COLOR": "1"])).noColor)
        #expect(try !settings().programOptions(in: .test(["NO_COLOR": ""])).noColor)
    }

    @Test(
        "Line mode",
        arguments: [
            ([], [:], false), (["--plain"], [:], true), ([], ["ACCESSIBLE": "1"], true),
            ([], ["ACCESSIBLE": ""], false),
        ])
    func lines(_ options: [String], _ environment: [String: String], _ expected: Bool) throws {
        let parsed = try OptionParser(options: Option.everywhere).parse(options)
        #expect(try Settings(parsed).usesLines(in: environment) == expected)
    }

    @Test("The version is the registration's")
    func version() throws {
        let entries = try PropertyListSerialization.propertyList(from: EmbeddedResource.infoPlist, format: nil)
        #expect((entries as? [String: Any])?["CFBundleShortVersionString"] as? String == Release.version)
    }

    @Test("A profile's property list and identifier reach the library, which explains an invalid list")
    func registration() throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        var profile = Profile(
            name: "a", clientID: "1", authority: try #require(URL(string: "https://login.microsoftonline.com/contoso")))
        profile.cacheFile = folder.path + "/tokens.db"
        profile.cacheKey = .keyFile
        profile.bundleIdentifier = "org.example.app"
        profile.redirectURI = "msauth.org.example.app://auth"
        profile.infoPlist = ConfiguredFile(path: folder.path + "/Info.plist", key: "profiles.a.infoPlist", line: 7)

        let entries: [String: Any] = [
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["msauth.org.example.app"]]],
            "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"],
        ]
        let list = URL(fileURLWithPath: folder.path + "/Info.plist")
        try PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0).write(to: list)
        let registration = try #require(try profile.application().configuration.appRegistration)
        #expect(registration.value.bundleIdentifier == "org.example.app")
        #expect(registration.value.urlSchemes == ["msauth.org.example.app"])

        // The outermost dictionary becomes a set, which crashes PropertyListSerialization.
        var damaged = try Data(contentsOf: list)
        damaged[8] ^= 0x10
        try damaged.write(to: list)
        let error = #expect(throws: ConfigurationError.self) { try profile.application() }
        let mistake = try #require(error?.mistakes.first)
        #expect(mistake.line == 7)
        #expect(mistake.key == "profiles.a.infoPlist")
        #expect(mistake.problem.contains("Info.plist"))
    }

    @Test("Steps as lines: the URL to open, successes and failures; without escape sequences")
    func narration() throws {
        let url = try #require(URL(string: "https://login.example.org/authorize"))
        func event(_ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase, url: URL? = nil) -> MSALFlowEvent {
            MSALFlowEvent(
                step: step, phase: phase, detail: "\u{1b}detail", date: Date(timeIntervalSince1970: 0),
                authorizationURL: url)
        }
        #expect(FlowNarrator().lines(event(.openBrowser, .started, url: url)).last == url.absoluteString)
        #expect(FlowNarrator().lines(event(.redeemCode, .started)) == [])
        #expect(FlowNarrator().lines(event(.redeemCode, .succeeded)) == ["  detail"])
        #expect(FlowNarrator().lines(event(.redeemCode, .failed)) == [])
        #expect(FlowNarrator().lines(event(.openBrowser, .failed)) == ["  ! detail"])
        #expect(FlowNarrator().lines(event(.waitForCode, .noted)) == ["  detail"])
        #expect(FlowNarrator().lines(event(.waitForResponse, .noted)).first == "  detail")
        #expect(FlowNarrator().lines(event(.waitForResponse, .noted)).last?.contains("--method device") == true)
        #expect(FlowNarrator(method: .paste).lines(event(.waitForResponse, .noted)) == ["  detail"])
        #expect(FlowNarrator().lines(event(.callBroker, .failed)) == [])
        #expect(FlowNarrator(hidesFailure: true).lines(event(.openBrowser, .failed)) == [])
    }

    @Test("A closed reader is a failure, and does not end the program")
    func closedPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        defer { close(ends[1]) }
        let sink = FileDescriptorSink(descriptor: ends[1])
        let failure = #expect(throws: TextSinkFailure.self) { try sink.write("x") }
        #expect(failure?.isClosedPipe == true)
    }
}

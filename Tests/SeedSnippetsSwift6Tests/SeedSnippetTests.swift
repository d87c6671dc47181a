import DemoAuthority
import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

/// The Swift code of the documents, character for character, compiled in two language modes and run.
@Suite("The documents' Swift code", .oneSessionAtATime) struct SeedSnippetTests {
    // MARK: The text

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: folder).path)
            .map { String($0.prefix { $0 != "." }) }
            .sorted()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test("The compiled code equals the document's")
    func text() throws {
        let names = try Self.names(in: "Fixtures")
        #expect(try Self.names(in: "Snippets") == names)
        #expect(names.count == 15)
        for name in names {
            let lines = try Self.text("Snippets/\(name).swift").split(separator: "\n", omittingEmptySubsequences: false)
            let added = lines.filter { $0.hasSuffix("// The document leaves this to its reader.") }
            #expect(added.map(String.init) == Self.added[name].map { [$0] } ?? [], "\(name)")
            let compiled = lines.filter { !added.contains($0) }.joined(separator: "\n")
            #expect(compiled.contains(try Self.text("Fixtures/\(name).txt")), "\(name)")
        }
    }

    /// These documents declare constants and leave their values to the reader. Swift requires a value before the first
    /// use; one line adds it.
    private static let added = [
        "Seed003AccountForIdentifier":
            "application = givenApplication; accountIdentifier = givenIdentifier // The document leaves this to its reader.",
        "Seed003AllAccounts": "application = givenApplication // The document leaves this to its reader.",
        "Seed003Silent":
            "application = givenApplication; account = givenAccount // The document leaves this to its reader.",
    ]

    // MARK: Applications

    private func internalCode(redirectURI: String?) throws -> Int? {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "<your-client-id-here>", redirectUri: redirectURI, authority: nil)
        let error = #expect(throws: MSALAuthenticationError.self) {
            _ = try MSALPublicClientApplication(configuration: configuration)
        }
        return try #require(error).userInfo[MSALInternalErrorCodeKey] as? Int
    }

    @Test("A placeholder for a redirect URI reaches the document's error handler")
    func customRedirect() throws {
        let authority = MSALPublicClientApplicationConfig(clientId: "client").authority
        Seed000CustomRedirect.run(authority: authority)
        Seed001CustomRedirect.run(authority: authority)
        Seed002CustomRedirect.run(authority: authority)
        Seed004CustomRedirect.run(authority: authority)
        #expect(try internalCode(redirectURI: "your-redirect-uri") == -42001)
    }

    @Test("The default redirect URI works in a program without an Info.plist")
    func defaultRedirect() throws {
        Seed003Application.run()
        let configuration = MSALPublicClientApplicationConfig(clientId: "<your-client-id-here>")
        let application = try MSALPublicClientApplication(configuration: configuration)
        #expect(application.redirectUri.url.absoluteString == "http://localhost")
    }

    // MARK: URLs that the application is opened with

    enum Handler: String, CaseIterable, Sendable {
        case seed000, seed001, seed002, seed003, seed003Broker, seed003Scene, seed004

        /// The handler's result for the URL; `nil` if it has none.
        func open(_ url: URL) -> Bool? {
            let application = UIApplication()
            let options: [UIApplication.OpenURLOptionsKey: Any] = [.sourceApplication: "org.example.browser"]
            switch self {
            case .seed000: return Seed000AppDelegate().application(application, open: url, options: options)
            case .seed001: return Seed001AppDelegate().application(application, open: url, options: options)
            case .seed002: return Seed002AppDelegate().application(application, open: url, options: options)
            case .seed003: return Seed003AppDelegate().application(application, open: url, options: options)
            case .seed003Broker:
                return Seed003BrokerAppDelegate().application(application, open: url, options: options)
            case .seed003Scene:
                let context = UIOpenURLContext(url: url, options: .init(sourceApplication: "org.example.browser"))
                Seed003SceneDelegate().scene(UIScene(), openURLContexts: [context])
                return nil
            case .seed004: return Seed004AppDelegate().application(application, open: url, options: options)
            }
        }
    }

    @Test("A handler completes the sign-in that waits for its URL, and no other URL does", arguments: Handler.allCases)
    func handlers(handler: Handler) async throws {
        var world = try World()
        world.browser = OpeningBrowser(transport: world.transport) { landing in
            let stranger = URL(string: "msauth.org.keyturn.app://auth?code=1&state=another")
            #expect(stranger.map(handler.open) != true)
            #expect(handler.open(landing) != false)
            #expect(handler.open(landing) != true)
        }
        let result = try await signIn(world, redirectURI: nil)
        #expect(result.account.username == "ann@contoso.example")
    }

    private func signIn(_ world: World, redirectURI: String? = "http://localhost") async throws -> MSALResult {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        return try await world.application(redirectURI: redirectURI).acquireToken(with: parameters)
    }

    // MARK: Accounts and tokens

    @Test("All accounts and single accounts are found without a request")
    func accounts() async throws {
        var world = try World()
        world.seat(.ann)
        let identifier = try #require(try await signIn(world).account.identifier)
        world.transport.forget()
        let application = try world.application()
        Seed003AccountForIdentifier.run(application, identifier)
        Seed003AccountForIdentifier.run(application, "unknown")
        Seed003AllAccounts.run(application)
        #expect(world.transport.requests.isEmpty)
        #expect(try application.account(forIdentifier: identifier).username == "ann@contoso.example")
    }

    @Test("A token is requested silently, and the document's block is called")
    func silent() async throws {
        var world = try World()
        world.seat(.ann)
        let account = try await signIn(world).account
        let asked = AsyncStream<String>.makeStream()
        world.transport.tamper { request, response in
            if request.url.path().hasSuffix("/token") {
                asked.continuation.yield(String(decoding: request.body, as: UTF8.self))
            }
            return response
        }
        Seed003Silent.run(try world.application(), account)
        var requests = asked.stream.makeAsyncIterator()
        let body = Parameters(formEncoded: try #require(await requests.next()))
        #expect(body["grant_type"] == "refresh_token")
        #expect(body["scope"]?.hasPrefix("<your-resource-here>/.default") == true)
    }
}

/// Ann with a browser that passes a custom scheme's URL to its handler.
private struct OpeningBrowser: BrowserLauncher {
    private let user: ScriptedUser
    private let handOver: @Sendable (URL) -> Void

    init(transport: AuthorityTransport, handOver: @escaping @Sendable (URL) -> Void) {
        user = ScriptedUser(username: "ann@contoso.example", password: "ann-likes-tea") {
            try await transport.send($0)
        }
        self.handOver = handOver
    }

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        do {
            handOver(try await user.walk(from: page.url))
        } catch {
            throw BrowserLaunchFailure(reason: "The scripted user failed: \(error)")
        }
    }
}

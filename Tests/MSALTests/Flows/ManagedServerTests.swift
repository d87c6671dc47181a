import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Tokens of a server to which the organisation grants access, at the built-in authority: Contoso is the organisation, and Fabrikam the
/// authority of the API.
@Suite("Managed servers", .oneSessionAtATime) struct ManagedServerTests {
    private let world: World

    init() throws { world = try Self.world() }

    private static func world(_ settings: AuthoritySettings = AuthoritySettings()) throws -> World {
        var world = try World(settings)
        world.seat(.ann)
        return world
    }

    private func application(
        _ world: World? = nil, _ configuration: MSALPublicClientApplicationConfig? = nil
    ) async throws -> MSALPublicClientApplication {
        let world = world ?? self.world
        let configuration = try configuration ?? world.managedConfiguration()
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        return try await .application(
            forResource: world.transport.origin.appending(path: "api/team"), configuration: configuration)
    }

    private func parameters(_ application: MSALPublicClientApplication) throws -> MSALInteractiveTokenParameters {
        MSALInteractiveTokenParameters(
            scopes: try #require(application.configuration.resource).scopes, webviewParameters: MSALWebviewParameters())
    }

    private func silent(_ application: MSALPublicClientApplication, force: Bool = false) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(
            scopes: try #require(application.configuration.resource).scopes,
            account: try #require(application.allAccounts().first))
        parameters.forceRefresh = force
        return try await application.acquireTokenSilent(with: parameters)
    }

    /// The forms to token endpoints.
    private func forms(_ world: World? = nil) -> [(tenant: String, form: Parameters)] {
        (world ?? self.world).transport.requests.filter { $0.url.path().hasSuffix("/token") }.map {
            ($0.url.pathComponents[1], Parameters(formEncoded: String(decoding: $0.body, as: UTF8.self)))
        }
    }

    private func grants(_ world: World? = nil) -> [String] {
        forms(world).map {
            "\($0.tenant == Directory.contoso ? "org" : "server") \($0.form["grant_type"]?.split(separator: ":").last ?? "")"
        }
    }

    private func status(of token: String) async throws -> Int {
        try await world.transport.send(
            HTTPRequest(
                .get, world.transport.origin.appending(path: "api/team"), headers: ["Authorization": "Bearer \(token)"])
        ).status
    }

    @Test("One sign-in at the organisation leads to a token that the server accepts, and its tokens stay apart")
    func signIn() async throws {
        let application = try await application()
        #expect(application.configuration.clientId == DemoAuthorityServer.clientID)
        let result = try await application.acquireToken(with: parameters(application))
        #expect(result.account.username == "ann@contoso.example" && result.scopes == ["User.Read"])
        #expect(grants() == ["org authorization_code", "org token-exchange", "server jwt-bearer"])
        #expect(try await status(of: result.accessToken) == 200)
        let authorize = try #require(world.transport.requests.first { $0.url.path().hasSuffix("/authorize") })
        let sent = Parameters(formEncoded: authorize.url.query() ?? "")
        #expect(sent["resource"] == nil && sent["scope"]?.contains("User.Read") == false)
        let exchange = try #require(forms().first { $0.form["subject_token"] != nil }).form
        let origin = world.transport.origin
        #expect(exchange["audience"] == origin.appending(path: "\(Directory.fabrikam)/v2.0").absoluteString)
        #expect(exchange["resource"] == origin.appending(path: "api/team").absoluteString)
        #expect(exchange["scope"] == "User.Read")
        // The organisation's own application has the same account, but another token.
        let configuration = try world.managedConfiguration()
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        let own = try MSALPublicClientApplication(configuration: configuration)
        #expect(try own.allAccounts().map(\.identifier) == application.allAccounts().map(\.identifier))
    }

    @Test(
        "A token from the cache sends no request; another one needs an exchange, and a refresh once the ID token has expired"
    )
    func silently() async throws {
        let application = try await application()
        let first = try await application.acquireToken(with: parameters(application))
        world.transport.forget()
        #expect(try await silent(application).accessToken == first.accessToken && world.transport.requests.isEmpty)
        let second = try await silent(application, force: true)
        #expect(second.accessToken != first.accessToken && grants() == ["org token-exchange", "server jwt-bearer"])
        world.transport.forget()
        world.time.advance(by: 2 * 3600)
        let third = try await silent(application)
        #expect(grants() == ["org refresh_token", "org token-exchange", "server jwt-bearer"])
        #expect(try await status(of: third.accessToken) == 200)
    }

    @Test("The organisation's refusal keeps the sign-in, and names the organisation") func refused() async throws {
        let world = try Self.world(try #require(Fault(named: "assertion-refused")).settings)
        let application = try await application(world)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(application))
        }
        #expect(
            error?.localizedDescription.hasPrefix("Your organisation's authority (127.0.0.1:8400) gives no access")
                == true)
        #expect(error?.localizedRecoverySuggestion?.contains("administrator") == true)
        #expect(error?.failureKind == .rejected)
        #expect(try application.allAccounts().count == 1)
        #expect(!grants(world).contains("server jwt-bearer"))
    }

    @Test("A later refusal for one server leaves the organisation's refresh token in the cache") func refusedLater()
        async throws
    {
        let application = try await application()
        _ = try await application.acquireToken(with: parameters(application))
        world.reject("token-exchange", with: "invalid_grant")
        await #expect(throws: MSALAuthenticationError.self) { try await silent(application, force: true) }
        world.transport.tamper { _, response in response }
        #expect(try await silent(application, force: true).isFromCache == false)
    }

    @Test("A sign-out revokes no token of a server's authority at the organisation") func revocation() async throws {
        let application = try await application()
        _ = try await application.acquireToken(with: parameters(application))
        let records = try world.store.records(matching: CredentialQuery())
        let tokens = records.filter { $0.key.kind == .accessToken }
        let issued = AccountCredentials(
            records: records.filter { $0.key.kind != .refreshToken }, client: DemoAuthorityServer.clientID)
        let environments = Array(Set(records.map(\.key.environment)))
        #expect(!tokens.isEmpty)
        #expect(
            issued.tokensToRevoke(environments: environments).map { $0.secret.reveal() }
                == tokens.filter { $0.key.realm == Directory.contoso }.compactMap { $0.members["secret"]?.string })
    }

    @Test(
        "The server's authority rejects an assertion that is expired, replayed or another client's, and is named",
        arguments: [
            ("assertion-expired", "It has expired."),
            ("assertion-of-another-client", "It was issued for another client."),
            ("assertion-replayed", "It was already used."),
        ])
    func rejected(name: String, reason: String) async throws {
        let fault = try #require(Fault(named: name))
        let world = try Self.world(fault.settings)
        let application = try await application(world)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireToken(with: parameters(application))
            _ = try await silent(application, force: true)
        }
        let text = error?.localizedDescription ?? ""
        #expect(text.hasPrefix("The server's authority (127.0.0.1:8400) rejected your organisation's assertion"))
        #expect(text.contains(reason) && error?.failureKind == .rejected)
        #expect(error?.localizedRecoverySuggestion?.contains("clientId in managedServers") == true)
    }

    @Test(
        "A refusal right after the sign-in is the organisation's, and no reason to sign in again",
        arguments: ["invalid_grant", "login_required"])
    func refusedAfterSignIn(error: String) async throws {
        let world = try Self.world()
        world.reject("token-exchange", with: error)
        let application = try await application(world)
        let failure = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(application))
        }
        let text = failure?.localizedDescription ?? ""
        #expect(text.hasPrefix("Your organisation's authority") && text.contains("Why. (\(error))"), "\(text)")
        #expect(failure?.failureKind == .rejected && failure?.code == MSALError.internal.rawValue)
    }

    @Test(
        "A server's authority that rejects the client is named, with the setting and whom to ask",
        arguments: [true, false])
    func rejectedClient(hasSecret: Bool) async throws {
        let world = try Self.world()
        world.reject("jwt-bearer", with: "invalid_client")
        let secret: MSALClientSecret? = hasSecret ? .provider { "a-servers-secret" } : nil
        let application = try await application(world, try world.managedConfiguration(clientSecret: secret))
        let failure = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(application))
        }
        let text = failure?.localizedDescription ?? ""
        #expect(text.hasPrefix("The server's authority"), "\(text)")
        let advice = failure?.localizedRecoverySuggestion ?? ""
        #expect(advice.contains("clientSecret") && advice.contains("managedServers") && advice.contains("trusts"))
        #expect(failure?.failureKind == .misconfigured)
    }

    @Test("An assertion for another audience goes nowhere") func strangeAudience() async throws {
        let world = try Self.world(try #require(Fault(named: "assertion-for-another")).settings)
        let application = try await application(world)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(application))
        }
        #expect(error?.localizedDescription.contains("https://elsewhere.example") == true)
        #expect(!grants(world).contains("server jwt-bearer"))
    }

    @Test(
        "A server that names the organisation's authority, or another one, gets nothing",
        arguments: ["\(Directory.contoso)/v2.0", "elsewhere/v2.0"])
    func hostileServer(named path: String) async throws {
        let origin = world.transport.origin
        world.transport.changeJSON(of: "oauth-protected-resource/api/team") {
            $0["authorization_servers"] = [.string(origin.appending(path: path).absoluteString)]
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(error?.localizedDescription.contains("but the profile") == true)
        #expect(forms().isEmpty && !world.transport.requests.contains { $0.url.path().contains("authorize") })
        // A server that the profile doesn't name gets no assertion, whatever it names.
        let configuration = try world.managedConfiguration()
        configuration.managedServers = [:]
        world.transport.forget()
        if let application = try? await self.application(nil, configuration) {
            _ = try? await application.acquireToken(with: parameters(application))
        }
        #expect(!forms().contains { $0.form["subject_token"] != nil || $0.form["assertion"] != nil })
    }

    @Test("The organisation's own token doesn't go to a managed server, though the user named its scopes for it")
    func ownToken() async throws {
        let team = world.transport.origin.appending(path: "api/team")
        let configuration = try world.managedConfiguration()
        configuration.resourceScopes = [world.transport.origin: ["User.Read"]]
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        let own = try MSALPublicClientApplication(configuration: configuration)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.destination = MSALTokenDestination(team, namedScopes: ["User.Read"])
        let error = await #expect(throws: MSALAuthenticationError.self) { try await own.acquireToken(with: parameters) }
        #expect(error?.localizedDescription.contains("managedServers in the profile has") == true)
        #expect(world.transport.requests.isEmpty && !own.names(team, scopes: ["User.Read"]))
        #expect(try await application().names(team, scopes: []))
    }

    @Test("A server that changes its metadata later, or a changed profile, leads to no exchange with what was found")
    func changed() async throws {
        _ = try await application()
        let other = try world.managedConfiguration(issuer: world.transport.origin.appending(path: "elsewhere/v2.0"))
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application(nil, other) }
        #expect(error?.localizedDescription.contains("elsewhere/v2.0") == true && forms().isEmpty)
    }

    @Test("A server whose metadata names another authority since the sign-in gets no further token")
    func changedSinceSignIn() async throws {
        let application = try await application()
        _ = try await application.acquireToken(with: parameters(application))
        let elsewhere = world.transport.origin.appending(path: "elsewhere/v2.0").absoluteString
        world.transport.changeJSON(of: "oauth-protected-resource/api/team") {
            $0["authorization_servers"] = [.string(elsewhere)]
        }
        world.transport.forget()
        let error = await #expect(throws: MSALAuthenticationError.self) { try await silent(application, force: true) }
        #expect(error?.localizedDescription.contains("elsewhere/v2.0, but the profile") == true && forms().isEmpty)
    }

    @Test(
        "The server's authority gets its own client's secret, and the organisation doesn't; a missing one ends before the page"
    )
    func secrets() async throws {
        let application = try await application(
            nil, try world.managedConfiguration(clientSecret: .provider { "a-servers-secret" }))
        // The built-in authority has public clients only.
        _ = try? await application.acquireToken(with: parameters(application))
        #expect(forms().map { $0.form["client_secret"] } == [nil, nil, "a-servers-secret"])
        let broken = try await self.application(
            nil,
            try world.managedConfiguration(clientSecret: .provider { throw URLError(.cannotOpenFile) }))
        world.transport.forget()
        await #expect(throws: MSALAuthenticationError.self) {
            try await broken.acquireToken(with: parameters(broken))
        }
        #expect(forms().isEmpty && !world.transport.requests.contains { $0.url.path().contains("authorize") })
    }
}

extension World {
    /// Rejects the requests of a grant whose name ends so.
    fileprivate func reject(_ grant: String, with error: String) {
        transport.tamper { request, response in
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            guard form["grant_type"]?.hasSuffix(grant) == true else { return response }
            let body = #"{"error":"\#(error)","error_description":"Why."}"#
            return HTTPResponse(status: 400, body: Array(body.utf8))
        }
    }
}

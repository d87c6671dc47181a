import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A document cache that can be read, but not written.
private struct ReadOnlyDocuments: DocumentCache {
    func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? { nil }

    func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure) {
        throw CredentialStoreFailure(.io, reason: "No space left on device.")
    }

    func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] { [] }
}

/// One registration for all resources of an authority: who may forget it, and when it is checked or made anew.
@Suite("Client registrations", .oneSessionAtATime) struct ClientRegistrationTests {
    private let world: World

    init() throws {
        var world = try World()
        world.seat(.ann)
        self.world = world
    }

    private func configuration(
        _ change: (inout Dependencies) -> Void = { _ in }
    ) -> MSALPublicClientApplicationConfig {
        let configuration = MSALPublicClientApplicationConfig(clientId: "")
        var dependencies = world.dependencies
        change(&dependencies)
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: dependencies))
        return configuration
    }

    private func url(_ path: String) -> URL { world.transport.origin.appending(path: path) }

    /// The application for a sign-in, which asks the resource anew, or the one that is known.
    private func application(
        _ path: String = "api/me", renewing: Bool = true, _ configuration: MSALPublicClientApplicationConfig? = nil
    ) async throws -> MSALPublicClientApplication {
        try await .application(
            forResource: url(path), configuration: configuration ?? self.configuration(), renewing: renewing)
    }

    private func known(_ path: String = "api/me") throws -> MSALPublicClientApplication? {
        try .knownApplication(forResource: url(path), configuration: configuration())
    }

    @discardableResult
    private func signIn(_ application: MSALPublicClientApplication) async throws -> MSALResult {
        try await application.acquireToken(
            with: MSALInteractiveTokenParameters(
                scopes: try #require(application.configuration.resource).scopes,
                webviewParameters: MSALWebviewParameters()))
    }

    private func cancelSignIn(_ path: String = "api/me") async throws {
        let cancelling = try await application(path, configuration { $0.browser = CancellingBrowser() })
        let error = await #expect(throws: MSALAuthenticationError.self) { try await signIn(cancelling) }
        #expect(error?.failureKind == .canceled)
    }

    @discardableResult
    private func silent(
        _ application: MSALPublicClientApplication?, force: Bool = true
    ) async throws -> MSALResult {
        let application = try #require(application)
        let parameters = MSALSilentTokenParameters(
            scopes: try #require(application.configuration.resource).scopes,
            account: try #require(application.allAccounts().first))
        parameters.forceRefresh = force
        return try await application.acquireTokenSilent(with: parameters)
    }

    private var registrations: Int { world.transport.requests.count { $0.url.path().hasSuffix("/register") } }

    /// Replaces the responses of the token endpoint to one client.
    private func answer(_ clientID: String, with response: HTTPResponse) {
        world.transport.tamper { request, usual in
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            return request.url.path().hasSuffix("/token") && form["client_id"] == clientID ? response : usual
        }
    }

    private func rejection(_ error: String, status: Int = 400) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(#"{"error":"\#(error)"}"#.utf8))
    }

    @Test("A cancelled sign-in makes the next one register anew, and leaves tokens of other resources usable")
    func cancelled() async throws {
        let me = try await application()
        try await signIn(me)
        try await cancelSignIn("api/admin")
        let admin = try await application("api/admin")
        #expect(admin.configuration.clientId != me.configuration.clientId && registrations == 2)
        try await signIn(admin)
        #expect(try known()?.configuration.clientId == me.configuration.clientId)
        for path in ["api/me", "api/admin"] { try await silent(try known(path)) }
        #expect(try await application("api/mail").configuration.clientId == admin.configuration.clientId)
        #expect(registrations == 2)
    }

    @Test("Cancelled sign-ins leave the same resource's tokens usable, until a sign-in replaces its client")
    func cancelledTwice() async throws {
        let first = try await application()
        let token = try await signIn(first).accessToken
        for _ in 1...2 { try await cancelSignIn() }
        #expect(try await silent(try known(), force: false).accessToken == token)
        try await silent(try known())
        let second = try await application()
        try await signIn(second)
        #expect(try known()?.configuration.clientId == second.configuration.clientId)
        #expect(second.configuration.clientId != first.configuration.clientId)
        let asked = world.transport.requests.count
        try await silent(try known(), force: false)
        #expect(world.transport.requests.count == asked)
    }

    @Test(
        "A client that the token endpoint rejects is registered anew by the next sign-in",
        arguments: [
            (400, #"{"error":"invalid_client"}"#), (401, #"{"error":"invalid_client"}"#),
            (400, #"{"error":"unauthorized_client"}"#), (401, #"{"error":"invalid_grant"}"#),
        ])
    func rejected(status: Int, body: String) async throws {
        let first = try await application()
        try await signIn(first)
        #expect(!first.isClientRegistrationRejected)
        answer(first.configuration.clientId, with: HTTPResponse(status: status, body: Array(body.utf8)))
        await #expect(throws: MSALAuthenticationError.self) { try await silent(first) }
        #expect(first.isClientRegistrationRejected)
        // The access token is still valid.
        try await silent(try known(), force: false)
        let second = try await application()
        #expect(second.configuration.clientId != first.configuration.clientId && registrations == 2)
        try await signIn(second)
        try await silent(try known())
    }

    @Test(
        "After a page in place of an error, the next sign-in asks the server about the client",
        arguments: [400, 401], [true, false])
    func page(status: Int, comesAgain: Bool) async throws {
        let first = try await application()
        try await signIn(first)
        answer(first.configuration.clientId, with: HTTPResponse(status: status, body: Array("<html>".utf8)))
        await #expect(throws: MSALAuthenticationError.self) { try await silent(first) }
        #expect(!first.isClientRegistrationRejected)
        if !comesAgain { world.transport.tamper(nil) }
        let second = try await application()
        #expect((second.configuration.clientId == first.configuration.clientId) == !comesAgain)
        #expect(registrations == (comesAgain ? 2 : 1))
    }

    @Test("Other errors of the token endpoint say nothing about the client", arguments: ["invalid_scope", "slow_down"])
    func otherErrors(error: String) async throws {
        let first = try await application()
        try await signIn(first)
        answer(first.configuration.clientId, with: rejection(error))
        await #expect(throws: MSALAuthenticationError.self) { try await silent(first) }
        #expect(try await application().configuration.clientId == first.configuration.clientId)
        #expect(registrations == 1)
    }

    @Test(
        "After a rejected refresh token, the next sign-in asks the server about the client", arguments: [true, false])
    func checked(isKnown: Bool) async throws {
        let first = try await application()
        try await signIn(first)
        answer(first.configuration.clientId, with: rejection("invalid_grant"))
        await #expect(throws: MSALAuthenticationError.self) { try await silent(first) }
        if !isKnown { answer(first.configuration.clientId, with: rejection("invalid_client", status: 401)) }
        let second = try await application()
        #expect((second.configuration.clientId == first.configuration.clientId) == isKnown)
        #expect(registrations == (isKnown ? 1 : 2))
        world.transport.tamper(nil)
        try await signIn(second)
        // The sign-in has cleared the doubt.
        world.transport.forget()
        #expect(try await application().configuration.clientId == second.configuration.clientId)
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }

    @Test("A client whose secret has expired is registered anew, without asking the server", arguments: [0.0, 3600])
    func expiredSecret(lifetime: Double) async throws {
        let expiry = lifetime == 0 ? 0 : world.time.now().timeIntervalSince1970 + lifetime
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/register"),
                var members = (try? JSONValue(parsing: response.body))?.object
            else { return response }
            members["client_secret"] = "aSecretOfTheServer"
            members["token_endpoint_auth_method"] = "client_secret_post"
            members["client_secret_expires_at"] = JSONValue(Int(expiry))
            return HTTPResponse(status: 201, body: Array(JSONValue.object(members).serialized.utf8))
        }
        let first = try await application()
        #expect(first.configuration.clientId == (try await application().configuration.clientId))
        world.time.advance(by: 7200)
        let second = try await application()
        #expect((second.configuration.clientId == first.configuration.clientId) == (lifetime == 0))
        #expect(first.isClientRegistrationRejected == false)
        #expect(registrations == (lifetime == 0 ? 1 : 2))
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }

    @Test("The scopes that the user names are registered too") func registeredScopes() async throws {
        let configuration = configuration()
        configuration.registrationScopes = ["Calendars.Read"]
        _ = try await application("api/me", configuration)
        let request = try #require(world.transport.requests.first { $0.url.path().hasSuffix("/register") })
        let scopes = try #require(try JSONValue(parsing: request.body)["scope"]?.string).split(separator: " ")
        #expect(scopes.contains("Calendars.Read") && scopes.contains("User.Read"))
    }

    @Test("A registration endpoint that redirects is named with its target") func redirected() async throws {
        world.transport.tamper { request, response in
            request.url.path().hasSuffix("/register")
                ? HTTPResponse(status: 307, headers: ["Location": "https://register.example/clients?key=1"]) : response
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(error?.localizedDescription.contains("it redirects to https://register.example, which isn't") == true)
        #expect(error?.localizedDescription.contains("key=1") == false)
    }

    @Test("A registration that can't be stored isn't made, and the error says why") func unstorable() async throws {
        let configuration = configuration { $0.documents = ReadOnlyDocuments() }
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application("api/me", configuration)
        }
        #expect(error?.failureKind == .store)
        #expect(error?.localizedDescription.contains("No space left on device.") == true)
        #expect(registrations == 0)
    }

    @Test("A registration whose request has left when the sign-in is cancelled is stored for the next sign-in")
    func cancelledMeanwhile() async throws {
        let gate = GatedTransport(world.transport, path: "/register")
        world.time.holdSleeps(from: OneTimeWork.grace)
        let configuration = configuration { $0.transport = gate }
        let finding = Task { try await application("api/me", configuration) }
        try await gate.arrival()
        finding.cancel()
        gate.open()
        _ = await finding.result
        try await signIn(try await application())
        #expect(gate.cancelled == 0)
        #expect(registrations == 1)
    }

    @Test("Of two registrations at once, the one that was stored first is used") func atOnce() async throws {
        let other = try await application("api/admin")
        let key = try #require(other.configuration.resource?.registrationKey)
        try other.forgetClientRegistration()
        let store = ClientRegistrations(documents: OwnDocuments(world.dependencies))
        let entry = ClientRegistrations.Entry(
            client: ClientRegistration(
                clientID: other.configuration.clientId, redirectURI: "http://127.0.0.1:20000/callback",
                getsIDTokens: true))
        world.transport.tamper { request, response in
            if request.url.path().hasSuffix("/register") { try? store.save(entry, key) }
            return response
        }
        #expect(try await application().configuration.clientId == other.configuration.clientId)
        #expect(try store.entry(key) == entry)
        #expect(registrations == 2)
    }

    @Test("Finding a resource registers nothing, and a sign-in uses a registration that was made since")
    func found() async throws {
        let resource = try await MSALPublicClientApplication.protectedResource(
            at: url("api/me"), configuration: configuration())
        #expect(resource.clientId.isEmpty && resource.scopes == ["User.Read"] && registrations == 0)
        let admin = try await application("api/admin")
        let me = try await MSALPublicClientApplication.application(for: resource, configuration: configuration())
        #expect(me.configuration.clientId == admin.configuration.clientId && registrations == 1)
        try await signIn(me)
        try await silent(try known())
    }

    @Test("Each redirect URI with a fixed port has its own registration") func redirectURIs() async throws {
        func clientID(_ redirectURI: String?) async throws -> String {
            let configuration = configuration()
            configuration.redirectUri = redirectURI
            return try await application("api/me", configuration).configuration.clientId
        }
        let uris = [nil, "http://127.0.0.1:18400/a", "http://127.0.0.1:18401/a"]
        var first: [String] = []
        for uri in uris { first.append(try await clientID(uri)) }
        #expect(Set(first).count == 3)
        for (uri, id) in zip(uris, first) { #expect(try await clientID(uri) == id) }
        #expect(registrations == 3)
    }

    @Test("Forgetting the client of a resource keeps a registration that has replaced it") func forgotten() async throws
    {
        let first = try await application()
        try await cancelSignIn("api/admin")
        let second = try await application("api/admin")
        #expect(second.configuration.clientId != first.configuration.clientId)
        try first.forgetClientRegistration()
        #expect(try await application("api/mail").configuration.clientId == second.configuration.clientId)
    }
}

/// A port that another sign-in uses.
@Suite("Waiting for the port", .oneSessionAtATime) struct PortWaitTests {
    /// Taken by another process until it was tried some times.
    private struct BusyReceiver: RedirectReceiver {
        let usual: MemoryReceiver
        let attempts = Locked(0)
        var free = Int.max

        func open(
            _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
        ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            guard attempt < free else { return try await usual.open(redirect, deliver: deliver) }
            // The process can end between the attempt and the search for it.
            throw RedirectReceiverFailure(
                reason: "Taken.", takenURI: URL(string: "http://localhost:8400"),
                sibling: attempt == 1 ? "keyturn (process 5)" : nil)
        }
    }

    private func signIn(_ receiver: BusyReceiver, _ world: World, _ log: EventLog) async throws -> MSALResult {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        var dependencies = world.dependencies
        dependencies.receiver = receiver
        return try await world.application(with: dependencies).acquireToken(with: parameters)
    }

    @Test("A sign-in waits for the port of another one, and names its process once") func waits() async throws {
        var world = try World()
        world.seat(.ann)
        let receiver = BusyReceiver(usual: world.receiver, free: 5)
        let log = EventLog()
        #expect(try await signIn(receiver, world, log).account.username == "ann@contoso.example")
        let notes = log.all.filter { $0.step == .listen && $0.phase == .noted }.map(\.detail)
        #expect(notes == ["Waiting up to 3 min for the port, which keyturn (process 5) uses for its sign-in"])
    }

    @Test("It ends after three minutes as unavailable, and says which process to end") func ends() async throws {
        var world = try World()
        world.seat(.ann)
        let receiver = BusyReceiver(usual: world.receiver)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await signIn(receiver, world, EventLog())
        }
        #expect(error?.failureKind == .unavailable)
        #expect(error?.localizedRecoverySuggestion?.contains("keyturn (process 5)") == true)
        #expect(world.time.now().timeIntervalSince(ManualTime.start) == 180)
    }
}

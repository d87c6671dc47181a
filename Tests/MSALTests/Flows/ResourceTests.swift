import DemoAuthority
import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// From the URL of a resource to its token, at the built-in authority's API.
@Suite("Resources", .oneSessionAtATime) struct ResourceTests {
    private typealias Change = @Sendable (inout [String: JSONValue]) -> Void

    private let world: World
    private let changes = Locked<[(path: String, change: Change)]>([])

    init() throws {
        var world = try World()
        world.seat(.ann)
        self.world = world
    }

    private func configuration(_ clientID: String = "") -> MSALPublicClientApplicationConfig {
        let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        return configuration
    }

    private func application(
        _ path: String = "api/me", renewing: Bool = false,
        _ change: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) async throws -> MSALPublicClientApplication {
        let configuration = configuration()
        try change(configuration)
        return try await .application(
            forResource: world.transport.origin.appending(path: path), configuration: configuration, renewing: renewing)
    }

    private func signIn(_ application: MSALPublicClientApplication) async throws -> MSALResult {
        try await application.acquireToken(
            with: MSALInteractiveTokenParameters(
                scopes: try #require(application.configuration.resource).scopes,
                webviewParameters: MSALWebviewParameters()))
    }

    private func silent(
        _ application: MSALPublicClientApplication, force: Bool = false
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(
            scopes: try #require(application.configuration.resource).scopes,
            account: try #require(application.allAccounts().first))
        parameters.forceRefresh = force
        return try await application.acquireTokenSilent(with: parameters)
    }

    private var paths: [String] { world.transport.requests.map { $0.url.path() } }

    private func forms(_ suffix: String) -> [Parameters] {
        world.transport.requests.filter { $0.url.path().hasSuffix(suffix) }.map { request in
            Parameters(
                formEncoded: request.method == .get
                    ? request.url.query() ?? "" : String(decoding: request.body, as: UTF8.self))
        }
    }

    /// Changes the JSON of the responses of some paths.
    private func change(_ path: String, _ change: @escaping Change) {
        changes.withLock { $0.append((path, change)) }
        world.transport.tamper { [changes] request, response in
            let applied = changes.withLock(\.self).filter { request.url.path().contains($0.path) }
            guard !applied.isEmpty, var members = (try? JSONValue(parsing: response.body))?.object else {
                return response
            }
            for one in applied { one.change(&members) }
            var changed = response
            changed.body = Array(JSONValue.object(members).serialized.utf8)
            return changed
        }
    }

    /// Makes the authority one that is no OpenID provider.
    private func dropOpenID() { change("oauth-authorization-server", Self.dropOpenIDMembers) }

    @Sendable private static func dropOpenIDMembers(_ members: inout [String: JSONValue]) {
        for name in ["jwks_uri", "userinfo_endpoint"] { members[name] = nil }
        members["scopes_supported"] = ["offline_access"]
    }

    @Sendable private static func withoutOpenID(_ request: HTTPRequest, _ response: HTTPResponse) -> HTTPResponse {
        request.url.path().contains("oauth-authorization-server")
            ? response.changingMembers(dropOpenIDMembers) : response
    }

    @Test("The URL alone leads to a token, with one registration and one sign-in") func fromURL() async throws {
        let application = try await application()
        let resource = try #require(application.configuration.resource)
        #expect(resource.scopes == ["User.Read"] && !resource.isParent && resource.clientSource == .registration)
        let result = try await signIn(application)
        #expect(result.scopes.contains("User.Read"))
        #expect(result.account.username == "ann@contoso.example")
        #expect(paths.count { $0.hasSuffix("/register") } == 1)
        let identifier = world.transport.origin.appending(path: "api/me").absoluteString
        for suffix in ["/authorize", "/token"] {
            #expect(forms(suffix).allSatisfy { $0["resource"] == identifier } && !forms(suffix).isEmpty)
        }
        _ = try await silent(application, force: true)
        #expect(forms("/token").last?["resource"] == identifier)
    }

    @Test("A challenge's scopes are sent as they are, even openid to a server without OpenID Connect")
    func requiredScopes() async throws {
        world.transport.tamper { request, response in
            guard request.url.path() == "/api/me", response.status == 401 else {
                return Self.withoutOpenID(request, response)
            }
            let challenge = response.headers["WWW-Authenticate"] ?? ""
            return HTTPResponse(
                status: 401,
                headers: ["WWW-Authenticate": challenge.replacing(#"scope=""#, with: #"scope="openid "#)])
        }
        let application = try await application()
        #expect(application.configuration.resource?.scopes == ["User.Read"])
        _ = try? await signIn(application)
        #expect(forms("/authorize").map { $0["scope"] ?? "" } == ["User.Read offline_access openid"])
    }

    @Test("A resource only offers the scopes of its metadata: a token with fewer is used")
    func offeredScopes() async throws {
        world.transport.tamper { request, response in
            switch request.url.path() {
            case "/api/me" where response.status == 401:
                let challenge = response.headers["WWW-Authenticate"] ?? ""
                return HTTPResponse(
                    status: 401,
                    headers: ["WWW-Authenticate": challenge.replacing(#"scope="User.Read""#, with: #"realm="a""#)])
            case let path where path.contains("oauth-protected-resource"):
                return response.changingMembers { $0["scopes_supported"] = ["User.Read", "Mail.Read"] }
            case let path where path.hasSuffix("/token"):
                return response.changingMembers { $0["scope"] = "User.Read" }
            default: return response
            }
        }
        let application = try await application()
        #expect(application.configuration.resource?.scopes == ["User.Read", "Mail.Read"])
        let token = try await signIn(application).accessToken
        #expect(forms("/authorize").first?["scope"]?.contains("Mail.Read") == true)
        #expect(try await silent(application).accessToken == token)
        // A user who names them wants all of them.
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["Mail.Read", "User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.requiresOfferedScopes = true
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters)
        }
        #expect(error?.failureKind == .declinedScopes)
        #expect(error?.userInfo[MSALDeclinedScopesKey] as? [String] == ["Mail.Read"])
    }

    @Test("Reserved scopes that the caller requires are sent to a server that lists none")
    func requiredReservedScopes() async throws {
        change("oauth-authorization-server") { $0["scopes_supported"] = nil }
        let application = try await application { $0.requiredReservedScopes = ["offline_access", "openid"] }
        _ = try await signIn(application)
        #expect(forms("/authorize").first?["scope"] == "User.Read offline_access openid")
    }

    @Test("A known resource with a cached token sends no request, in a new process too") func cached() async throws {
        let first = try await signIn(try await application())
        world.transport.forget()
        let again = try await application()
        #expect(try await silent(again).accessToken == first.accessToken)
        #expect(world.transport.requests.isEmpty)
        let known = try MSALPublicClientApplication.knownApplication(
            forResource: world.transport.origin.appending(path: "api/me"), configuration: configuration())
        #expect(known?.configuration.clientId == again.configuration.clientId)
        let unknown = try MSALPublicClientApplication.knownApplication(
            forResource: world.transport.origin.appending(path: "api/admin"), configuration: configuration())
        #expect(unknown == nil)
    }

    /// A world that opens a new cache for each application.
    @Test("Two resources of one authority share the registration, but neither accounts nor tokens")
    func twoResources() async throws {
        let me = try await application()
        let token = try await signIn(me).accessToken
        let admin = try await application("api/admin")
        #expect(admin.configuration.clientId == me.configuration.clientId)
        #expect(try admin.allAccounts().isEmpty)
        #expect(try await signIn(admin).accessToken != token)
        #expect(try await silent(me).accessToken == token)
        #expect(try me.allAccounts().first?.identifier != admin.allAccounts().first?.identifier)
        #expect(paths.count { $0.hasSuffix("/register") } == 1)
    }

    @Test(
        "A server that is no OpenID provider gets no OpenID scope, and no identity is claimed",
        arguments: [nil, "work"])
    func oauthOnly(name: String?) async throws {
        dropOpenID()
        let application = try await application { $0.resourceAccountName = name }
        let result = try await signIn(application)
        #expect(forms("/authorize").first?["scope"] == "User.Read offline_access")
        #expect(result.idToken == nil)
        #expect(result.account.username == name ?? "127.0.0.1:8400/api/me")
        #expect(result.idTokenVerdicts.map(\.outcome) == [.skipped])
        #expect(try await silent(application).isFromCache)
        #expect(try await silent(application).idTokenVerdicts.map(\.outcome) == [.skipped])
        #expect(try await silent(application, force: true).account.username == result.account.username)
    }

    @Test("The configuration's client is used at its own authority only", arguments: [true, false])
    func configured(isOwn: Bool) async throws {
        let application = try await application {
            $0.clientId = DemoAuthorityServer.clientID
            let path = isOwn ? "\(Directory.contoso)/v2.0" : "\(Directory.fabrikam)/v2.0"
            $0.authority = try MSALOIDCAuthority(url: world.transport.origin.appending(path: path))
        }
        #expect((application.configuration.clientId == DemoAuthorityServer.clientID) == isOwn)
        #expect(paths.contains { $0.hasSuffix("/register") } == !isOwn)
    }

    @Test("At Microsoft Entra ID the configuration's accounts are used, and no resource is sent") func entra()
        async throws
    {
        let application = try await application {
            $0.clientId = DemoAuthorityServer.clientID
            $0.authority = try MSALAADAuthority(url: world.transport.origin.appending(path: "common"))
        }
        #expect(application.configuration.resource?.usesConfiguredAuthority == true)
        _ = try await signIn(application)
        #expect(forms("/token").allSatisfy { $0["resource"] == nil })
        #expect(try world.application().allAccounts().count == 1)
    }

    @Test("The resource parameter can be switched off") func switchedOff() async throws {
        _ = try await signIn(try await application { $0.sendsResource = false })
        #expect((forms("/authorize") + forms("/token")).allSatisfy { $0["resource"] == nil })
    }

    @Test("An application without a resource has no account of one, so that its token goes nowhere else")
    func accountsOfResources() async throws {
        let me = try await application()
        let account = try await signIn(me).account
        let resource = try #require(me.configuration.resource)
        let issuer = try #require(URL(string: resource.issuer))
        let plain = configuration(me.configuration.clientId)
        plain.authority = try MSALOIDCAuthority(url: issuer)
        let application = try MSALPublicClientApplication(configuration: plain)
        #expect(try application.allAccounts().isEmpty)
        #expect(throws: (any Error).self) { try application.account(forIdentifier: account.identifier ?? "") }
        #expect(throws: (any Error).self) { try application.account(forUsername: account.username ?? "") }
    }

    @Test("A second sign-in for other scopes also requests the earlier ones, so that one refresh token covers all")
    func moreScopes() async throws {
        let application = try await application()
        _ = try await signIn(application)
        let result = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(
                scopes: ["Mail.Read"], webviewParameters: MSALWebviewParameters()))
        #expect(forms("/authorize").last?["scope"]?.contains("User.Read") == true)
        for scope in ["User.Read", "Mail.Read"] {
            let parameters = MSALSilentTokenParameters(scopes: [scope], account: result.account)
            parameters.forceRefresh = true
            #expect(try await application.acquireTokenSilent(with: parameters).scopes.contains(scope))
        }
    }

    @Test("Where several accounts have tokens of a resource, a sign-in requests the earlier scopes of none")
    func moreScopesOfSomebody() async throws {
        _ = try await signIn(try await application())
        var second = world
        second.seat(.wang)
        let configuration = MSALPublicClientApplicationConfig(clientId: "")
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: second.dependencies))
        let application = try await MSALPublicClientApplication.application(
            forResource: world.transport.origin.appending(path: "api/me"), configuration: configuration)
        for accounts in [1, 2] {
            #expect(try application.allAccounts().count == accounts)
            _ = try await application.acquireToken(
                with: MSALInteractiveTokenParameters(
                    scopes: ["Mail.Read"], webviewParameters: MSALWebviewParameters()))
            #expect(forms("/authorize").last?["scope"]?.contains("User.Read") == (accounts == 1))
        }
    }

    @Test("A registration with tokens is kept after a failed sign-in for another resource")
    func usedRegistration() async throws {
        let me = try await application()
        _ = try await signIn(me)
        let admin = try await application("api/admin")
        try admin.forgetClientRegistration(unlessUsed: true)
        #expect(try await application().configuration.clientId == me.configuration.clientId)
        _ = try await silent(me)
    }

    @Test("A forgotten registration is made again") func forgotten() async throws {
        let first = try await application()
        try first.forgetClientRegistration(unlessUsed: true)
        let second = try await application()
        #expect(second.configuration.clientId != first.configuration.clientId)
        #expect(paths.count { $0.hasSuffix("/register") } == 2)
    }

    @Test("Cached OpenID metadata without a registration endpoint doesn't hide the authorization server's metadata")
    func cachedOpenIDMetadata() async throws {
        let issuer = try #require(try await application().configuration.resource).issuer
        let url = try #require(URL(string: "\(issuer)/.well-known/openid-configuration"))
        let body = try await world.transport.send(HTTPRequest(.get, url)).body
        #expect(try JSONValue(parsing: body)["registration_endpoint"] == nil)
        for known in world.transport.requests.map(\.url) { try world.dependencies.documents.save(nil, for: known) }
        let document = CachedDocument(body: body, fetchedAt: world.dependencies.time.now())
        try world.dependencies.documents.save(document, for: url)
        try await application().forgetClientRegistration(unlessUsed: true)
        #expect(try await application().configuration.resource?.clientSource == .registration)
    }

    @Sendable private static func leadAway(_ members: inout [String: JSONValue]) {
        for name in ["authorization_endpoint", "device_authorization_endpoint"] {
            members[name] = .string("https://honest.example/\(name)")
        }
        members["authorization_response_iss_parameter_supported"] = nil
    }

    @Test("Nothing is registered or opened where another authority's page would give this one its codes")
    func strangePage() async throws {
        let known = try await application()
        let scopes = try #require(known.configuration.resource).scopes
        world.transport.forget()
        change("oauth-authorization-server", Self.leadAway)
        let failures = [
            await #expect(throws: MSALAuthenticationError.self) { try await signIn(known) },
            await #expect(throws: MSALAuthenticationError.self) {
                try await known.acquireToken(
                    with: MSALDeviceCodeParameters(scopes: scopes) { _ in Issue.record("a code was shown") })
            },
        ]
        try known.forgetClientRegistration()
        let unregistered = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        for error in failures + [unregistered] {
            #expect(
                error?.localizedDescription.contains("honest.example, but \(world.transport.origin.hostAndPort) gets")
                    == true)
        }
        #expect(
            !paths.contains { path in ["/register", "/authorize", "/token", "endpoint"].contains(where: path.hasSuffix)
            })
        let allowing = try await application { $0.allowsStrangePages = true }
        #expect(allowing.configuration.resource?.clientSource == .registration)
    }

    @Test(
        "Metadata that changes after the sign-in gets neither the refresh token nor a token to revoke",
        arguments: [false, true], ["https://evil.example/token", nil])
    func strangeRecipient(isOlder: Bool, page: String?) async throws {
        let known = try await application()
        _ = try await signIn(known)
        if isOlder {
            for key in try world.dependencies.documents.urls(beginning: "urn:keyturn:recipients:") {
                try world.dependencies.documents.save(nil, for: key)
            }
        }
        for known in world.transport.requests.map(\.url) { try world.dependencies.documents.save(nil, for: known) }
        for path in ["oauth-authorization-server", "openid-configuration"] {
            change(path) { members in
                members["token_endpoint"] = "https://evil.example/token"
                members["revocation_endpoint"] = "https://evil.example/revoke"
                // Then nothing of the document itself shows that it lies, and only the sign-in knew better.
                if let page, !isOlder { members["authorization_endpoint"] = .string(page) }
                if isOlder { members["authorization_endpoint"] = "https://honest.example/authorize" }
                members["authorization_response_iss_parameter_supported"] = nil
            }
        }
        let current = try await application()
        world.transport.forget()
        let error = await #expect(throws: MSALAuthenticationError.self) { try await silent(current, force: true) }
        #expect(error?.localizedDescription.contains("evil.example") == true)
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        let outcome = Locked<MSALRevocation?>(nil)
        parameters.revocationHandler = { revocation in outcome.withLock { $0 = revocation } }
        try await current.signout(
            with: try #require(current.allAccounts().first), signoutParameters: parameters)
        if case .failed = outcome.withLock(\.self) {} else { Issue.record("nothing was refused") }
        #expect(!world.transport.requests.contains { $0.url.host() == "evil.example" })
    }

    @Test("Each registration has a path of its own in its redirect URI") func ownPaths() async throws {
        let first = try await application()
        try first.forgetClientRegistration()
        let second = try await application()
        let paths = try [first, second].map {
            try #require($0.configuration.redirectUri.flatMap { URL(string: $0) }).path()
        }
        #expect(Set(paths).count == 2 && paths.allSatisfy { $0.hasPrefix("/callback/") && $0.count > 16 })
    }

    @Test("A registration is used at its own issuer only") func issuers() async throws {
        let first = try await application()
        let other = world.transport.origin.appending(path: "\(Directory.fabrikam)/v2.0").absoluteString
        change("oauth-protected-resource") { $0["authorization_servers"] = [.string(other)] }
        world.transport.forget()
        let second = try await application("api/admin")
        #expect(second.configuration.resource?.issuer == other)
        #expect(second.configuration.clientId != first.configuration.clientId)
        #expect(paths.count { $0.hasSuffix("/register") } == 1)
    }

    @Test("A parent path that the challenge announced is told") func parent() async throws {
        let origin = world.transport.origin.absoluteString
        change("oauth-protected-resource") { $0["resource"] = .string("\(origin)/api") }
        let told = Locked<[String]>([])
        let application = try await MSALPublicClientApplication.application(
            forResource: world.transport.origin.appending(path: "api/me"), configuration: configuration(),
            events: { event in told.withLock { $0.append(event.detail) } })
        #expect(application.configuration.resource?.isParent == true)
        let notice = "The token is for all of \(origin)/api, not only \(origin)/api/me"
        #expect(told.withLock(\.self).contains(notice))
    }

    @Test("Without an ID token, the account has the subject of the userinfo endpoint, and stays unverified")
    func userInfoSubject() async throws {
        change("oauth-authorization-server") { $0["jwks_uri"] = nil }
        let result = try await signIn(try await application())
        #expect(result.account.username == "ann@contoso.example")
        #expect(result.account.identifier?.hasPrefix("@") == false)
        #expect(result.idTokenVerdicts.map(\.outcome) == [.skipped])
    }

    @Test(
        "Without that too, the subject of an access token counts if the server itself issued it",
        arguments: [true, false])
    func tokenSubject(isOwn: Bool) async throws {
        dropOpenID()
        let application = try await application()
        let issuer = isOwn ? try #require(application.configuration.resource).issuer : "https://elsewhere.example"
        let parts = [#"{"alg":"none"}"#, #"{"iss":"\#(issuer)","sub":"subject-1"}"#, "x"]
        let token = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        change("/token") { $0["access_token"] = .string(token) }
        let result = try await signIn(application)
        #expect(result.account.identifier?.hasPrefix(isOwn ? "subject-1@" : "@") == true)
        #expect(result.account.username == "127.0.0.1:8400/api/me")
        #expect(result.idTokenVerdicts.map(\.outcome) == [.skipped])
    }

    @Test(
        "A client ID metadata document takes the place of a registration, if the server reads them",
        arguments: [true, false])
    func document(isRead: Bool) async throws {
        let address = try #require(URL(string: "https://client.example/keyturn.json"))
        world.transport.tamper { request, response in
            guard request.url.path().contains("oauth-authorization-server"),
                var members = (try? JSONValue(parsing: response.body))?.object
            else { return response }
            members["client_id_metadata_document_supported"] = .bool(isRead)
            return HTTPResponse(status: 200, body: Array(JSONValue.object(members).serialized.utf8))
        }
        let configuration = try await application { $0.clientMetadataDocument = address }.configuration
        #expect(configuration.resource?.clientSource == (isRead ? .document : .registration))
        #expect((configuration.clientId == address.absoluteString) == isRead)
        let document = try JSONValue(parsing: configuration.clientMetadataJSON(name: "Keyturn"))
        #expect(document["client_id"] == .string(address.absoluteString))
        #expect(document["client_secret"] == nil)
        #expect(document["token_endpoint_auth_method"] == "none")
        #expect(document["grant_types"]?.array?.contains("urn:ietf:params:oauth:grant-type:device_code") == true)
    }

    @Test(
        "The document lists a loopback redirect URI with both hosts and each port, as strict servers compare it",
        arguments: [
            (nil, nil, ["http://127.0.0.1", "http://localhost"]),
            (
                "http://localhost/back", "8400-8401",
                [
                    "http://127.0.0.1:8400/back", "http://127.0.0.1:8401/back", "http://localhost:8400/back",
                    "http://localhost:8401/back",
                ]
            ),
            ("http://[::1]:7/", "8400", ["http://127.0.0.1:7/", "http://[::1]:7/", "http://localhost:7/"]),
            ("msauth.org.keyturn.app://auth", "8400", ["msauth.org.keyturn.app://auth"]),
        ] as [(String?, String?, [String])])
    func documentRedirects(uri: String?, ports: String?, expected: [String]) throws {
        let configuration = configuration()
        configuration.redirectUri = uri
        configuration.loopbackListener = ports.flatMap { MSALLoopbackListener($0) }
        let document = try JSONValue(parsing: configuration.clientMetadataJSON(name: "Keyturn"))
        #expect(document["redirect_uris"]?.array?.compactMap(\.string) == expected)
    }

    @Test("A resource without metadata uses the configured client, and registers nothing elsewhere")
    func undescribed() async throws {
        world.transport.tamper { request, response in
            request.url.path().contains("oauth-protected-resource") ? HTTPResponse(status: 404) : response
        }
        let application = try await application {
            $0.clientId = DemoAuthorityServer.clientID
            $0.authority = try MSALOIDCAuthority(
                url: world.transport.origin.appending(path: "\(Directory.contoso)/v2.0"))
        }
        #expect(application.configuration.resource?.clientSource == .configuration)
        #expect(!paths.contains { $0.hasSuffix("/register") })
        _ = try await signIn(application)
        #expect(forms("/token").allSatisfy { $0["resource"] == application.configuration.resource?.identifier })
    }

    @Test("Only a resource that rejects the request can be its own authority", arguments: [200, 404, 500])
    func notOwnServer(status: Int) async throws {
        world.transport.tamper { request, response in
            if request.url.path().contains("oauth-protected-resource") { return HTTPResponse(status: 404) }
            return request.url.path() == "/api/me" ? HTTPResponse(status: status) : response
        }
        await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(!paths.contains { $0.hasSuffix("/register") })
    }

    @Test(
        "Addresses that aren't resources send nothing",
        arguments: ["http://api.example/x", "https://api.example/x#y", "ftp://127.0.0.1/"])
    func noResource(_ text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await MSALPublicClientApplication.application(forResource: url, configuration: configuration())
        }
        #expect(error?.failureKind == .misconfigured)
        #expect(world.transport.requests.isEmpty)
    }

    @Test("The cache is opened once, for an unknown resource and for a known one") func opened() async throws {
        let count = Locked(0)
        let configuration = configuration()
        // Making a world opens the cache.
        configuration.world = { [dependencies = world.dependencies] _ in
            count.withLock { $0 += 1 }
            return ApplicationWorld(registration: World.registration, dependencies: dependencies)
        }
        let url = world.transport.origin.appending(path: "api/me")
        _ = try await MSALPublicClientApplication.application(forResource: url, configuration: configuration)
        #expect(count.withLock(\.self) == 1)
        let known = try MSALPublicClientApplication.knownApplication(forResource: url, configuration: configuration)
        #expect(known != nil && count.withLock(\.self) == 2)
    }

    @Test("A request that allows no sign-in registers nothing") func unregistered() async throws {
        let url = world.transport.origin.appending(path: "api/me")
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await MSALPublicClientApplication.application(
                forResource: url, configuration: configuration(), registering: false)
        }
        #expect(error?.failureKind == .signInRequired)
        #expect(!paths.isEmpty && !paths.contains { $0.hasSuffix("/register") })
    }

    @Test("Only a username that the server gave is sent as login_hint", arguments: [true, false])
    func loginHint(isOAuthOnly: Bool) async throws {
        if isOAuthOnly { dropOpenID() }
        let application = try await application()
        _ = try await signIn(application)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.account = try application.allAccounts().first
        _ = try? await application.acquireToken(with: parameters)
        let hints = forms("/authorize").compactMap { $0["login_hint"] }
        #expect(hints.isEmpty == isOAuthOnly && hints.allSatisfy { $0 == "ann@contoso.example" })
    }

    @Test(
        "A sign-in for a resource checks the issuer of the response (RFC 9207 §2.4)",
        arguments: ["wrong-response-issuer", "missing-response-issuer"])
    func responseIssuer(fault: String) async throws {
        var world = try World(try #require(Fault(named: fault)).settings)
        world.seat(.ann)
        let configuration = MSALPublicClientApplicationConfig(clientId: "")
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        let application = try await MSALPublicClientApplication.application(
            forResource: world.transport.origin.appending(path: "api/me"), configuration: configuration)
        let error = await #expect(throws: MSALAuthenticationError.self) { try await signIn(application) }
        #expect(error?.failureKind == .protocolViolation)
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }

    @Test(
        "A redirect instead of metadata is named, with its target, and not followed",
        arguments: ["/api/me", "oauth-protected-resource"])
    func redirect(place: String) async throws {
        world.transport.tamper { request, response in
            guard request.url.path().contains("oauth-protected-resource") || request.url.path() == "/api/me"
            else { return response }
            return request.url.path().contains(place)
                ? HTTPResponse(status: 301, headers: ["Location": "https://elsewhere.example/x"])
                : HTTPResponse(status: 404)
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(error?.localizedDescription.contains("redirects to https://elsewhere.example/x") == true)
        #expect(!world.transport.requests.contains { $0.url.host() == "elsewhere.example" })
    }

    @Test("A gateway that doesn't know the path says that there is no metadata", arguments: [403, 502])
    func unknownPath(status: Int) async throws {
        func failure(_ status: Int) async -> String? {
            world.transport.tamper { request, response in
                request.url.path().contains("oauth-protected-resource") ? HTTPResponse(status: status) : response
            }
            return await #expect(throws: MSALAuthenticationError.self) { try await application() }?.localizedDescription
        }
        #expect(await failure(status) == failure(404))
    }

    @Test("A wrong path is told as one, not as a client that isn't registered")
    func wrongPath() async throws {
        world.transport.tamper { _, _ in HTTPResponse(status: 404) }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(
            error?.localizedDescription.contains("responds with HTTP 404") == true,
            "\(error?.localizedDescription ?? "")")
        #expect(error?.localizedRecoverySuggestion?.hasPrefix("Check the path of the URL.") == true)
    }

    @Test("A server that fails is not one without metadata", arguments: [500, 503, 429, 408])
    func metadataUnavailable(status: Int) async throws {
        world.transport.tamper { request, response in
            request.url.path().contains("oauth-protected-resource") ? HTTPResponse(status: status) : response
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await application() }
        #expect(error?.localizedDescription.contains("HTTP \(status)") == true)
        #expect(error?.failureKind == .unavailable)
    }

    @Test(
        "Each failure of a resource has a short headline that names the server",
        arguments: [
            .notResource, .noMetadata, .notFound, .needsNoToken, .redirected("/"), .metadata("x"), .challenge("x"),
            .mismatch("https://b.example"),
            .unsafeAddress("http://b"),
            .status(500), .noServer, .noRegistration(issuer: "https://resource.example"), .registration("x"),
            .foreignAPI("Microsoft Graph", scopes: ["Mail.Read"], isAsked: true),
            .managedElsewhere("https://a", configured: "https://b"),
            .otherIssuer(expected: "https://a", found: "https://b"),
            .strangePage(page: "honest.example", recipient: "evil.example"),
            .strangeRecipient("evil.example", of: "https://a"),
            .unreachable(TransportFailure(.couldNotConnect, reason: "refused")),
            .unreachable(TransportFailure(.other, reason: "too many headers")),
        ] as [AuthorityFailure.ResourceProblem])
    func headline(problem: AuthorityFailure.ResourceProblem) throws {
        for host in ["resource.example", String(repeating: "long.", count: 30) + "example"] {
            let url = try #require(URL(string: "https://\(host)/mcp"))
            let error = MSALAuthenticationError(.authority(.resource(url, problem)), correlationID: nil)
            let headline = try #require(error.userInfo[MSALHeadlineKey] as? String)
            #expect(headline.count < 60)
            if host.count < 20 { #expect(headline.contains(host)) }
            #expect(error.localizedRecoverySuggestion?.isEmpty == false)
        }
    }
}

extension HTTPResponse {
    /// The response with other members of its JSON object.
    fileprivate func changingMembers(_ change: (inout [String: JSONValue]) -> Void) -> HTTPResponse {
        guard var members = (try? JSONValue(parsing: body))?.object else { return self }
        change(&members)
        var response = self
        response.body = Array(JSONValue.object(members).serialized.utf8)
        return response
    }
}

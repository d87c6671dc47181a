import MSAL
import MSALTesting
import TestSupport
import Testing

/// A program's configuration needs no change for its tests.
@Suite("MSALTestAuthority accepts what a program names", .oneSessionAtATime)
struct TestAuthorityConfigurationTests {
    private let authority: MSALTestAuthority

    init() throws { authority = try MSALTestAuthority() }

    private func application(
        _ url: String? = nil, redirectURI: String? = nil,
        of make: (URL) throws -> MSALAuthority = { try MSALAADAuthority(url: $0) }
    ) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "11111111-2222-3333-4444-555555555555", redirectUri: redirectURI,
            authority: try url.map { try make(#require(URL(string: $0))) })
        if configuration.authority is MSALB2CAuthority { configuration.knownAuthorities = [configuration.authority] }
        authority.serve(configuration)
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private func parameters(_ scopes: [String]) -> MSALInteractiveTokenParameters {
        MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
    }

    private func audience(of token: String) throws -> String? {
        try #require(MSALDecodedToken(token)).claims.first { $0.name == "aud" }?.text
    }

    @Test(
        "Resources and their scopes",
        arguments: [
            (["User.Read", "Chat.Read"], "https://graph.microsoft.com"),
            (["https://graph.microsoft.com/Mail.Send"], "https://graph.microsoft.com"),
            (["https://graph.microsoft.com/.default"], "https://graph.microsoft.com"),
            (
                ["api://22222222-3333-4444-5555-666666666666/access_as_user"],
                "api://22222222-3333-4444-5555-666666666666"
            ),
            (["api://mail.example/.default"], "api://mail.example"),
            (["https://management.azure.com//.default"], "https://management.azure.com/"),
            (["https://contoso.onmicrosoft.com/tasks/Tasks.Read"], "https://contoso.onmicrosoft.com/tasks"),
        ])
    func resources(scopes: [String], audience: String) async throws {
        let application = try application()
        let result = try await application.acquireToken(with: parameters(scopes))
        #expect(try self.audience(of: result.accessToken) == audience)
        for scope in scopes {
            #expect(result.scopes.contains { $0.lowercased().hasSuffix(scope.lowercased()) }, "\(scope)")
        }
        let silent = MSALSilentTokenParameters(scopes: scopes, account: result.account)
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
        silent.forceRefresh = true
        #expect(try await !application.acquireTokenSilent(with: silent).isFromCache)
    }

    @Test("One refresh token gets tokens for a second resource after consent")
    func secondResource() async throws {
        let application = try application()
        let call = parameters(["User.Read"])
        call.extraScopesToConsent = ["api://mail/Mail.Read"]
        let account = try await application.acquireToken(with: call).account
        let silent = MSALSilentTokenParameters(scopes: ["api://mail/Mail.Read"], account: account)
        #expect(try audience(of: try await application.acquireTokenSilent(with: silent).accessToken) == "api://mail")
    }

    @Test(
        "Tenants, by identifier or domain, in every cloud",
        arguments: [
            "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47",
            "https://login.microsoftonline.com/example.onmicrosoft.com",
            "https://login.microsoftonline.us/72f988bf-86f1-41af-91ab-2d7cd011db47",
            "https://login.microsoftonline.com/organizations", "https://login.microsoftonline.com/contoso.example",
        ])
    func tenants(url: String) async throws {
        let result = try await application(url).acquireToken(with: parameters(["User.Read"]))
        #expect(result.account.username == "ann@contoso.example")
        let tenant = URL(string: url)?.lastPathComponent ?? ""
        if tenant.hasPrefix("72f9") {
            #expect(result.tenantProfile.tenantId == tenant && result.account.homeAccountId?.tenantId == tenant)
        }
        #expect(result.account.environment == URL(string: url)?.host())
    }

    @Test("In a second tenant, all users are guests")
    func secondTenant() async throws {
        let application = try application("https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47")
        let account = try await application.acquireToken(with: parameters(["User.Read"])).account
        let other = "99999999-86f1-41af-91ab-2d7cd011db47"
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        silent.authority = try MSALAADAuthority(
            url: #require(URL(string: "https://login.microsoftonline.com/\(other)")))
        #expect(try await application.acquireTokenSilent(with: silent).tenantProfile.tenantId == other)
    }

    @Test(
        "User flows of B2C and external tenants",
        arguments: [
            ("https://example.b2clogin.com/tfp/example.onmicrosoft.com/B2C_1_SignUpOrIn", true),
            ("https://login.example.com/tfp/72f988bf-86f1-41af-91ab-2d7cd011db47/b2c_1_edit", true),
            ("https://example.ciamlogin.com", false), ("https://example.ciamlogin.com/example.onmicrosoft.com", false),
        ], [MSALTestAuthority.User.ann, .mia])
    func customers(row: (String, Bool), user: MSALTestAuthority.User) async throws {
        authority.user = user
        let application =
            row.1
            ? try application(row.0) { try MSALB2CAuthority(url: $0) }
            : try application(row.0) { try MSALCIAMAuthority(url: $0) }
        let result = try await application.acquireToken(
            with: parameters(["https://example.onmicrosoft.com/api/read"]))
        #expect(result.account.username == user.username)
        authority.advance(by: 7200)
        let silent = MSALSilentTokenParameters(
            scopes: ["https://example.onmicrosoft.com/api/read"], account: result.account)
        #expect(try await !application.acquireTokenSilent(with: silent).isFromCache)
    }

    @Test(
        "Redirect URIs with the program's own scheme, without an Info.plist",
        arguments: ["msauth.org.example.mail://auth", "http://localhost:8400/back", "http://localhost"])
    func redirectURIs(uri: String) async throws {
        let result = try await application(redirectURI: uri).acquireToken(with: parameters(["User.Read"]))
        #expect(!result.accessToken.isEmpty)
    }

    @Test("A resource that the test lists has no other scopes")
    func listedScopes() async throws {
        authority.addResource("api://mail", scopes: ["Mail.Read"])
        let application = try application()
        #expect(try await application.acquireToken(with: parameters(["api://mail/Mail.Read"])).scopes.count >= 1)
        let error = await #expect(throws: NSError.self) {
            try await application.acquireToken(with: parameters(["api://mail/Mail.Send"]))
        }
        #expect(error?.localizedDescription.contains("Mail.Send") == true)
    }

    @Test("A test adds tenants and users")
    func additions() async throws {
        let tenant = authority.addTenant("fourthcoffee.example", guests: [.ann])
        let eve = authority.addUser("eve@fourthcoffee.example", name: "Eve Ekman", tenant: tenant)
        let application = try application("https://login.microsoftonline.com/fourthcoffee.example")
        authority.user = eve
        let result = try await application.acquireToken(with: parameters(["User.Read"]))
        #expect(result.account.username == eve.username && result.account.name == "Eve Ekman")
        #expect(result.account.homeAccountId?.tenantId == tenant)
        authority.user = .ann
        #expect(try await application.acquireToken(with: parameters(["User.Read"])).tenantProfile.tenantId == tenant)
        authority.user = .wang
        _ = await #expect(throws: NSError.self) { try await application.acquireToken(with: parameters(["User.Read"])) }
        let fred = authority.addUser("fred@contoso.example", name: "Fred")
        authority.user = fred
        #expect(try await self.application().acquireToken(with: parameters(["User.Read"])).account.name == "Fred")
    }

    @Test("A user who leaves the page open lets the sign-in time out", .timeLimit(.minutes(10)))
    func abandoned() async throws {
        authority.leavesPageOpen = true
        let call = parameters(["User.Read"])
        let timeout = call.responseTimeout
        let (opened, signal) = AsyncStream<Void>.makeStream()
        call.flowEventHandler = { event in
            if event.step == .waitForResponse, event.phase == .started { signal.finish() }
        }
        let application = try application()
        async let result = application.acquireToken(with: call)
        for await _ in opened {}
        authority.advance(by: timeout)
        do {
            _ = try await result
            Issue.record("signed in")
        } catch let error as NSError {
            #expect(error.code == MSALError.userCanceled.rawValue)
        }
        authority.leavesPageOpen = false
        #expect(try await application.acquireToken(with: parameters(["User.Read"])).account.username != nil)
    }
}

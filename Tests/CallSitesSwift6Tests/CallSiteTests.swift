import MSAL
import MSALTesting
import TestSupport
import Testing

/// Typical uses of the library in programs for Apple's systems, compiled in three modes and run in memory.
@Suite("Call sites of iPhone programs", .oneSessionAtATime) struct CallSiteTests {
    private let authority: MSALTestAuthority
    private let configuration = MSALPublicClientApplicationConfig(
        clientId: "11111111-2222-3333-4444-555555555555", redirectUri: nil, authority: nil)

    init() throws {
        authority = try MSALTestAuthority()
        authority.serve(configuration)
    }

    private func signIn() async throws -> (MSALPublicClientApplication, MSALResult) {
        let application = try MSALPublicClientApplication(configuration: configuration)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        return (application, try await application.acquireToken(with: parameters))
    }

    @Test("A view model signs a user in and shows the token")
    @MainActor func viewModel() async throws {
        let model = SignInViewModel(configuration: configuration)
        await withCheckedContinuation { continuation in
            model.signIn(from: UIViewController()) { continuation.resume() }
        }
        #expect(model.username == "ann@contoso.example")
        #expect(model.token?.isEmpty == false)
        #expect(model.message == nil)
    }

    @Test("A wrapper gets tokens by continuation, by block and by future")
    func wrapper() async throws {
        let (application, result) = try await signIn()
        let service = TokenService(application: application)
        #expect(try await service.token(scopes: ["User.Read"]) == result.accessToken)
        let future = service.future(for: result.account)
        let token = try await withCheckedThrowingContinuation { continuation in
            future.sink { continuation.resume(with: $0) }
        }
        #expect(token == result.accessToken)
        try await service.warmUp()
    }

    @Test("A plugin reads the current account right after the call, 1,000 times of 1,000")
    func plugin() async throws {
        let (application, result) = try await signIn()
        let plugin = AccountPlugin()
        plugin.application = application
        let found = (1...1000).count { _ in plugin.currentAccount()?.identifier == result.account.identifier }
        #expect(found == 1000)
    }

    @Test("Subclasses replace the library's classes")
    func mocks() async throws {
        let mock = try MockApplication(given: MockResult())
        #expect(try mock.allAccounts().count == 1)
        let account = try await signIn().1.account
        let parameters = MockParameters(scopes: ["User.Read"], account: account)
        #expect(try await mock.acquireTokenSilent(with: parameters).accessToken == "token")
        #expect(mock.calls == 1)
        let configuration = MockConfiguration(clientId: "mock")
        #expect(configuration.tokenExpirationBuffer == 0)
        let counting: MSALPublicClientApplication = try CountingApplication(configuration: configuration)
        try counting.remove(account)
        #expect(try CountingApplication(clientId: "mock").configuration.clientId == "mock")
        #expect(CountingApplication.sdkVersion == "mock")
        let url = try #require(URL(string: "https://login.microsoftonline.com/common"))
        #expect(try MockAuthority(url: url, rawTenant: nil).url.isFileURL)
    }
}

@Suite("Testing a program that uses the library") struct TestAuthorityTests {
    private let configuration = MSALPublicClientApplicationConfig(clientId: "a-program-of-its-own")

    private var parameters: MSALInteractiveTokenParameters { Self.parameters() }

    private static func parameters() -> MSALInteractiveTokenParameters {
        MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
    }

    private func error(_ work: () async throws -> Void) async throws -> NSError {
        let error = await #expect(throws: (any Error).self) { try await work() }
        return try #require(error) as NSError
    }

    @Test("Users sign in, tokens are refreshed, and nothing leaves memory")
    func users() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        let ann = try await application.acquireToken(with: parameters).account
        authority.user = .zoe
        let zoe = try await application.acquireToken(with: parameters)
        #expect(zoe.account.username == MSALTestAuthority.User.zoe.username)
        #expect(zoe.account.name == MSALTestAuthority.User.zoe.name)
        #expect(try application.allAccounts().count == 2)

        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: ann)
        let requests = authority.requestCount
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
        #expect(authority.requestCount == requests)
        let before = authority.now
        authority.advance(by: 7200)
        #expect(authority.now.timeIntervalSince(before) == 7200)
        #expect(try await !application.acquireTokenSilent(with: silent).isFromCache)
        authority.advance(by: 7200)
        authority.setOffline(true)
        let offline = try await error { try await application.acquireTokenSilent(with: silent) }
        #expect((offline.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSURLErrorDomain)
        #expect((offline as? MSALAuthenticationError)?.urlError?.code == .notConnectedToInternet)
        #expect(networkFailure(in: offline) == .notConnectedToInternet)
    }

    @Test("Each test authority is separate, and a copy of a configuration uses the same one")
    func worlds() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        try await MSALPublicClientApplication(configuration: configuration).acquireToken(with: parameters)
        let copy = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        #expect(try MSALPublicClientApplication(configuration: copy).allAccounts().count == 1)
        try MSALTestAuthority().serve(copy)
        #expect(try MSALPublicClientApplication(configuration: copy).allAccounts().isEmpty)
    }

    @Test("Declined consent and a missing user fail at once")
    func rejections() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        authority.grantsConsent = false
        let declined = try await error { try await application.acquireToken(with: parameters) }
        #expect(declined.code == MSALError.userCanceled.rawValue)
        authority.user = nil
        let missing = try await error { try await application.acquireToken(with: parameters) }
        #expect(
            missing.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorNoViewController.rawValue)
    }

    @Test("Tests sign in side by side, each with its own authority", arguments: 0..<16)
    func sideBySide(number: Int) async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        authority.user = MSALTestAuthority.User.allCases[number % 4]
        let result = try await application.acquireToken(with: parameters)
        #expect(result.account.username == authority.user?.username)
    }

    @Test("Of two simultaneous sign-ins at one test authority, one is rejected and the other completes")
    func twoAtOnce() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        let codes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        try await application.acquireToken(with: Self.parameters())
                        return nil
                    } catch let error as NSError {
                        return error.userInfo[MSALInternalErrorCodeKey] as? Int
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.contains(nil))
        let rejection = MSALInternalError.internalErrorInteractiveSessionAlreadyRunning.rawValue
        #expect(Set(codes).subtracting([nil, rejection]).isEmpty)
    }

    @Test("Each test ends the page that its own user leaves open", arguments: 0..<12)
    func leftOpen(number: Int) async throws {
        let (authority, other) = (try MSALTestAuthority(), try MSALTestAuthority())
        authority.serve(configuration)
        authority.leavesPageOpen = true
        let application = try MSALPublicClientApplication(configuration: configuration)
        let signIn = Task { _ = try await application.acquireToken(with: Self.parameters()) }
        try await authority.waitForOpenPage()
        #expect(!other.cancelSignIn())
        let isReachedByOther = await other.run { MSALPublicClientApplication.cancelCurrentWebAuthSession() }
        #expect(!isReachedByOther)
        switch number % 3 {
        case 0: authority.advance(by: parameters.responseTimeout)
        case 1: #expect(authority.cancelSignIn())
        default:
            let isReached = await authority.run { MSALPublicClientApplication.cancelCurrentWebAuthSession() }
            #expect(isReached)
        }
        #expect(try await error { try await signIn.value }.code == MSALError.userCanceled.rawValue)
        authority.leavesPageOpen = false
        try await application.acquireToken(with: parameters)
    }

    @Test("Revoked tokens and rejections are played, and no refresh token is spent by them")
    func rejected() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        let account = try await application.acquireToken(with: parameters).account
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        authority.advance(by: 7200)
        let challenge = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
        authority.rejectTokenRequests(
            with: .error("invalid_grant", code: 50076, suberror: "basic_action", claims: challenge))
        let challenged = try await error { try await application.acquireTokenSilent(with: silent) }
        #expect(challenged.code == MSALError.interactionRequired.rawValue)
        #expect(challenged.userInfo[MSALErrorDescriptionKey].map { "\($0)".contains("AADSTS50076") } == true)
        for (rejection, status) in [
            (MSALTestAuthority.Rejection.status(503), "503"), (.throttled(seconds: 30), "429"),
        ] {
            // The library doesn't repeat a rejected request at once.
            authority.advance(by: 600)
            authority.rejectTokenRequests(with: rejection)
            let rejected = try await error { try await application.acquireTokenSilent(with: silent) }
            #expect(rejected.userInfo[MSALHTTPResponseCodeKey].map { "\($0)" } == status)
        }
        authority.advance(by: 600)
        authority.rejectTokenRequests(with: nil)
        #expect(try await !application.acquireTokenSilent(with: silent).isFromCache)
        authority.revokeTokens()
        silent.forceRefresh = true
        let revoked = try await error { try await application.acquireTokenSilent(with: silent) }
        #expect(revoked.code == MSALError.interactionRequired.rawValue)
    }

    @Test("A user consents to some scopes, and has app roles and groups")
    func partialConsent() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        authority.declinedScopes = ["Mail.Send"]
        let some = MSALInteractiveTokenParameters(
            scopes: ["User.Read", "Mail.Send"], webviewParameters: MSALWebviewParameters())
        #expect(
            try await error { try await application.acquireToken(with: some) }.code
                == MSALError.serverDeclinedScopes.rawValue)
        authority.assign(roles: ["Reader"], groups: ["9d0c1f6e-0000-4000-8000-000000000001"], to: .ann)
        let claims = try await application.acquireToken(with: parameters).account.accountClaims
        #expect(claims?["roles"] as? [String] == ["Reader"])
        #expect((claims?["groups"] as? [String])?.count == 1)
    }

    @Test("The user enters device codes, unless no user is there")
    func deviceCodes() async throws {
        let authority = try MSALTestAuthority()
        authority.serve(configuration)
        let application = try MSALPublicClientApplication(configuration: configuration)
        let code = MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in }
        authority.user = .mia
        #expect(try await application.acquireToken(with: code).account.username == authority.user?.username)
        authority.user = nil
        _ = try await error { try await application.acquireToken(with: code) }
        authority.advance(by: .infinity)
        authority.user = .ann
        #expect(try await application.acquireToken(with: code).account.username == authority.user?.username)
    }
}

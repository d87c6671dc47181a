import MSAL
import MSALTesting

// The code blocks of docs/library.md, character for character: `LibraryDocumentTests` compares them.

func token(for account: MSALAccount, of application: MSALPublicClientApplication) async throws -> MSALResult {
    do {
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        return try await application.acquireTokenSilent(with: silent)
    } catch let error as NSError where error.code == MSALError.interactionRequired.rawValue {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.account = account
        return try await application.acquireToken(with: parameters)
    }
}

func networkFailure(in error: any Error) -> URLError.Code? {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSURLErrorDomain ? URLError.Code(rawValue: cause.code) : nil
}

func application(clientID: String, tenant: String) throws -> MSALPublicClientApplication {
    let authority = try MSALAADAuthority(
        environment: "login.microsoftonline.com", audienceType: .azureADMyOrgOnlyAudience, rawTenant: tenant)
    return try MSALPublicClientApplication(
        configuration: MSALPublicClientApplicationConfig(clientId: clientID, redirectUri: nil, authority: authority))
}

func demonstration() throws -> MSALPublicClientApplication {
    guard let url = URL(string: "http://127.0.0.1:8400/contoso") else { throw URLError(.badURL) }
    return try MSALPublicClientApplication(
        configuration: MSALPublicClientApplicationConfig(
            clientId: "6b657974-7572-4e00-8000-64656d6f0001", redirectUri: nil,
            authority: MSALAADAuthority(url: url)))
}

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func profile(with result: MSALResult) async throws -> Data {
    guard let url = URL(string: "https://graph.microsoft.com/v1.0/me") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.setValue(result.authorizationHeader, forHTTPHeaderField: "Authorization")
    return try await URLSession.shared.data(for: request).0
}

final class InboxController: MSALPresenter {
    func webviewParameters() -> MSALWebviewParameters {
        MSALWebviewParameters(authPresentationViewController: self)
    }
}

func signInByPaste(
    with application: MSALPublicClientApplication, show: @escaping @Sendable (URL) -> Void
) async throws -> MSALResult {
    let webview = MSALWebviewParameters()
    webview.openURLHandler = { url in show(url) }
    return try await application.acquireToken(
        with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview))
}

/// Call it with the text that the user pasted while `signInByPaste` waits.
func paste(_ text: String) throws {
    try MSALPublicClientApplication.handlePastedResponse(text)
}

func opened(_ url: URL) async -> Bool {
    await MSALPublicClientApplication.handOver(url) == .delivered
}

func token(forUser identifier: String, of application: MSALPublicClientApplication) async throws -> String {
    let account = try application.account(forIdentifier: identifier)
    let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
    return try await application.acquireTokenSilent(with: parameters).accessToken
}

func follow(_ parameters: MSALInteractiveTokenParameters) {
    parameters.flowEventHandler = { event in
        print(event.phase, event.step, event.detail)
    }
}

func testSignIn() async throws {
    let authority = try MSALTestAuthority()
    let configuration = MSALPublicClientApplicationConfig(clientId: "your-client-id")
    authority.serve(configuration)
    let application = try MSALPublicClientApplication(configuration: configuration)

    let parameters = MSALInteractiveTokenParameters(
        scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
    let result = try await application.acquireToken(with: parameters)
    assert(result.account.username == MSALTestAuthority.User.ann.username)

    authority.advance(by: 7200)
    let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
    let refreshed = try await application.acquireTokenSilent(with: silent)
    assert(refreshed.accessToken != result.accessToken)
}

final class OfflineApplication: MSALPublicClientApplication, @unchecked Sendable {
    override func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        throw NSError(domain: MSALErrorDomain, code: MSALError.interactionRequired.rawValue)
    }
}

protocol TokenSource {
    func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void)
}
extension MSALPublicClientApplication: TokenSource {}

import DemoAuthority
import Foundation
import MSAL
import OAuthCore

/// An application for one user, with the library's own network, token store and listener.
struct Client {
    let application: MSALPublicClientApplication
    let username: String
    let store: URL
    private static let scopes = ["User.Read"]

    init(origin: String, folder: String, user: Int) throws {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        username = Directory.username(user)
        store = folder.appending(path: "soak.db")
        let authority = try MSALAADAuthority(url: try Authority.origin("\(origin)/contoso"))
        let configuration = MSALPublicClientApplicationConfig(
            clientId: DemoAuthorityServer.clientID, redirectUri: "http://localhost", authority: authority)
        configuration.knownAuthorities = [authority]
        configuration.cacheConfig.storeURL = store
        configuration.cacheConfig.keySource = .keyFile
        application = try MSALPublicClientApplication(configuration: configuration)
    }

    func signIn() async throws -> MSALAccount {
        let parameters = MSALWebviewParameters()
        parameters.openURLHandler = { [username] in try await Self.walk(from: $0, as: username) }
        let request = MSALInteractiveTokenParameters(scopes: Self.scopes, webviewParameters: parameters)
        return try await application.acquireToken(with: request).account
    }

    /// A user with a browser, which ends on the listener's last page.
    private static func walk(from address: URL, as username: String) async throws {
        let transport = CurlTransport()
        let user = ScriptedUser(username: username, password: Directory.password) { try await transport.send($0) }
        let landing = try await user.walk(from: address)
        let answer = try await transport.send(HTTPRequest(.get, landing))
        guard let location = answer.headers["Location"], let page = URL(string: location, relativeTo: landing) else {
            return
        }
        _ = try await transport.send(HTTPRequest(.get, page.absoluteURL))
    }

    func token(of account: MSALAccount, isRefreshed: Bool) async throws {
        let request = MSALSilentTokenParameters(scopes: Self.scopes, account: account)
        request.forceRefresh = isRefreshed
        _ = try await application.acquireTokenSilent(with: request)
    }

    /// This user's account, if it is in the cache.
    func account() throws -> MSALAccount? {
        try application.allAccounts().first { $0.username == username }
    }

    func remove(_ account: MSALAccount) throws { try application.remove(account) }
}

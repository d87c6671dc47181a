import DemoAuthority
import Foundation
import MSAL
import OAuthCore

/// Ann at the built-in authority, used as an OpenID provider. A test may change its token responses.
package struct OpenIDWorld {
    package private(set) var world: World
    package let application: MSALPublicClientApplication

    package init() throws {
        world = try World()
        world.seat(.ann)
        application = try world.application(authority: "\(Directory.contoso)/v2.0", isOpenID: true)
    }

    /// The forms of the token requests so far.
    package var forms: [Parameters] {
        world.transport.requests.filter { $0.url.path().hasSuffix("/token") }
            .map { Parameters(formEncoded: String(decoding: $0.body, as: UTF8.self)) }
    }

    @discardableResult
    package func signIn(_ scopes: String..., as account: MSALAccount? = nil) async throws -> MSALResult {
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
        parameters.account = account
        return try await application.acquireToken(with: parameters)
    }

    package func token(_ account: MSALAccount, _ scopes: String..., force: Bool = false) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.forceRefresh = force
        return try await application.acquireTokenSilent(with: parameters)
    }

    /// Sets the scopes in every token response; `nil` removes them.
    package func answer(scope: String?) {
        change { $0["scope"] = scope.map(JSONValue.string) }
    }

    /// Changes the members of every token response.
    package func change(_ change: @escaping @Sendable (inout [String: JSONValue]) -> Void) {
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"), response.status == 200,
                var members = (try? JSONValue(parsing: response.body))?.object
            else { return response }
            change(&members)
            var response = response
            response.body = Array(JSONValue.object(members).serialized.utf8)
            return response
        }
    }
}

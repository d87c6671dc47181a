import Foundation
import MSAL
import TestSupport

/// Ann, signed in at the built-in authority in memory, and no browser any more.
func signedInAtEntra() async throws -> (world: World, application: MSALPublicClientApplication, account: MSALAccount) {
    var world = try World()
    world.seat(.ann)
    let parameters = MSALInteractiveTokenParameters(
        scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
    let account = try await world.application().acquireToken(with: parameters).account
    world.browser = ForbiddenBrowser()
    world.transport.forget()
    return (world, try world.application(), account)
}

extension World {
    /// The number of refreshes since the sign-in.
    var refreshes: Int { transport.requests.count { $0.url.path().hasSuffix("/token") } }
}

import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport

@testable import MSAL

/// One sign-in, and for refresh faults one refresh, at a faulty authority.
struct ConformanceRun {
    /// The client's reaction.
    enum Ending: Equatable {
        case accepted
        /// With the error text that the user reads.
        case rejected(String)
        /// The browser's response was ignored, and the wait goes on.
        case ignored

        var demand: Fault.Demand {
            switch self {
            case .accepted: .accept
            case .rejected: .reject
            case .ignored: .ignore
            }
        }
    }

    let fault: Fault
    /// `query` or `form_post`.
    var responseMode = "query"
    let world: World

    init(_ fault: Fault, responseMode: String = "query") throws {
        self.fault = fault
        self.responseMode = responseMode
        world = try World(fault.settings)
    }

    func ending() async throws -> Ending {
        let wasIgnored = Locked(false)
        do {
            let application = try await application()
            let result = try await application.acquireToken(with: parameters(wasIgnored))
            if fault.isOfSignOuts { return try await signOut(result.account, application) }
            guard fault.isOfRefreshes else { return .accepted }
            let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
            silent.forceRefresh = true
            _ = try await application.acquireTokenSilent(with: silent)
            return .accepted
        } catch let error as NSError where error.domain == MSALErrorDomain {
            return wasIgnored.withLock { $0 } ? .ignored : .rejected(error.localizedDescription)
        }
    }

    /// A failed revocation is only reported: the tokens here are gone.
    private func signOut(_ account: MSALAccount, _ application: MSALPublicClientApplication) async throws -> Ending {
        let parameters = MSALSignoutParameters()
        parameters.revokesTokens = true
        let outcome = Locked<MSALRevocation?>(nil)
        parameters.revocationHandler = { value in outcome.withLock { $0 = value } }
        _ = try await application.signout(with: account, signoutParameters: parameters)
        guard case .failed = outcome.withLock(\.self) else { return .rejected("The failure was not reported.") }
        return kept.isEmpty ? .accepted : .rejected("The tokens are still here.")
    }

    /// For a fault of resources, the application that the API's URL leads to.
    private func application() async throws -> MSALPublicClientApplication {
        guard let resource = fault.resource else { return try world.application() }
        let configuration =
            fault.isOfAssertions
            ? try world.managedConfiguration() : MSALPublicClientApplicationConfig(clientId: "")
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: world.dependencies))
        return try await .application(
            forResource: world.transport.origin.appending(path: resource), configuration: configuration)
    }

    /// Ann signs in on the pages. If her response is ignored, the sign-in is cancelled, since it would wait
    /// indefinitely.
    private func parameters(_ wasIgnored: Locked<Bool>) -> MSALInteractiveTokenParameters {
        let webview = MSALWebviewParameters()
        webview.openURLHandler = { [world] address in
            let landing = try await world.user(.ann).walk(from: address)
            guard !world.receiver.deliver(landing) else { return }
            wasIgnored.withLock { $0 = true }
            MSALPublicClientApplication.cancelCurrentWebAuthSession()
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        if responseMode != "query" { parameters.extraQueryParameters = ["response_mode": responseMode] }
        return parameters
    }

    /// The types of the cached tokens.
    var kept: Set<CredentialKey.Kind> {
        Set(world.store.all.map(\.key.kind)).intersection([.accessToken, .refreshToken, .idToken])
    }
}

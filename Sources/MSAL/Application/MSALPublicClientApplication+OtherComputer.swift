import Foundation
import OAuthCore

/// A sign-in on one computer whose page opens on another one.
extension MSALPublicClientApplication {
    /// The redirect URI and the `state` of the response that the waiting sign-in accepts.
    package class func awaitedResponse() -> (redirectURI: URL, state: String)? { InteractiveSessions.latest()?.awaited }

    /// Opens the page of another computer's sign-in, and returns its response at this application's redirect URI. Others,
    /// such as that of a sign-in of this computer, have another `state`, and are rejected as always.
    package nonisolated(nonsending) func responseForOtherComputer(page: URL, state: String) async throws -> URL {
        let correlationID = dependencies.random.uuid()
        let limit = MSALInteractiveTokenParameters.defaultResponseTimeout
        let visit = BrowserVisit(
            context: context(MSALParameters(), correlationID), host: page.hostAndPort, redirect: settings.redirect,
            state: Secret(state), purpose: "sign-in", correlationID: correlationID,
            access: .init(limit: limit),
            overdue: .user(.signInUnanswered(host: page.hostAndPort, seconds: limit)))
        do {
            let landing = try await visit.run { _ in .init(url: page) }
            await landing.receiver?.close()
            return landing.url
        } catch {
            throw MSALAuthenticationError(translating: error, correlationID: correlationID)
        }
    }
}

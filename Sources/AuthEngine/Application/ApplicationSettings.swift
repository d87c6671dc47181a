import OAuthCore

/// What an application was configured with, judged and taken as values: later changes of the configuration do not
/// reach it.
package struct ApplicationSettings: Sendable {
    package var clientID: String
    package var redirect: RedirectURI
    package var authority: Authority
    package var knownAuthorities: Set<Authority>
    package var tokenExpirationBuffer: Double

    package init(_ configuration: MSALPublicClientApplicationConfig, registration: AppRegistration?) throws {
        guard configuration.clientId.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationFailure.clientIDMissing
        }
        clientID = configuration.clientId
        authority = configuration.authority.value
        knownAuthorities = Set(configuration.knownAuthorities.map(\.value))
        tokenExpirationBuffer = configuration.tokenExpirationBuffer
        let rules = RedirectURIRules(clientID: clientID, registration: registration ?? .none)
        switch rules.judge(configuration.redirectUri, for: authority) {
        case .accepted(let redirect): self.redirect = redirect
        case .rejected(let rejection): throw AuthenticationFailure.redirect(rejection)
        }
    }
}

extension AppRegistration {
    /// A program without an `Info.plist` has no schemes of its own; loopback redirect URIs need none.
    fileprivate static let none = AppRegistration(bundleIdentifier: "")
}

import Foundation
import OAuthCore

extension FlowContext {
    /// Names a page whose codes can be another authority's (RFC 9700 §4.4), or ends the sign-in if a resource chose the
    /// authority and no user reads that. Call this before anything is shown or sent there.
    ///
    /// - Parameter checksIssuer: whether the response must name this authority (RFC 9207), which rules another one out.
    func judge(page: URL, of authority: ResolvedAuthority, checksIssuer: Bool) throws {
        let server = authority.configuration
        // The user has written both endpoints.
        guard !checksIssuer, authority.authority.oauthServer?.endpoints == nil, !server.keepsCodes(of: page) else {
            return
        }
        if let resource = settings.resource, !resource.allowsStrangePages {
            throw AuthenticationFailure.authority(.resource(resource.url, server.strangePage(page)))
        }
        reporter.noted(
            .findAuthority,
            "The page is at \(page.hostAndPort), but \(server.tokenEndpoint.hostAndPort) gets its code. Sign in only if you "
                + "trust both.")
    }
}

extension OpenIDConfiguration {
    func strangePage(_ page: URL) -> AuthorityFailure.ResourceProblem {
        .strangePage(page: page.hostAndPort, recipient: tokenEndpoint.hostAndPort)
    }
}

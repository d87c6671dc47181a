import Foundation
import OAuthCore

extension FlowContext {
    /// Names a page whose codes and tokens can be another authority's (RFC 9700 §4.4), or ends the sign-in if a resource chose the
    /// authority and no user reads that. Call this before anything is shown or sent there.
    func judge(_ source: OpenIDConfiguration.CodeSource, of authority: ResolvedAuthority) throws {
        // The user has written the endpoints of a server without metadata.
        guard authority.authority.oauthServer?.endpoints == nil,
            let (page, recipient) = authority.configuration.mixUp(at: source)
        else { return }
        if let resource = settings.resource, !resource.allowsStrangePages {
            throw AuthenticationFailure.authority(.resource(resource.url, .strangePage((page, recipient))))
        }
        reporter.noted(
            .findAuthority,
            "The page is at \(page.hostAndPort), but \(recipient.hostAndPort) gets its codes or tokens. Sign in only if you "
                + "trust both.")
    }
}

extension AuthorityFailure.ResourceProblem {
    static func strangePage(_ mixUp: (page: URL, recipient: URL)) -> Self {
        .strangePage(page: mixUp.page.hostAndPort, recipient: mixUp.recipient.hostAndPort)
    }
}

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

    /// The same for the page of a device code. The user's own authority may show it on any host.
    func judge(page: URL, of authority: ResolvedAuthority) throws {
        if settings.resource?.usesConfiguredAuthority == false { try judge(.entering(page), of: authority) }
    }

    /// The key of the origins that get codes and tokens, as the user signed in; `nil` if the user chose the authority. A resource's
    /// authority can name any endpoints, so changed metadata must not send another one what is kept.
    private var recipients: URL? {
        guard let resource = settings.resource, !resource.usesConfiguredAuthority else { return nil }
        return OwnDocuments.key("recipients", [resource.issuer, settings.clientID])
    }

    /// Keeps the recipients of a code that has been redeemed. The user has read of a strange one.
    func keepRecipients(of authority: ResolvedAuthority) {
        guard let key = recipients else { return }
        let origins = Set(authority.configuration.recipients.map(\.origin)).sorted()
        do { try OwnDocuments(dependencies).save(.array(origins.map(JSONValue.string)), key) } catch {
            // The code is spent. Without these, each refresh compares the hosts of the metadata.
            reporter.noted(.saveTokens, "Can't save which servers get the tokens")
        }
    }

    /// Throws if a token that is kept would go to another server than at the sign-in.
    func checkRecipient(
        _ recipient: URL, _ endpoint: ResponseFailure.Endpoint, of authority: ResolvedAuthority
    ) throws {
        guard [.refresh, .revocation, .userInfo].contains(endpoint), let resource = settings.resource,
            let key = recipients
        else { return }
        guard let known = try OwnDocuments(dependencies).load(key)?.array?.compactMap(\.string) else {
            return try judge(.page, of: authority)
        }
        guard !known.contains(where: { URL(string: $0).map(recipient.isControlled) == true }) else { return }
        throw AuthenticationFailure.authority(
            .resource(resource.url, .strangeRecipient(recipient.hostAndPort, of: resource.issuer)))
    }
}

extension AuthorityFailure.ResourceProblem {
    static func strangePage(_ mixUp: (page: URL, recipient: URL)) -> Self {
        .strangePage(page: mixUp.page.hostAndPort, recipient: mixUp.recipient.hostAndPort)
    }
}

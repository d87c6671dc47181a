import Foundation
import OAuthCore

/// Explains the URL of an authority with a known host.
struct AuthorityExplanation {
    let explanation: Explanation

    /// `nil` for an unknown host, which is more likely a redirect URI.
    init?(_ text: String) {
        guard let url = URL(string: text), url.lowercasedScheme == "https", url.microsoftService != nil,
            let authority = try? AuthorityRules.classify(url)
        else { return nil }
        let (kind, sentence) = authority.kind.words
        explanation = Explanation(
            .authority, "An authority: \(sentence)",
            sections: [
                .init(
                    title: "Authority",
                    rows: [.init("URL", authority.url.absoluteString), .init("Kind", kind)])
            ])
    }
}

extension Authority.Kind {
    /// The name, and the accounts that can sign in.
    fileprivate var words: (name: String, sentence: String) {
        switch self {
        case .aad(.common): ("Entra, common", "all work, school and personal accounts.")
        case .aad(.organizations): ("Entra, organizations", "all work and school accounts.")
        case .aad(.consumers): ("Entra, consumers", "personal accounts.")
        case .aad(.named(let tenant)): ("Entra, one tenant", "the accounts and guests of \(tenant).")
        case .b2c: ("Azure AD B2C", "the customers of one tenant, with a policy.")
        case .ciam: ("Entra External ID", "the customers of one tenant.")
        case .openID: ("OpenID provider", "the provider's accounts.")
        }
    }
}

import Foundation
import OAuthCore

/// What an address of an authority says: one that the rules know by its host.
struct AuthorityExplanation {
    let explanation: Explanation

    /// `nil` when the host is nobody's that is known, so that it is more likely a redirect URI.
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
                    rows: [.init("Address", authority.url.absoluteString), .init("Kind", kind)])
            ])
    }
}

extension Authority.Kind {
    /// What it is called, and whom it signs in.
    fileprivate var words: (name: String, sentence: String) {
        switch self {
        case .aad(.common): ("Entra, common", "work, school and personal accounts of anybody.")
        case .aad(.organizations): ("Entra, organizations", "work and school accounts of anybody.")
        case .aad(.consumers): ("Entra, consumers", "personal accounts.")
        case .aad(.named(let tenant)): ("Entra, one tenant", "the accounts and guests of \(tenant).")
        case .b2c: ("Azure AD B2C", "the customers of one tenant, by a policy.")
        case .ciam: ("Entra External ID", "the customers of one tenant.")
        case .openID: ("OpenID provider", "whomever the provider knows.")
        }
    }
}

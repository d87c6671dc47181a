import Foundation
import OAuthCore

/// Judges a cached ID token by the documents that are kept, of whatever age: nobody is asked.
///
/// It stays with an answer for as long as that is remembered, so it holds no more than it needs.
struct KeptIDTokenJudge: Sendable {
    let metadata: MetadataSource
    /// Whose documents will do, in this order.
    let authorities: [Authority]
    let environments: ResolvedAuthority.Environments
    let clientID: String
    let time: any TimeSource

    /// None when no document is kept.
    func verdicts(on idToken: Secret) -> [Verdict] {
        guard let token = try? JWT(parsing: idToken.reveal()),
            let configuration = authorities.lazy.compactMap(configuration).first
        else { return [] }
        var input = IDTokenRules.Input(
            token: token, issuer: configuration.issuer, clientID: clientID, localTime: time.now())
        input.isStored = true
        input.keys = metadata.keptDocument(configuration.jwksURI) { try JWKSet(parsing: $0) }
        return IDTokenRules().judge(input)
    }

    private func configuration(of authority: Authority) -> OpenIDConfiguration? {
        metadata.keptDocument(authority.metadataURL(networkEnvironment: environments.preferredNetwork)) {
            try OpenIDConfiguration(parsing: $0)
        }
    }
}

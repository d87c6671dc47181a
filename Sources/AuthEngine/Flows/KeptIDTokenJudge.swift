import Foundation
import OAuthCore

/// Validates a cached ID token with cached documents of any age. Sends no request.
///
/// Remembered results keep this value alive, so it holds only what it needs.
struct KeptIDTokenJudge: Sendable {
    let metadata: MetadataSource
    /// The authorities whose documents can be used, in order.
    let authorities: [Authority]
    let environments: ResolvedAuthority.Environments
    let clientID: String
    let time: any TimeSource

    /// Returns the result of each rule. Empty without a cached document.
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

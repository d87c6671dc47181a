import Foundation
import OAuthCore

/// Validates a cached ID token with cached documents of any age. Sends no request.
///
/// Remembered results keep this value alive, so it holds only what it needs.
struct CachedIDTokenJudge: Sendable {
    let metadata: MetadataSource
    /// The authorities whose documents can be used, in order.
    let authorities: [Authority]
    let environments: ResolvedAuthority.Environments
    let clientID: String
    let time: any TimeSource

    struct Documents {
        var configuration: OpenIDConfiguration
        var keys: JWKSet?
    }

    /// Returns the result of each rule. Empty without a cached document.
    func verdicts(on idToken: Secret) -> [Verdict] {
        documents.map { verdicts(on: idToken, with: $0) } ?? []
    }

    func verdicts(on idToken: Secret, with documents: Documents) -> [Verdict] {
        guard let token = try? JWT(parsing: idToken.reveal()) else { return [] }
        var input = IDTokenRules.Input(
            token: token, issuer: documents.configuration.issuer, clientID: clientID, localTime: time.now())
        input.origin = .cache
        input.keys = documents.keys
        return IDTokenRules().judge(input)
    }

    /// The cached documents of the first authority with cached keys, or else of the first one.
    var documents: Documents? {
        let cached = authorities.lazy.compactMap(documents)
        return cached.first { $0.keys != nil } ?? cached.first
    }

    private func documents(of authority: Authority) -> Documents? {
        configuration(of: authority).map { configuration in
            Documents(
                configuration: configuration,
                keys: configuration.jwksURI.flatMap { url in
                    metadata.cachedDocument(url) { try JWKSet(parsing: $0) }
                })
        }
    }

    private func configuration(of authority: Authority) -> OpenIDConfiguration? {
        metadata.cachedConfiguration(of: authority, networkEnvironment: environments.preferredNetwork)
    }
}

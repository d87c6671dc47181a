import OAuthCore

/// Invalidates tokens that were removed from the cache at the authority (RFC 7009).
struct RevocationFlow {
    let context: FlowContext

    /// Returns the outcome. The tokens are removed already, so an error is only reported.
    func run(_ tokens: [RevocationRequest.Token]) async -> MSALRevocation {
        guard !tokens.isEmpty else { return .nothingToRevoke }
        do {
            return try await context.dependencies.finishing { try await revoke(tokens) }
        } catch {
            return .failed(MSALAuthenticationError(translating: error))
        }
    }

    private func revoke(_ tokens: [RevocationRequest.Token]) async throws -> MSALRevocation {
        var authority = try await context.authorities.resolve(context.settings.authority)
        guard let endpoint = authority.configuration.revocationEndpoint else { return .notOffered }
        for token in tokens {
            let sent = try await context.send(to: &authority, .revocation) { authority in
                RevocationRequest(
                    endpoint: authority.configuration.revocationEndpoint ?? endpoint,
                    clientID: context.settings.clientID, clientSecret: context.clientSecret(at: authority), token: token
                ).httpRequest
            }
            try context.translating(sent, from: .revocation, RevocationRequest.check)
        }
        return .revoked
    }
}

extension AccountCredentials {
    /// The tokens to revoke at a sign-out: the client's own refresh token, whose access tokens many servers revoke with it;
    /// without one, its access tokens. Tokens that other clients of the family share stay.
    func tokensToRevoke(environments: [String]) -> [RevocationRequest.Token] {
        let refreshTokens = refreshTokens(environments: environments).filter { $0.key.client == client }
        guard refreshTokens.isEmpty else { return refreshTokens.map { .init(.refreshToken, $0.secret) } }
        return records.compactMap(CachedAccessToken.init)
            .filter { $0.key.client == client && environments.contains($0.key.environment) }
            .map { .init(.accessToken, $0.secret) }
    }
}

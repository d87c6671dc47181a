import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Reads what the configured authority publishes about itself. Needs no account and signs nobody in.
    ///
    /// Throws when it cannot be reached, is no authority, or names another issuer than its own. An addition of this library.
    public nonisolated(nonsending) func authorityMetadata() async throws -> MSALAuthorityMetadata {
        let correlationID = dependencies.random.uuid()
        let context = context(MSALParameters(), correlationID)
        do {
            return MSALAuthorityMetadata(try await context.authorities.resolve(settings.authority).configuration)
        } catch {
            throw MSALAuthenticationError(translating: error, correlationID: correlationID)
        }
    }
}

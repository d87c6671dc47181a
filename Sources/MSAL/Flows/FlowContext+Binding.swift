import Foundation
import KeyturnCrypto
import OAuthCore

/// Access tokens that are bound to this machine's key (docs/upstream-behaviour.md §11).
extension FlowContext {
    /// The key that the tokens of a scheme are bound to, or `nil` for bearer tokens.
    func confirmation(for scheme: TokenScheme) throws -> TokenConfirmation? {
        guard case .pop = scheme else { return nil }
        return TokenConfirmation(keyID: try proofKey().publicKey.thumbprint)
    }

    /// The outcome with the text that a resource expects as access token. A bound token is signed again for each
    /// request.
    func presented(_ outcome: TokenOutcome, by scheme: TokenScheme) throws -> TokenOutcome {
        guard case .pop(let bound) = scheme, let accessToken = outcome.accessToken else { return outcome }
        let request = SignedHTTPRequest(
            accessToken: accessToken, method: bound.method, url: bound.url,
            nonce: bound.nonce ?? dependencies.random.uuid().uuidString,
            issuedAt: dependencies.time.now())
        let key = try proofKey()
        var outcome = outcome
        do { outcome.accessToken = try request.signed(with: key) } catch {
            throw AuthenticationFailure.machine(
                .proofKey(
                    ProofKeyFailure(reason: "The token's key can't sign.")))
        }
        outcome.schemeName = scheme.name
        return outcome
    }

    /// Throws when the token type isn't the requested one, because the resource would reject the token.
    func checkTokenType(_ response: TokenResponse, for scheme: TokenScheme) throws {
        guard response.accessToken != nil, let type = response.tokenType?.lowercased() else { return }
        // Slack calls a user's bearer token so (oauth.v2.user.access).
        guard type != scheme.name.lowercased(), scheme != .bearer || type != "user" else { return }
        throw AuthenticationFailure.authority(
            .malformedResponse(
                .otherTokenType(expected: scheme.name, found: response.tokenType), status: 200))
    }

    private func proofKey() throws -> PrivateKey {
        do { return try dependencies.proofKeys.key() } catch { throw AuthenticationFailure.machine(.proofKey(error)) }
    }
}

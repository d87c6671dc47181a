import Foundation
import KeyturnCrypto
import OAuthCore

/// Access tokens that are bound to this machine's key (docs/upstream-behaviour.md §11).
extension FlowContext {
    /// The key that the tokens of a scheme are bound to; `nil` for bearer tokens.
    func confirmation(for scheme: TokenScheme) throws -> TokenConfirmation? {
        guard case .pop = scheme else { return nil }
        return TokenConfirmation(keyID: try proofKey().publicKey.thumbprint)
    }

    /// What a resource is given in place of the access token: for a bound token it is signed anew each time.
    func presented(_ outcome: TokenOutcome, by scheme: TokenScheme) throws -> TokenOutcome {
        guard case .pop(let bound) = scheme, let accessToken = outcome.accessToken else { return outcome }
        let request = SignedHTTPRequest(
            accessToken: accessToken, method: bound.method, url: bound.url,
            nonce: bound.nonce ?? dependencies.random.uuid().uuidString,
            issuedAt: dependencies.time.now())
        let key = try proofKey()
        var outcome = outcome
        do throws(CryptoFailure) {
            outcome.accessToken = try request.signed(with: key)
        } catch {
            throw AuthenticationFailure.machine(
                .proofKey(
                    ProofKeyFailure(reason: "The key that the token is bound to cannot sign.")))
        }
        outcome.schemeName = scheme.name
        return outcome
    }

    /// The authority may give another kind of token than was asked for; the resource would not take it.
    func checkTokenType(_ response: TokenResponse, for scheme: TokenScheme) throws {
        guard response.accessToken != nil, response.tokenType?.lowercased() != scheme.name.lowercased() else { return }
        throw AuthenticationFailure.authority(
            .malformedResponse(
                .otherTokenType(expected: scheme.name, found: response.tokenType), status: 200))
    }

    private func proofKey() throws -> PrivateKey {
        do throws(ProofKeyFailure) {
            return try dependencies.proofKeys.key()
        } catch {
            throw AuthenticationFailure.machine(.proofKey(error))
        }
    }
}

/// What the token endpoint says to a client that waits for the person with the code (RFC 8628 §3.5). Whatever ends the
/// wait, or says nothing, is a failure of the response.
package enum DeviceTokenResponse: Sendable, Equatable {
    case tokens(TokenResponse)
    /// Not yet.
    case pending
    /// Not yet, and the client asks too often.
    case slowDown
    /// The person did not enter the code in time.
    case expired

    /// Some servers answer a waiting client with 403, 428 or 429 where RFC 6749 §5.2 has 400; what counts is the body.
    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        do throws(TokenResponseFailure) {
            self = .tokens(try TokenResponse(parsing: response))
        } catch {
            guard case .refused(let refusal) = error, let answer = Self(refusal) else { throw error }
            self = answer
        }
    }

    private init?(_ refusal: OAuthErrorResponse) {
        switch refusal.error.lowercased() {
        case "authorization_pending": self = .pending
        case "slow_down": self = .slowDown
        case "expired_token", "code_expired": self = .expired
        default: return nil
        }
    }
}

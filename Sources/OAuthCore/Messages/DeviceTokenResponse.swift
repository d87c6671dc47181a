/// The token endpoint's response to a polling client (RFC 8628 §3.5). Responses that end the polling are thrown as
/// failures.
package enum DeviceTokenResponse: Sendable, Equatable {
    case tokens(TokenResponse)
    /// The user hasn't finished.
    case pending
    /// The user hasn't finished, and the client polls too often.
    case slowDown
    /// The user didn't enter the code in time.
    case expired

    /// Parses a response. Only the body counts, because some servers use 403, 428 or 429 instead of 400 (RFC 6749
    /// §5.2).
    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        do { self = .tokens(try TokenResponse(parsing: response)) } catch {
            guard case .rejected(let rejection) = error, let response = Self(rejection) else { throw error }
            self = response
        }
    }

    private init?(_ rejection: OAuthErrorResponse) {
        switch rejection.error.lowercased() {
        case "authorization_pending": self = .pending
        case "slow_down": self = .slowDown
        case "expired_token", "code_expired": self = .expired
        default: return nil
        }
    }
}

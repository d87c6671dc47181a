/// What the token endpoint says to a client that waits for the person with the code (RFC 8628 §3.5).
package enum DeviceTokenResponse: Sendable, Equatable {
    case tokens(TokenResponse)
    /// Not yet.
    case pending
    /// Not yet, and the client asks too often.
    case slowDown
    /// The person did not enter the code in time.
    case expired
    /// The person, or whoever rules over their account, said no.
    case denied(OAuthErrorResponse)
    /// The authority is in trouble, which may pass.
    case trouble(status: Int, HTTPHeaders)

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        do throws(TokenResponseFailure) {
            self = .tokens(try TokenResponse(parsing: response.refusingLikeOthers))
        } catch {
            switch error {
            case .refused(var refusal):
                refusal.status = response.status
                guard let answer = Self(refusal, status: response.status, response.headers) else {
                    throw .refused(refusal)
                }
                self = answer
            case .unexpectedStatus(let status, let headers) where status >= 500 || status == 429:
                self = .trouble(status: status, headers)
            default: throw error
            }
        }
    }

    private init?(_ refusal: OAuthErrorResponse, status: Int, _ headers: HTTPHeaders) {
        switch refusal.error.lowercased() {
        case "authorization_pending": self = .pending
        case "slow_down": self = .slowDown
        case "expired_token", "code_expired": self = .expired
        case "access_denied", "authorization_declined": self = .denied(refusal)
        case "temporarily_unavailable", "server_error": self = .trouble(status: status, headers)
        default: return nil
        }
    }
}

extension HTTPResponse {
    /// Some servers answer a waiting client with 403, 428 or 429 where RFC 6749 §5.2 has 400; what counts is the body.
    fileprivate var refusingLikeOthers: HTTPResponse {
        guard [403, 428, 429].contains(status), body.count <= TokenResponse.maximumBytes,
            let value = try? JSONValue(parsing: body), OAuthErrorResponse(value) != nil
        else { return self }
        return HTTPResponse(status: 400, headers: headers, body: body)
    }
}

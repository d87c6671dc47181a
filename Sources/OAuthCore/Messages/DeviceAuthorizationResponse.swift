import Foundation

/// The code to enter and the page for it (RFC 8628 §3.2, with Entra's `message`).
package struct DeviceAuthorizationResponse: Sendable, Equatable {
    package static let maximumUserCodeLength = 32
    /// In seconds, if the server states none (RFC 8628 §3.2).
    package static let defaultInterval = 5
    /// In seconds. Prevents overflow.
    package static let maximumInterval = 3600

    package let deviceCode: Secret
    package let userCode: String
    package let verificationURI: URL
    /// The page with the code filled in, for a QR code.
    package let verificationURIComplete: URL?
    /// The lifetime and the polling interval in seconds.
    package let expiresIn: Int
    package let interval: Int
    package let message: String?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = ResponseMembers(try response.members())
        deviceCode = Secret(try members.required("device_code"))
        userCode = try members.required("user_code")
        guard userCode.utf8.count <= Self.maximumUserCodeLength else {
            throw .malformed(.tooLong(member: "user_code", limit: Self.maximumUserCodeLength))
        }
        // Text with spaces could imitate an instruction of this program.
        guard userCode.isVisibleASCII else { throw .malformed(.notACode) }
        // Older servers spell it `verification_url`.
        let name = members.object["verification_uri"] == nil ? "verification_url" : "verification_uri"
        _ = try members.required(name)
        guard let uri = members.page(name) else { throw .malformed(.notAnAddress(member: name)) }
        (verificationURI, verificationURIComplete) = (uri, members.page("verification_uri_complete"))
        guard let lifetime = try members.limitedSeconds("expires_in") else {
            throw .malformed(.missing(member: "expires_in"))
        }
        expiresIn = lifetime
        let interval = try members.limitedSeconds("interval") ?? 0
        self.interval = interval > 0 ? min(interval, Self.maximumInterval) : Self.defaultInterval
        message = members.object["message"]?.string
    }
}

extension ResponseMembers {
    /// A page on which the user may enter a password, so it must be secure.
    fileprivate func page(_ name: String) -> URL? {
        object[name]?.string.flatMap { URL(string: $0) }.flatMap { $0.isSecureEndpoint ? $0 : nil }
    }
}

/// The response to a polling client (RFC 8628 §3.5). Responses that end the polling are thrown as failures.
package enum DeviceTokenResponse: Sendable, Equatable {
    case tokens(TokenResponse)
    case pending
    /// Pending, and the client polls too often.
    case slowDown
    case expired

    /// Only the body counts, because some servers use 403, 428 or 429 instead of 400 (RFC 6749 §5.2).
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

import Foundation

/// The code to enter and the page for it (RFC 8628 §3.2, with Entra's `message`).
package struct DeviceAuthorizationResponse: Sendable, Equatable {
    /// A generous limit in bytes: user codes have about eight characters.
    package static let maximumUserCodeLength = 32
    /// The polling interval in seconds if the server states none (RFC 8628 §3.2).
    package static let defaultInterval = 5
    /// A generous limit in seconds, which also prevents overflow.
    package static let maximumInterval = 3600

    /// The code that the client polls with. Secret.
    package let deviceCode: Secret
    package let userCode: String
    package let verificationURI: URL
    /// The page with the code filled in, for a QR code.
    package let verificationURIComplete: URL?
    /// The lifetime in seconds.
    package let expiresIn: Int
    /// The polling interval in seconds.
    package let interval: Int
    /// The server's instructions for the user.
    package let message: String?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        try self.init(ResponseMembers(try response.members()))
    }

    private init(_ members: ResponseMembers) throws(TokenResponseFailure) {
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
        verificationURI = uri
        verificationURIComplete = members.page("verification_uri_complete")
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

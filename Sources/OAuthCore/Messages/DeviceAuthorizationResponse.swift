import Foundation

/// The code that a person enters, and where (RFC 8628 §3.2, with Entra's `message`).
package struct DeviceAuthorizationResponse: Sendable, Equatable {
    /// A code that nobody could type. Real ones have about eight characters.
    package static let maximumUserCodeLength = 64
    /// Seconds between two requests when the server names none (RFC 8628 §3.2).
    package static let defaultInterval = 5
    /// No server means to be asked less often than this, in seconds; it keeps times within what a calendar holds.
    package static let maximumInterval = 3600

    /// What the client asks for tokens with. Whoever has it gets them.
    package let deviceCode: Secret
    package let userCode: String
    package let verificationURI: URL
    /// The same page with the code filled in, for a picture rather than for typing.
    package let verificationURIComplete: URL?
    /// Seconds from the answer on.
    package let expiresIn: Int
    /// Seconds between two requests of the client.
    package let interval: Int
    /// The server's own instruction to the person.
    package let message: String?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        try self.init(DeviceMembers(object: try response.members()))
    }

    private init(_ members: DeviceMembers) throws(TokenResponseFailure) {
        deviceCode = Secret(try members.text("device_code"))
        userCode = try members.text("user_code")
        guard userCode.count <= Self.maximumUserCodeLength else { throw .malformed(.wrongType(member: "user_code")) }
        // Older servers spell it `verification_url`.
        let name = members.object["verification_uri"] == nil ? "verification_url" : "verification_uri"
        guard let uri = members.page(name) else { throw .malformed(.missing(member: "verification_uri")) }
        verificationURI = uri
        verificationURIComplete = members.page("verification_uri_complete")
        guard let lifetime = try members.seconds("expires_in") else { throw .malformed(.missing(member: "expires_in")) }
        expiresIn = lifetime
        let interval = try members.seconds("interval") ?? 0
        self.interval = interval > 0 ? min(interval, Self.maximumInterval) : Self.defaultInterval
        message = members.object["message"]?.string
    }
}

private struct DeviceMembers {
    let object: [String: JSONValue]

    func text(_ name: String) throws(TokenResponseFailure) -> String {
        guard let text = try object.text(name, otherwise: TokenResponseFailure.malformed(.wrongType(member: name))),
            !text.isEmpty
        else { throw .malformed(.missing(member: name)) }
        return text
    }

    /// Whole seconds, a part of one as a whole. Negative ones count as none, too many are cut.
    func seconds(_ name: String) throws(TokenResponseFailure) -> Int? {
        guard let value = object[name], value != .null else { return nil }
        guard let number = value.double, !number.isNaN else { throw .malformed(.wrongType(member: name)) }
        return Int(min(max(number.rounded(.up), 0), Double(TokenResponse.maximumLifetime)))
    }

    /// A page that a person may be sent to: they will type a password there.
    func page(_ name: String) -> URL? {
        object[name]?.string.flatMap { URL(string: $0) }.flatMap { $0.isSecureEndpoint ? $0 : nil }
    }
}

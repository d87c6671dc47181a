import Foundation

/// The tokens an authority gave (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, and Entra's additions).
package struct TokenResponse: Sendable, Equatable {
    /// A lifetime nobody issues: a century. What is beyond it is no lifetime.
    package static let maximumLifetime = 3_155_760_000
    /// RFC 6749 leaves `expires_in` out at will; an hour is what upstream then takes.
    package static let defaultLifetime = 3600

    /// Missing from authorities that give only an ID token.
    package let accessToken: Secret?
    /// `Bearer`, `pop`, as the server spells it.
    package let tokenType: String?
    /// Seconds from the answer on.
    package let expiresIn: Int
    package let extendedExpiresIn: Int?
    /// Seconds after which the token should be renewed although it still works.
    package let refreshIn: Int?
    package let refreshToken: Secret?
    package let idToken: Secret?
    /// What was granted. `nil` when the server left it out: then all that was asked for (RFC 6749 §5.1).
    package let scopes: Scopes?
    package let clientInfo: ClientInfo?
    /// Entra's `foci`: the family of clients that may use the refresh token.
    package let familyID: String?
    /// The server's clock when it answered.
    package let serverTime: Date?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        try self.init(try response.members(), serverTime: response.date)
    }

    private init(_ object: [String: JSONValue], serverTime: Date?) throws(TokenResponseFailure) {
        let members = Members(object)
        accessToken = try members.visibleText("access_token").map { Secret($0) }
        idToken = try members.text("id_token").map { Secret($0) }
        guard accessToken != nil || idToken != nil else { throw .malformed(.noTokens) }
        tokenType = try members.visibleText("token_type")
        if accessToken != nil, tokenType == nil { throw .malformed(.missing(member: "token_type")) }
        expiresIn = try members.seconds("expires_in") ?? Self.defaultLifetime
        extendedExpiresIn = try members.seconds("ext_expires_in")
        refreshIn = try members.seconds("refresh_in")
        refreshToken = try members.text("refresh_token").map { Secret($0) }
        // Present but empty means that nothing was granted, so it is kept apart from missing.
        scopes = try members.scopes()
        clientInfo = try members.clientInfo()
        familyID = try members.text("foci")
        if familyID?.hasControlCharacter == true { throw .malformed(.controlCharacter(member: "foci")) }
        self.serverTime = serverTime
    }
}

/// The members of a token answer, each read as the type the protocol gives it.
private struct Members {
    let object: [String: JSONValue]

    init(_ object: [String: JSONValue]) { self.object = object }

    func textOrEmpty(_ name: String) throws(TokenResponseFailure) -> String? {
        try object.text(name, otherwise: TokenResponseFailure.malformed(.wrongType(member: name)))
    }

    /// Text, where empty counts as missing.
    func text(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try textOrEmpty(name)
        return text?.isEmpty == true ? nil : text
    }

    /// Text that goes into a header field (RFC 6750 §2.1).
    func visibleText(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try text(name)
        guard text?.isVisibleASCII != false else { throw .malformed(.notVisibleASCII(member: name)) }
        return text
    }

    /// A lifetime in whole seconds, also as decimal text.
    func seconds(_ name: String) throws(TokenResponseFailure) -> Int? {
        guard let value = object[name], value != .null, value != "" else { return nil }
        guard let number = value.double, !number.isNaN else { throw .malformed(.wrongType(member: name)) }
        guard (0...Double(TokenResponse.maximumLifetime)).contains(number) else {
            throw .malformed(.impossibleLifetime(member: name))
        }
        return Int(number)
    }

    func scopes() throws(TokenResponseFailure) -> Scopes? {
        let scopes = try textOrEmpty("scope").map { Scopes(parsing: $0) }
        guard scopes?.names.contains(where: \.hasControlCharacter) != true else {
            throw .malformed(.controlCharacter(member: "scope"))
        }
        return scopes
    }

    func clientInfo() throws(TokenResponseFailure) -> ClientInfo? {
        guard let text = try text("client_info") else { return nil }
        guard let info = try? ClientInfo(parsing: text) else { throw .malformed(.wrongType(member: "client_info")) }
        return info
    }
}

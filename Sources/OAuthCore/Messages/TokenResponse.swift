import Foundation

/// A successful token response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, and Entra's additions).
package struct TokenResponse: Sendable, Equatable {
    /// A century in seconds. Longer lifetimes are invalid.
    package static let maximumLifetime = 3_155_760_000
    /// An hour in seconds, for a response without `expires_in`, as in MSAL for iOS and macOS.
    package static let defaultLifetime = 3600

    /// The access token, or `nil` from authorities that issue only an ID token.
    package let accessToken: Secret?
    /// The type in the server's spelling, such as `Bearer` or `pop`.
    package let tokenType: String?
    /// The lifetime in seconds.
    package let expiresIn: Int
    /// Whether the server says the lifetime.
    package let statesLifetime: Bool
    package let extendedExpiresIn: Int?
    /// Seconds after which to refresh the token although it is still valid.
    package let refreshIn: Int?
    package let refreshToken: Secret?
    /// The lifetime of the refresh token in seconds, or `nil` if the server doesn't say. The earliest end counts:
    /// `refresh_token_expires_in` (Entra External ID), `refresh_expires_in` of Keycloak, where 0 is no limit,
    /// `refresh_token_timeout` and `authorization_expires_in` (draft-ietf-oauth-refresh-token-expiration-03).
    package let refreshTokenExpiresIn: Int?
    package let idToken: Secret?
    /// The granted scopes, or `nil` for the requested ones (RFC 6749 §5.1).
    package let scopes: Scopes?
    package let clientInfo: ClientInfo?
    /// Entra's `foci`: the client family of the refresh token.
    package let familyID: String?
    /// The server's time of the response.
    package let serverTime: Date?
    /// The secrets of the request and of this response, to mask them in other text.
    package var exchangedSecrets: [Secret] = []

    /// - Parameter isOfRefresh: whether a refresh token alone is a response: it replaces the one that was spent.
    package init(parsing response: HTTPResponse, isOfRefresh: Bool = false) throws(TokenResponseFailure) {
        try self.init(try response.members(), serverTime: response.date)
        guard hasTokens || isOfRefresh && refreshToken != nil else { throw .malformed(.noTokens) }
    }

    /// A response without tokens, beside a token of another authority.
    package static func empty() throws(TokenResponseFailure) -> TokenResponse {
        try TokenResponse([:], serverTime: nil)
    }

    /// Whether the response has what was requested, and not only a refresh token.
    package var hasTokens: Bool { accessToken != nil || idToken != nil }

    private init(_ object: [String: JSONValue], serverTime: Date?) throws(TokenResponseFailure) {
        let members = Members(object)
        accessToken = try members.visibleText("access_token").map { Secret($0) }
        idToken = try members.text("id_token").map { Secret($0) }
        tokenType = try members.visibleText("token_type")
        if accessToken != nil, tokenType == nil { throw .malformed(.missing(member: "token_type")) }
        let lifetime = try members.seconds("expires_in")
        expiresIn = lifetime ?? Self.defaultLifetime
        statesLifetime = lifetime != nil
        if accessToken != nil, expiresIn == 0 { throw .malformed(.alreadyExpired) }
        extendedExpiresIn = try members.seconds("ext_expires_in")
        refreshIn = try members.seconds("refresh_in")
        refreshToken = try members.text("refresh_token").map { Secret($0) }
        refreshTokenExpiresIn = [
            "refresh_token_expires_in", "refresh_expires_in", "refresh_token_timeout", "authorization_expires_in",
        ].compactMap(members.usableSeconds).min()
        // An empty scope means that nothing was granted, a missing one that everything was.
        scopes = try members.scopes()
        clientInfo = try members.clientInfo()
        familyID = try members.text("foci")
        if familyID?.hasControlCharacter == true { throw .malformed(.controlCharacter(member: "foci")) }
        self.serverTime = serverTime
    }
}

/// The members of a token response, with type checks.
private struct Members {
    let object: [String: JSONValue]

    init(_ object: [String: JSONValue]) { self.object = object }

    func textOrEmpty(_ name: String) throws(TokenResponseFailure) -> String? {
        try object.text(name, otherwise: TokenResponseFailure.malformed(.wrongType(member: name)))
    }

    /// A text; an empty one counts as missing.
    func text(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try textOrEmpty(name)
        return text?.isEmpty == true ? nil : text
    }

    /// A text for a header field (RFC 6750 §2.1).
    func visibleText(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try text(name)
        guard text?.isVisibleASCII != false else { throw .malformed(.notVisibleASCII(member: name)) }
        return text
    }

    /// A lifetime in whole seconds, as a number or decimal text.
    func seconds(_ name: String) throws(TokenResponseFailure) -> Int? {
        guard let value = object[name], value != .null, value != "" else { return nil }
        guard let number = value.double, !number.isNaN else { throw .malformed(.wrongType(member: name)) }
        guard (0...Double(TokenResponse.maximumLifetime)).contains(number) else {
            throw .malformed(.impossibleLifetime(member: name))
        }
        return Int(number)
    }

    /// A lifetime that is only shown, so an impossible one counts as missing.
    func usableSeconds(_ name: String) -> Int? {
        guard let seconds = try? seconds(name), seconds > 0 else { return nil }
        return seconds
    }

    func scopes() throws(TokenResponseFailure) -> Scopes? {
        // Some servers, such as GitHub, separate scopes by commas.
        let scopes = try textOrEmpty("scope").map {
            Scopes(parsing: $0.contains(" ") ? $0 : $0.replacing(",", with: " "))
        }
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

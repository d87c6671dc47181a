import Foundation

/// A successful token response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, and Entra's additions).
package struct TokenResponse: Sendable, Equatable {
    /// A century in seconds. Longer lifetimes are invalid.
    package static let maximumLifetime = 3_155_760_000
    /// An hour in seconds, for a response without `expires_in`, as in MSAL for iOS and macOS.
    package static let defaultLifetime = 3600

    /// The access token, or `nil` from authorities that issue only an ID token.
    package let accessToken: Secret?
    /// In the server's spelling, such as `Bearer` or `pop`.
    package let tokenType: String?
    /// In seconds, as all lifetimes here.
    package let expiresIn: Int
    package let statesLifetime: Bool
    package let extendedExpiresIn: Int?
    /// Seconds after which to refresh the token although it is still valid.
    package private(set) var refreshIn: Int?
    package private(set) var refreshToken: Secret?
    /// `nil` if the server doesn't say. The earliest end counts: `refresh_token_expires_in` (Entra External ID), `refresh_expires_in`
    /// of Keycloak, where 0 is no limit, `refresh_token_timeout` and `authorization_expires_in`
    /// (draft-ietf-oauth-refresh-token-expiration-03).
    package private(set) var refreshTokenExpiresIn: Int?
    package let idToken: Secret?
    /// The granted scopes, or `nil` for the requested ones (RFC 6749 §5.1).
    package let scopes: Scopes?
    package let clientInfo: ClientInfo?
    /// Entra's `foci`: the client family of the refresh token.
    package private(set) var familyID: String?
    package private(set) var serverTime: Date?
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
        let members = ResponseMembers(object)
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
        scopes = try members.scopes("scope")
        clientInfo = try members.clientInfo("client_info")
        familyID = try members.text("foci")
        if familyID?.hasControlCharacter == true { throw .malformed(.controlCharacter(member: "foci")) }
        self.serverTime = serverTime
    }
}

extension ResponseMembers {
    /// A lifetime that is only shown, so an impossible one counts as missing.
    fileprivate func usableSeconds(_ name: String) -> Int? {
        (try? seconds(name)).flatMap { $0 > 0 ? $0 : nil }
    }

    func scopes(_ name: String) throws(TokenResponseFailure) -> Scopes? {
        switch object[name] {
        case nil, .null: nil
        // Some servers, such as GitHub, separate scopes by commas, and Twitch lists them.
        case .string(let text):
            try checked(Scopes(parsing: text.contains(" ") ? text : text.replacing(",", with: " ")), name)
        case .array(let names): try checked(Scopes(names.compactMap(\.string)), name)
        case .bool, .integer, .large, .number, .object: throw .malformed(.wrongType(member: name))
        }
    }
}

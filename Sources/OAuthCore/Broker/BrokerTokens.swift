import Foundation

/// The tokens in a response of the broker (docs/upstream-behaviour.md §13).
package struct BrokerTokens: Sendable, Equatable {
    package var accessToken: Secret
    package var idToken: Secret?
    package var clientInfo: ClientInfo?
    /// The granted scopes, or `nil` for the requested ones.
    package var scopes: Scopes?
    /// The expiry, or `nil` when it is unknown.
    package var expiresOn: Date?
    package var extendedExpiresOn: Date?
    /// The account of the tokens. Some brokers omit it.
    package var account: BrokerAccount?
    package var brokerVersion: String?

    package init(_ reply: BrokerResponse) throws(BrokerResponse.Failure) {
        try reply.checkRejection(reply.members["error"])
        guard let response = reply.members["brokerTokenResponse"] else {
            throw .malformed(.missing(member: "brokerTokenResponse"))
        }
        guard let members = response.object else { throw .malformed(.wrongType(member: "brokerTokenResponse")) }
        try reply.checkRejection(members["error"])
        let reader = Members(members)
        guard let token = try reader.text("accessToken") else { throw .malformed(.noTokens) }
        // 0 is a bearer token, the only type this library requests.
        guard members["accessTokenType"]?.double ?? 0 == 0 else {
            throw .malformed(.otherTokenType(expected: "Bearer", found: nil))
        }
        accessToken = Secret(token)
        idToken = try reader.text("idToken").map { Secret($0) }
        clientInfo = try reader.clientInfo()
        scopes = try reader.scopes()
        let told = try reader.time("expiresOn")
        expiresOn = Self.expiry(inside: accessToken) ?? told
        extendedExpiresOn = try reader.time("extendedExpiresOn")
        account = members["account"].flatMap(BrokerAccount.init)
        brokerVersion = reply.brokerVersion
    }

    /// The expiry in the token itself, which takes precedence because some brokers confuse seconds and milliseconds.
    private static func expiry(inside token: Secret) -> Date? {
        (try? JWT(parsing: token.reveal()))?.claims.expiry
    }
}

/// The members of a token response, with type checks.
private struct Members {
    let all: [String: JSONValue]

    init(_ all: [String: JSONValue]) { self.all = all }

    /// A text; an empty one counts as missing.
    func text(_ name: String) throws(BrokerResponse.Failure) -> String? {
        let text = try all.text(name, otherwise: BrokerResponse.Failure.malformed(.wrongType(member: name)))
        return text?.isEmpty == true ? nil : text
    }

    func clientInfo() throws(BrokerResponse.Failure) -> ClientInfo? {
        guard let text = try text("clientInfo") else { return nil }
        guard let info = try? ClientInfo(parsing: text) else { throw .malformed(.wrongType(member: "clientInfo")) }
        return info
    }

    /// Scopes in one text or in a list.
    func scopes() throws(BrokerResponse.Failure) -> Scopes? {
        let scopes: Scopes
        switch all["grantedScopes"] {
        case nil, .null: return nil
        case .string(let text): scopes = Scopes(parsing: text)
        case .array(let names): scopes = Scopes(names.compactMap(\.string))
        case .bool, .integer, .large, .number, .object: throw .malformed(.wrongType(member: "grantedScopes"))
        }
        guard !scopes.names.contains(where: \.hasControlCharacter) else {
            throw .malformed(.controlCharacter(member: "grantedScopes"))
        }
        return scopes
    }

    /// A time in milliseconds since 1970, or in seconds if it would be before 1973. 0 means none.
    func time(_ name: String) throws(BrokerResponse.Failure) -> Date? {
        guard let value = all[name], value != .null else { return nil }
        guard let number = value.double, number.isFinite else { throw .malformed(.wrongType(member: name)) }
        guard (0...Self.lastMillisecond).contains(number) else { throw .malformed(.impossibleLifetime(member: name)) }
        guard number > 0 else { return nil }
        return Date(timeIntervalSince1970: number < Self.firstMillisecond ? number : number / 1000)
    }

    private static let firstMillisecond = 1e11
    /// The year 5138, to reject nonsense.
    private static let lastMillisecond = 1e14
}

extension TokenResponse {
    /// Creates the equivalent response of an authority at the time `now`. A token without an expiry counts as expired.
    package init(_ tokens: BrokerTokens, clientInfo: ClientInfo, at now: Date) {
        func seconds(until date: Date) -> Int {
            Int(min(max(0, date.timeIntervalSince(now)), Double(Self.maximumLifetime)))
        }
        accessToken = tokens.accessToken
        tokenType = "Bearer"
        expiresIn = tokens.expiresOn.map(seconds) ?? 0
        statesLifetime = true
        refreshTokenExpiresIn = nil
        extendedExpiresIn = tokens.extendedExpiresOn.map(seconds)
        refreshIn = nil
        refreshToken = nil
        idToken = tokens.idToken
        scopes = tokens.scopes
        self.clientInfo = clientInfo
        familyID = nil
        serverTime = nil
    }
}

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

    package init(_ reply: BrokerResponse) throws {
        let members = try reply.result("brokerTokenResponse", \.object)
        try reply.checkRejection(members["error"])
        let reader = ResponseMembers(members)
        guard let token = try reader.text("accessToken") else { throw TokenResponseFailure.malformed(.noTokens) }
        // 0 is a bearer token, the only type this library requests.
        guard members["accessTokenType"]?.double ?? 0 == 0 else {
            throw TokenResponseFailure.malformed(.otherTokenType(expected: "Bearer", found: nil))
        }
        accessToken = Secret(token)
        idToken = try reader.text("idToken").map { Secret($0) }
        clientInfo = try reader.clientInfo("clientInfo")
        scopes = try reader.listedScopes("grantedScopes")
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

extension ResponseMembers {
    /// Scopes in one text or in a list.
    fileprivate func listedScopes(_ name: String) throws(TokenResponseFailure) -> Scopes? {
        switch object[name] {
        case nil, .null: nil
        case .string(let text): try checked(Scopes(parsing: text), name)
        case .array(let names): try checked(Scopes(names.compactMap(\.string)), name)
        case .bool, .integer, .large, .number, .object: throw .malformed(.wrongType(member: name))
        }
    }

    /// A time in milliseconds since 1970, or in seconds if it would be before 1973. 0 means none.
    fileprivate func time(_ name: String) throws(TokenResponseFailure) -> Date? {
        guard let number = try number(name, upTo: Self.lastMillisecond), number > 0 else { return nil }
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

import Foundation

/// The response of a broker method (docs/upstream-behaviour.md §13). A rejected request is also a success in D-Bus; the response
/// then has an `error`, possibly in its `brokerTokenResponse`.
package struct BrokerResponse: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    let members: [String: JSONValue]

    package init(parsing text: Secret) throws(TokenResponseFailure) {
        let bytes = Array(text.reveal().utf8)
        guard bytes.count <= Self.maximumBytes else { throw .malformed(.tooLarge(limit: Self.maximumBytes)) }
        guard let read = try? JSONValue.read(bytes), let members = read.value.object else {
            throw .malformed(.notJSONObject)
        }
        guard !read.hasRepeatedMembers else { throw .malformed(.repeatedMembers) }
        self.members = members
    }

    /// The accounts with an identifier, and the number of the others.
    package func accounts() throws -> (known: [BrokerAccount], unreadable: Int) {
        let list = try result("accounts", \.array)
        let known = list.compactMap(BrokerAccount.init)
        return (known, list.count - known.count)
    }

    package func version() throws -> String { try result("linuxBrokerVersion", \.string) }

    package func confirm() throws(BrokerRejection) { try checkRejection(members["error"]) }

    func checkRejection(_ error: JSONValue?) throws(BrokerRejection) {
        guard let error, error != .null else { return }
        throw BrokerRejection(error, brokerVersion: brokerVersion)
    }

    /// Throws the ``BrokerRejection`` in its place, or a ``TokenResponseFailure``.
    func result<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws -> Value {
        try confirm()
        guard let member = members[name] else { throw TokenResponseFailure.malformed(.missing(member: name)) }
        guard let value = value(member) else { throw TokenResponseFailure.malformed(.wrongType(member: name)) }
        return value
    }

    package var brokerVersion: String? { members["telemetry"]?["broker_version"]?.string }
}

package struct BrokerTokens: Sendable, Equatable {
    package var accessToken: Secret
    package var idToken: Secret?
    package var clientInfo: ClientInfo?
    /// The granted scopes, or `nil` for the requested ones.
    package var scopes: Scopes?
    package var expiresOn: Date?
    package var extendedExpiresOn: Date?
    /// Some brokers omit it.
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
        scopes = try reader.scopes("grantedScopes")
        let told = try reader.time("expiresOn")
        expiresOn = Self.expiry(inside: accessToken) ?? told
        extendedExpiresOn = try reader.time("extendedExpiresOn")
        account = members["account"].flatMap(BrokerAccount.init)
        brokerVersion = reply.brokerVersion
    }

    /// The expiry in the token itself, which takes precedence because some brokers confuse seconds and milliseconds.
    private static func expiry(inside token: Secret) -> Date? { (try? JWT(parsing: token.reveal()))?.claims.expiry }
}

extension ResponseMembers {
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
    /// The equivalent response of an authority. A token without an expiry counts as expired.
    package init(_ tokens: BrokerTokens, clientInfo: ClientInfo, at now: Date) {
        func seconds(until date: Date) -> Int {
            Int(min(max(0, date.timeIntervalSince(now)), Double(Self.maximumLifetime)))
        }
        accessToken = tokens.accessToken
        tokenType = "Bearer"
        expiresIn = tokens.expiresOn.map(seconds) ?? 0
        statesLifetime = true
        extendedExpiresIn = tokens.extendedExpiresOn.map(seconds)
        idToken = tokens.idToken
        scopes = tokens.scopes
        self.clientInfo = clientInfo
    }
}

package struct BrokerAccount: Sendable, Equatable {
    /// `<object>.<tenant>` in lower case, as in the token cache.
    package var homeAccountID: String
    package var localAccountID: String?
    package var realm: String?
    package var environment: String
    package var username: String?
    package var name: String?
    package var givenName: String?
    package var familyName: String?
    package var clientInfo: ClientInfo?
    /// The original object, because the broker expects it back with unknown members.
    package var json: JSONValue

    /// Returns `nil` when the account has no identifier, or when a part of it can't be part of a cache key.
    package init?(_ json: JSONValue) {
        func text(_ member: String) -> String? { json[member]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        self.json = json
        clientInfo = text("clientInfo").flatMap { try? ClientInfo(parsing: $0) }
        localAccountID = text("localAccountId")
        realm = text("realm")?.lowercased()
        let parts = [localAccountID, realm].compactMap(\.self)
        let joined = parts.count == 2 ? parts.joined(separator: ".") : nil
        guard let identifier = text("homeAccountId") ?? clientInfo?.homeAccountID ?? joined else { return nil }
        homeAccountID = identifier.lowercased()
        environment = text("environment")?.lowercased() ?? "login.windows.net"
        username = text("username")
        name = text("name")
        givenName = text("givenName")
        familyName = text("familyName")
        guard ![homeAccountID, localAccountID ?? "", realm ?? "", environment].contains(where: \.hasControlCharacter)
        else { return nil }
    }

    package var homeTenant: String? {
        let parts = homeAccountID.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}

/// Remove control characters before display, because the texts are untrusted.
package struct BrokerRejection: Error, Sendable, Equatable {
    package enum Status: Int, Sendable, CaseIterable {
        case unexpected, reserved, interactionRequired, noNetwork, networkTemporarilyUnavailable
        case serverTemporarilyUnavailable, apiContractViolation, userCanceled, applicationCanceled
        case incorrectConfiguration, insufficientBuffer, authorityUntrusted, userSwitch, accountUnusable
    }

    package var status: Status
    package var context: String?
    package var oauthError: String?
    package var oauthSuberror: String?
    package var brokerVersion: String?

    package init(
        _ status: Status, context: String? = nil, oauthError: String? = nil, oauthSuberror: String? = nil,
        brokerVersion: String? = nil
    ) {
        (self.status, self.context, self.oauthError) = (status, context, oauthError)
        (self.oauthSuberror, self.brokerVersion) = (oauthSuberror, brokerVersion)
    }

    /// Other vendors' brokers send only a text.
    init(_ error: JSONValue, brokerVersion: String?) {
        func text(_ value: JSONValue?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let diagnostics = error["diagnostics"]
        self.init(
            error["status"]?.double.flatMap { Int(exactly: $0) }.flatMap(Status.init) ?? .unexpected,
            context: text(error["context"]) ?? text(error), oauthError: text(diagnostics?["raw_error_code"]),
            oauthSuberror: text(diagnostics?["oauth2_sub_error_code"]), brokerVersion: brokerVersion)
    }

    package var codes: [Int] { (context ?? "").matches(of: #/AADSTS(\d{1,9})/#).compactMap { Int($0.1) } }
}

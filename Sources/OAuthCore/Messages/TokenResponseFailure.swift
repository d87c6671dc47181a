@_exported import JSON

// Every message and cache here is JSON, so whoever imports this target has it.

package enum TokenResponseFailure: Error, Sendable, Equatable {
    case rejected(OAuthErrorResponse)
    /// The status isn't 200, and the body has no OAuth error.
    case unexplained
    case malformed(Fact)

    package enum Fact: Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSONObject
        /// Also an unusable number.
        case wrongType(member: String)
        /// A lifetime is negative or exceeds ``TokenResponse/maximumLifetime``.
        case impossibleLifetime(member: String)
        case alreadyExpired
        case tooLong(member: String, limit: Int)
        case notACode
        case notAnAddress(member: String)
        /// RFC 9110 §15
        case impossibleStatus
        case repeatedMembers
        case controlCharacter(member: String)
        case notVisibleASCII(member: String)
        case missing(member: String)
        case noTokens
        case otherTokenType(expected: String, found: String?)
    }
}

extension HTTPResponse {
    package static let maximumObjectBytes = 1 << 20

    /// The members of a form, which GitHub and others used before RFC 6749 had JSON.
    private var formMembers: (value: JSONValue, hasRepeatedMembers: Bool)? {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return nil }
        let pairs = Parameters(formEncoded: text).pairs
        let members = Dictionary(pairs.map { ($0.name, JSONValue.string($0.value)) }) { first, _ in first }
        return (.object(members), members.count != pairs.count)
    }

    /// Throws an OAuth error with any status, because some authorities use 200, 403 or 429 for it.
    /// - Parameter statuses: those of success.
    func members(of statuses: [Int] = [200]) throws(TokenResponseFailure) -> [String: JSONValue] {
        guard (100...599).contains(status) else { throw .malformed(.impossibleStatus) }
        guard !isCut, body.count <= Self.maximumObjectBytes else {
            throw .malformed(.tooLarge(limit: Self.maximumObjectBytes))
        }
        guard let read = try? formMembers ?? JSONValue.read(body), let object = read.value.object else {
            if let challengedError { throw .rejected(challengedError) }
            throw statuses.contains(status) ? .malformed(.notJSONObject) : .unexplained
        }
        guard !read.hasRepeatedMembers else { throw .malformed(.repeatedMembers) }
        if let rejection = OAuthErrorResponse(read.value, status: status) { throw .rejected(rejection) }
        guard statuses.contains(status) else {
            throw challengedError.map(TokenResponseFailure.rejected) ?? .unexplained
        }
        return object
    }

    /// In a `WWW-Authenticate` field of a 401, where some authorities put it (RFC 6749 §5.2). Errors about an access token
    /// (RFC 6750 §3.1) aren't meant: nobody sent one, so they are those of a gateway.
    private var challengedError: OAuthErrorResponse? {
        guard status == 401, let challenges = try? Challenge.parse(headers.all("WWW-Authenticate")) else { return nil }
        return challenges.lazy.compactMap { challenge in
            guard let error = challenge.error, Self.tokenErrors.contains(error.lowercased()) else { return nil }
            return OAuthErrorResponse(error, description: challenge.errorDescription, status: status)
        }.first
    }

    private static let tokenErrors: Set = [
        "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "unauthorized_client",
        "unsupported_grant_type",
    ]
}

struct ResponseMembers {
    let object: [String: JSONValue]

    init(_ object: [String: JSONValue]) { self.object = object }

    /// A text; an empty one counts as missing.
    func text(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try object.text(name, otherwise: TokenResponseFailure.malformed(.wrongType(member: name)))
        return text?.isEmpty == true ? nil : text
    }

    func required(_ name: String) throws(TokenResponseFailure) -> String {
        guard let text = try text(name) else { throw .malformed(.missing(member: name)) }
        return text
    }

    /// A text for a header field (RFC 6750 §2.1).
    func visibleText(_ name: String) throws(TokenResponseFailure) -> String? {
        let text = try text(name)
        guard text?.isVisibleASCII != false else { throw .malformed(.notVisibleASCII(member: name)) }
        return text
    }

    func clientInfo(_ name: String) throws(TokenResponseFailure) -> ClientInfo? {
        guard let text = try text(name) else { return nil }
        guard let info = try? ClientInfo(parsing: text) else { throw .malformed(.wrongType(member: name)) }
        return info
    }

    func checked(_ scopes: Scopes, _ name: String) throws(TokenResponseFailure) -> Scopes {
        guard !scopes.names.contains(where: \.hasControlCharacter) else {
            throw .malformed(.controlCharacter(member: name))
        }
        return scopes
    }

    /// Also decimal text.
    private func number(_ name: String) throws(TokenResponseFailure) -> Double? {
        guard let value = object[name], value != .null, value != "" else { return nil }
        guard let number = value.double, !number.isNaN else { throw .malformed(.wrongType(member: name)) }
        return number
    }

    func number(_ name: String, upTo limit: Double) throws(TokenResponseFailure) -> Double? {
        guard let number = try number(name) else { return nil }
        guard (0...limit).contains(number) else { throw .malformed(.impossibleLifetime(member: name)) }
        return number
    }

    func seconds(_ name: String) throws(TokenResponseFailure) -> Int? {
        try number(name, upTo: Double(TokenResponse.maximumLifetime)).map { Int($0) }
    }

    /// Whole seconds: rounds up fractions, raises negative numbers to 0, and limits large numbers.
    func limitedSeconds(_ name: String) throws(TokenResponseFailure) -> Int? {
        try number(name).map { Int(min(max($0.rounded(.up), 0), Double(TokenResponse.maximumLifetime))) }
    }
}

extension [String: JSONValue] {
    /// `nil` when the member is missing or null.
    func text<Failure: Error>(_ name: String, otherwise failure: Failure) throws(Failure) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string else { throw failure }
        return text
    }
}

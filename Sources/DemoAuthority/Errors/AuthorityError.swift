import OAuthCore

/// An error of the authority, sent as JSON, as redirect parameters or as a page.
package struct AuthorityError: Error, Sendable, Equatable {
    package var code: AuthorityErrorCode
    /// A second sentence about this request. It can quote the request, but never a code, token or password.
    package var detail: String?
    /// Entra's subcode, which clients branch on.
    package var suberror: String?
    /// The OAuth error. Differs from the code's own where RFCs name one situation differently.
    package var oauthError: String
    /// A claims challenge: the claims that the client must request, as JSON.
    package var claims: String?

    package init(
        _ code: AuthorityErrorCode, detail: String? = nil, suberror: String? = nil, oauthError: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.suberror = suberror
        self.oauthError = oauthError ?? code.oauthError
    }

    static func missing(_ parameter: String) -> AuthorityError {
        AuthorityError(.missingParameter, detail: "Add \(parameter).")
    }

    static func malformed(_ parameter: String, _ why: String) -> AuthorityError {
        AuthorityError(.malformedParameter, detail: "\(parameter): \(why)")
    }

    package var message: String {
        "AADSTS\(code.rawValue): \(code.summary)\(detail.map { " \($0)" } ?? "")"
    }

    package var status: Int {
        Self.statuses[code] ?? 400
    }

    private static let statuses: [AuthorityErrorCode: Int] = [
        .clientIsPublic: 401, .invalidAccessToken: 401, .insufficientScope: 403, .methodNotAllowed: 405,
        .tooManyWrongCodes: 429, .internalFailure: 500,
    ]

    /// The value of `WWW-Authenticate`: the scheme that the client used (RFC 6749 §5.2), or the error of the access
    /// token (RFC 6750 §3).
    var challenge: String? {
        let realm = "realm=\"Keyturn authority\""
        if code == .clientIsPublic { return "Basic \(realm)" }
        return [.invalidAccessToken, .insufficientScope].contains(code)
            ? "Bearer \(realm), error=\"\(oauthError)\"" : nil
    }

    /// The seconds of `Retry-After`.
    var retryAfter: Int? { code == .tooManyWrongCodes ? 60 : nil }

    /// The `error_description`, with the identifiers for support.
    func description(in received: ReceivedRequest) -> String {
        "\(message) Trace ID: \(received.traceID) Correlation ID: \(received.correlationID) "
            + "Timestamp: \(received.timestamp)"
    }

    /// The error response (RFC 6749 §5.2) with Entra's members.
    func json(in received: ReceivedRequest, origin: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "error": .string(oauthError),
            "error_description": .string(description(in: received)),
            "error_codes": [.integer(Int64(code.rawValue))],
            "timestamp": .string(received.timestamp),
            "trace_id": .string(received.traceID),
            "correlation_id": .string(received.correlationID),
            "error_uri": .string("\(origin)/error?code=\(code.rawValue)"),
        ]
        if let suberror { members["suberror"] = .string(suberror) }
        if let claims { members["claims"] = .string(claims) }
        return .object(members)
    }
}

/// A client's text, shortened and limited to the characters that RFC 6749 §5.2 allows in a description.
func quoted(_ text: some StringProtocol) -> String {
    let plain = text.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "\"", "\\": "?"
        case " "..."~": Character(scalar)
        default: "?"
        }
    }
    return "'\(String(plain.prefix(80)))\(plain.count > 80 ? "..." : "")'"
}

/// An OAuth error of an authority (RFC 6749 §4.1.2.1 and §5.2, with Entra's additions). Remove control characters
/// before display, because the texts are untrusted.
package struct OAuthErrorResponse: Error, Sendable, Equatable {
    /// The `error` code, such as `invalid_grant` or `interaction_required`.
    package var error: String
    package var description: String?
    package var errorURI: String?
    /// Entra's refinement of `error` (`error_subcode` in authorization responses).
    package var suberror: String?
    package var subcode: String?
    /// Entra's `error_codes`: the numbers after `AADSTS`.
    package var codes: [Int]
    package var traceID: String?
    package var correlationID: String?
    package var timestamp: String?
    /// The claims challenge as JSON text: the claims to request next time.
    package var claims: String?
    /// The HTTP status, or `nil` for an authorization response.
    package var status: Int?

    package init(
        _ error: String, description: String? = nil, errorURI: String? = nil, suberror: String? = nil,
        subcode: String? = nil, codes: [Int] = [], traceID: String? = nil, correlationID: String? = nil,
        timestamp: String? = nil, claims: String? = nil, status: Int? = nil
    ) {
        self.error = error
        self.description = description
        self.errorURI = errorURI
        self.suberror = suberror
        self.subcode = subcode
        self.codes = codes
        self.traceID = traceID
        self.correlationID = correlationID
        self.timestamp = timestamp
        self.claims = claims
        self.status = status
    }

    /// Parses the body of an error response. Returns `nil` without an `error` text.
    package init?(_ value: JSONValue, status: Int? = nil) {
        guard let error = value["error"]?.string, !error.isEmpty else { return nil }
        self.init(
            error, description: value["error_description"]?.string, errorURI: value["error_uri"]?.string,
            suberror: value["suberror"]?.string, subcode: value["error_subcode"]?.string,
            codes: value["error_codes"]?.array?.compactMap(Self.code) ?? [], traceID: value["trace_id"]?.string,
            correlationID: value["correlation_id"]?.string, timestamp: value["timestamp"]?.string,
            claims: value["claims"]?.string, status: status)
    }

    /// Parses the parameters of an authorization response. Returns `nil` without `error`.
    package init?(_ parameters: Parameters) {
        guard let error = parameters["error"], !error.isEmpty else { return nil }
        self.init(
            error, description: parameters["error_description"], errorURI: parameters["error_uri"],
            suberror: parameters["suberror"], subcode: parameters["error_subcode"],
            traceID: parameters["trace_id"], correlationID: parameters["correlation_id"],
            timestamp: parameters["timestamp"], claims: parameters["claims"])
    }

    private static func code(_ value: JSONValue) -> Int? {
        switch value {
        case .integer(let number): Int(exactly: number)
        case .string(let text): Int(text)
        case .null, .bool, .large, .number, .array, .object: nil
        }
    }
}

/// An OAuth error of an authority (RFC 6749 §4.1.2.1 and §5.2, with Entra's additions). Remove control characters
/// before display, because the texts are untrusted.
package struct OAuthErrorResponse: Error, Sendable, Equatable {
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

    /// The body of an error response; `nil` without an `error` text.
    package init?(_ value: JSONValue, status: Int? = nil) {
        let codes = value["error_codes"]?.array?.compactMap { $0.integer ?? $0.string.flatMap { Int($0) } }
        self.init(codes: codes ?? [], status: status) { value[$0]?.string }
    }

    /// The parameters of an authorization response; `nil` without `error`.
    package init?(_ parameters: Parameters) { self.init(codes: [], status: nil) { parameters[$0] } }

    private init?(codes: [Int], status: Int?, _ text: (String) -> String?) {
        guard let error = text("error"), !error.isEmpty else { return nil }
        self.init(
            error, description: text("error_description"), errorURI: text("error_uri"), suberror: text("suberror"),
            subcode: text("error_subcode"), codes: codes, traceID: text("trace_id"),
            correlationID: text("correlation_id"), timestamp: text("timestamp"), claims: text("claims"), status: status)
    }
}

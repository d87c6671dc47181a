/// What an authority says when it refuses (RFC 6749 §4.1.2.1 and §5.2, with Entra's additions). Its text is data from
/// outside: whoever shows it drops control characters first.
package struct OAuthErrorResponse: Error, Sendable, Equatable {
    /// The `error` code: `invalid_grant`, `interaction_required` and so on.
    package var error: String
    package var description: String?
    package var errorURI: String?
    /// Entra's refinement of `error`; `error_subcode` on the authorization endpoint.
    package var suberror: String?
    package var subcode: String?
    /// Entra's `error_codes`: the numbers behind `AADSTS`.
    package var codes: [Int]
    package var traceID: String?
    package var correlationID: String?
    package var timestamp: String?
    /// The claims that have to be asked for next time (a claims challenge), as JSON text.
    package var claims: String?
    /// The HTTP status it came with; `nil` when it came with the browser.
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

    /// The body of a refusal. `nil` when it has no `error` that is text.
    package init?(_ value: JSONValue, status: Int? = nil) {
        guard let error = value["error"]?.string, !error.isEmpty else { return nil }
        self.init(
            error, description: value["error_description"]?.string, errorURI: value["error_uri"]?.string,
            suberror: value["suberror"]?.string, subcode: value["error_subcode"]?.string,
            codes: value["error_codes"]?.array?.compactMap(Self.code) ?? [], traceID: value["trace_id"]?.string,
            correlationID: value["correlation_id"]?.string, timestamp: value["timestamp"]?.string,
            claims: value["claims"]?.string, status: status)
    }

    /// The parameters of a refused authorization. `nil` when there is no `error`.
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

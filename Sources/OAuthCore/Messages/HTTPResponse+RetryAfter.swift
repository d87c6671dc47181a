import Foundation

extension HTTPResponse {
    /// The number of seconds in `Retry-After` (RFC 9110 §10.2.3), or `nil` when it is missing, invalid or over.
    ///
    /// A date is compared with the server's own clock if the response has one, else with `now`.
    package func retryAfter(at now: Date) -> Double? {
        guard let text = headers["Retry-After"]?.trimmed else { return nil }
        let seconds: Double? =
            if !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                Double(text)
            } else {
                HTTPDate.parse(text).map { $0.timeIntervalSince(date ?? now) }
            }
        // Limited, because larger numbers would overflow.
        return seconds.flatMap { $0 > 0 ? min($0, Double(TokenResponse.maximumLifetime)) : nil }
    }
}

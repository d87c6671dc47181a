import Foundation

extension HTTPResponse {
    /// For how many seconds the server wants to be left alone (RFC 9110 §10.2.3); `nil` when it does not say, says
    /// nothing readable, or that time is over.
    ///
    /// A date is held against the server's own clock when the answer tells it, else against `now`.
    package func retryAfter(at now: Date) -> Double? {
        guard let text = headers["Retry-After"]?.trimmed else { return nil }
        let seconds: Double? =
            if !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                Double(text)
            } else {
                HTTPDate.parse(text).map { $0.timeIntervalSince(date ?? now) }
            }
        // No server means more than a century, and larger numbers are integers nowhere.
        return seconds.flatMap { $0 > 0 ? min($0, Double(TokenResponse.maximumLifetime)) : nil }
    }
}

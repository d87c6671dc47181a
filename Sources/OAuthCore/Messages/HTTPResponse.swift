import Foundation

package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The version of HTTP that the server used.
    package var version = "1.1"
    /// Whether the transport cut the body off because it was too large. Only for unsuccessful responses.
    package var isCut = false
    /// Seconds that the built-in authority takes per byte of the body, to simulate a slow server.
    package var secondsPerByte = 0.0

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The lifetime from `Cache-Control` and `Age`. An unreadable lifetime counts as expired (RFC 9111 §4.2.1).
    package var cacheLifetime: CacheLifetime {
        let directives = headers.all("Cache-Control").flatMap { $0.split(separator: ",") }.map { directive in
            let parts = directive.lowercased().split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            return (name: parts.first ?? "", value: parts.dropFirst().first)
        }
        if directives.contains(where: { $0.name == "no-store" }) { return .notStored }
        if directives.contains(where: { $0.name == "no-cache" }) { return .seconds(0) }
        let ages = directives.filter { $0.name == "max-age" }.map { Self.seconds($0.value) ?? 0 }
        guard let age = ages.min() else { return .unstated }
        return .seconds(max(0, age - (Self.seconds(headers["Age"]?.trimmed) ?? 0)))
    }

    private static func seconds(_ text: String?) -> Double? {
        guard let digits = text?.filter({ $0 != "\"" }), !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return Double(digits)
    }

    /// The number of seconds in `Retry-After` (RFC 9110 §10.2.3), or `nil` when it is missing, invalid or over.
    ///
    /// A date is compared with the server's own clock if the response has one, else with `now`.
    package func retryAfter(at now: Date) -> Double? {
        guard let text = headers["Retry-After"]?.trimmed else { return nil }
        let seconds: Double? =
            if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
                Double(text)
            } else {
                HTTPDate.parse(text).map { $0.timeIntervalSince(date ?? now) }
            }
        // Limited, because larger numbers would overflow.
        return seconds.flatMap { $0 > 0 ? min($0, Double(TokenResponse.maximumLifetime)) : nil }
    }
}

/// The time for which a client may reuse a response (RFC 9111 §5.2.2).
package enum CacheLifetime: Sendable, Equatable {
    /// The response must not be stored.
    case notStored
    case seconds(Double)
    /// The server doesn't state a lifetime.
    case unstated
}

import Foundation

package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var version = "1.1"
    /// Whether the transport cut the body off because it was too large. Only for unsuccessful responses.
    package var isCut = false
    /// Seconds that the built-in authority takes per byte of the body, to simulate a slow server.
    package var secondsPerByte = 0.0

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
    package var date: Date? { headers["Date"].flatMap(HTTPDate.parse) }

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
        text.map { $0.filter { $0 != "\"" } }.flatMap { $0.utf8.allSatisfy(\.isDigit) ? Double($0) : nil }
    }

    /// In seconds (RFC 9110 §10.2.3); `nil` when it is missing, invalid or over. A date is compared with the server's own
    /// clock if the response has one, else with `now`.
    package func retryAfter(at now: Date) -> Double? {
        guard let text = headers["Retry-After"]?.trimmed else { return nil }
        let number = text.utf8.allSatisfy(\.isDigit) ? Double(text) : nil
        let seconds = number ?? HTTPDate.parse(text).map { $0.timeIntervalSince(date ?? now) }
        // Limited, because larger numbers would overflow.
        return seconds.flatMap { $0 > 0 ? min($0, Double(TokenResponse.maximumLifetime)) : nil }
    }
}

/// The time for which a client may reuse a response (RFC 9111 §5.2.2).
package enum CacheLifetime: Sendable, Equatable {
    case notStored
    case seconds(Double)
    case unstated
}

/// The dates of HTTP header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// The form that senders must use, `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func parse(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, days.contains(where: { $0 + "," == parts[0] }), parts[5] == "GMT",
            let day = number(parts[1], digits: 2), let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3], digits: 4), (1...31).contains(day)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], digits: 2), let minute = number(clock[1], digits: 2),
            let second = number(clock[2], digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        return Date(timeIntervalSince1970: Double(timegm(&fields)))
    }

    package static func format(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var fields = tm()
        gmtime_r(&seconds, &fields)
        let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { padded($0) }.joined(separator: ":")
        return "\(days[Int(fields.tm_wday)]), \(padded(fields.tm_mday)) \(months[Int(fields.tm_mon)]) "
            + "\(padded(fields.tm_year + 1900, to: 4)) \(clock) GMT"
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int32, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

import Foundation

/// The dates of HTTP header fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Parses the form that senders must use, `Sun, 06 Nov 1994 08:49:37 GMT`. Returns `nil` for anything else.
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

extension HTTPResponse {
    /// The server's time of the response, from the `Date` field.
    package var date: Date? { headers["Date"].flatMap(HTTPDate.parse) }
}

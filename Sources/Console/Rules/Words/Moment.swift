import Foundation

/// Dates and durations as text, the same on every machine and locale.
package enum Moment {
    /// `2026-11-20 10:30:00 UTC`.
    package static func utc(_ date: Date) -> String { "\(stamp(date, in: .gmt)) UTC" }

    /// `2026-11-20 11:30:00 +01:00`.
    package static func local(_ date: Date, in zone: TimeZone) -> String {
        let minutes = zone.secondsFromGMT(for: date) / 60
        let offset = "\(padded(abs(minutes) / 60)):\(padded(abs(minutes) % 60))"
        return "\(stamp(date, in: zone)) \(minutes < 0 ? "-" : "+")\(offset)"
    }

    /// `18:47`, on another day than that of `now` with the date.
    package static func clock(_ date: Date, in zone: TimeZone, from now: Date) -> String {
        let (stamp, today) = (stamp(date, in: zone), stamp(now, in: zone))
        return String((stamp.prefix(10) == today.prefix(10) ? stamp.dropFirst(11) : stamp[...]).dropLast(3))
    }

    /// The distance of `date` from `now`: `in 1 h 5 min`, `3 days ago`.
    package static func relative(_ date: Date, to now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        let length = span(abs(seconds))
        return seconds >= 0 ? "in \(length)" : "\(length) ago"
    }

    /// A duration: `0.3 s`, `12 s`, `2 min 05 s`.
    package static func duration(_ seconds: TimeInterval) -> String {
        switch seconds {
        case ..<9.95: return "\(Int((seconds * 10).rounded()) / 10).\(Int((seconds * 10).rounded()) % 10) s"
        case ..<60: return "\(Int(seconds)) s"
        case ..<3600: return "\(Int(seconds) / 60) min \(padded(Int(seconds) % 60)) s"
        default: return span(seconds)
        }
    }

    /// An offset from the start: `+0.032 s`, `+75 s`.
    package static func offset(_ seconds: TimeInterval) -> String { "+\(milliseconds(seconds))" }

    /// A duration in seconds, with milliseconds if short: `0.032 s`, `75 s`.
    package static func milliseconds(_ seconds: TimeInterval) -> String {
        guard seconds < 10 else { return duration(seconds) }
        let count = Int((max(0, seconds) * 1000).rounded())
        let fraction = String(count % 1000)
        return "\(count / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }

    /// A count with its noun: `1 parameter`, `3 parameters`.
    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// The time left, coarsely: `59 min`.
    package static func remaining(_ seconds: TimeInterval) -> String { span(max(0, seconds)) }

    /// The time left as minutes and seconds: `14:32`.
    package static func countdown(_ seconds: Int) -> String { "\(seconds / 60):\(padded(seconds % 60))" }

    private static func span(_ seconds: TimeInterval) -> String {
        // Larger values come from a wrong clock or claim and may not fit an Int.
        guard seconds < 1e11 else { return "thousands of years" }
        let minutes = Int(seconds / 60)
        switch minutes {
        case ..<1: return "under 1 min"
        case ..<60: return "\(minutes) min"
        case ..<1440: return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
        case ..<2880: return "1 day"
        case ..<(1440 * 730): return "\(minutes / 1440) days"
        default: return "\(minutes / (1440 * 365)) years"
        }
    }

    private static func stamp(_ date: Date, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let day = [parts.month, parts.day].map { padded($0 ?? 0) }
        let time = [parts.hour, parts.minute, parts.second].map { padded($0 ?? 0) }
        return "\(([String(parts.year ?? 0)] + day).joined(separator: "-")) \(time.joined(separator: ":"))"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import Foundation

/// A limit of attempts per period, for guesses of user codes (RFC 8628 §5.1).
struct RateLimit: Sendable {
    private let most: Int
    private let window: TimeInterval
    private var times: [Date] = []

    init(events: Int, seconds: TimeInterval) {
        most = events
        window = seconds
    }

    func isOpen(at now: Date) -> Bool { times.count { now.timeIntervalSince($0) < window } < most }

    mutating func note(at now: Date) {
        times.removeAll { now.timeIntervalSince($0) >= window }
        times.append(now)
    }
}

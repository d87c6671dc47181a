/// The deadlines of sleeping tasks. A value type; callers pass the time.
struct Deadlines<Instant: Comparable & Sendable, Sleeper: Sendable>: Sendable {
    private struct Entry: Sendable {
        var instant: Instant
        var ticket: Int
        var sleeper: Sleeper
    }

    /// The latest deadline is first.
    private var entries: [Entry] = []

    var earliest: Instant? { entries.last?.instant }

    /// Adds a deadline. Of two equal ones, the first added is due first.
    mutating func add(_ sleeper: Sleeper, ticket: Int, at instant: Instant) {
        let place = entries.firstIndex { $0.instant <= instant } ?? entries.endIndex
        entries.insert(Entry(instant: instant, ticket: ticket, sleeper: sleeper), at: place)
    }

    /// Removes a deadline. Returns `nil` when it was already due or never added.
    mutating func remove(ticket: Int) -> Sleeper? {
        entries.firstIndex { $0.ticket == ticket }.map { entries.remove(at: $0).sleeper }
    }

    /// Removes and returns the due sleepers, in order.
    mutating func removeDue(at now: Instant) -> [Sleeper] {
        let first = entries.firstIndex { $0.instant <= now } ?? entries.endIndex
        defer { entries.removeSubrange(first...) }
        return entries[first...].reversed().map(\.sleeper)
    }
}

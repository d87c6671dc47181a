/// Who is to be woken when. A value: time arrives as an argument.
struct Deadlines<Instant: Comparable & Sendable, Sleeper: Sendable>: Sendable {
    private struct Entry: Sendable {
        var instant: Instant
        var ticket: Int
        var sleeper: Sleeper
    }

    /// The earliest is the last.
    private var entries: [Entry] = []

    var earliest: Instant? { entries.last?.instant }

    /// Of two with the same instant the one that came first is woken first.
    mutating func add(_ sleeper: Sleeper, ticket: Int, at instant: Instant) {
        let place = entries.firstIndex { $0.instant <= instant } ?? entries.endIndex
        entries.insert(Entry(instant: instant, ticket: ticket, sleeper: sleeper), at: place)
    }

    /// `nil` when it was woken already, or never came.
    mutating func remove(ticket: Int) -> Sleeper? {
        entries.firstIndex { $0.ticket == ticket }.map { entries.remove(at: $0).sleeper }
    }

    /// Those whose time has come, in its order.
    mutating func removeDue(at now: Instant) -> [Sleeper] {
        let first = entries.firstIndex { $0.instant <= now } ?? entries.endIndex
        defer { entries.removeSubrange(first...) }
        return entries[first...].reversed().map(\.sleeper)
    }
}

import Foundation

/// A table whose entries expire. Beyond its capacity, it removes the oldest entries, so that requests can't fill the
/// memory.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expiry: Date
    }

    private var entries: [String: Entry] = [:]
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func insert(_ value: Value, for key: String, until expiry: Date, at now: Date) {
        if entries.count >= capacity { makeRoom(at: now) }
        entries[key] = Entry(value: value, expiry: expiry)
    }

    func value(for key: String, at now: Date) -> Value? {
        entries[key].flatMap { $0.expiry > now ? $0.value : nil }
    }

    /// Changes an entry without extending its expiry.
    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.value)
        entries[key] = entry
    }

    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in entries.keys { update(key, change) }
    }

    mutating func removeAll() { entries = [:] }

    mutating func remove(_ key: String) { entries[key] = nil }

    private mutating func makeRoom(at now: Date) {
        entries = entries.filter { $0.value.expiry > now }
        guard entries.count >= capacity else { return }
        // Removes a quarter at once, so that a flood of requests doesn't sort the table each time.
        let oldest = entries.sorted { $0.value.expiry < $1.value.expiry }.prefix(max(1, capacity / 4))
        for (key, _) in oldest { entries[key] = nil }
    }
}

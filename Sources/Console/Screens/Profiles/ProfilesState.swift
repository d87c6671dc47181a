/// The profile list and the running work on it.
package struct ProfilesState: Sendable, Equatable {
    package private(set) var entries: [ProfileEntry] = []
    package private(set) var selection = 0
    /// The running work. Nothing else starts until it ends.
    package var working: EffectID?
    package var problem: ErrorReport?
    package var isRead = false

    package init() {}

    package var selected: ProfileEntry? { entries.indices.contains(selection) ? entries[selection] : nil }
    package var names: [String] { entries.map(\.name) }

    package mutating func select(row: Int) { selection = max(0, min(row, entries.count - 1)) }

    /// Updates the list. The selection stays on its profile; initially it's on the one in use.
    package mutating func replace(with entries: [ProfileEntry], inUse: String?) {
        let wanted = isRead ? selected?.name : inUse
        self.entries = entries
        isRead = true
        select(row: entries.firstIndex { $0.name == wanted } ?? selection)
    }
}

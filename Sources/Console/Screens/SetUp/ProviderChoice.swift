/// The provider list, the first step of a new profile.
package struct ProviderChoice: Sendable, Equatable {
    /// The providers; the demo's row follows them.
    package static let kinds = ProviderKind.allCases
    package static let rows = kinds.count + 1

    package private(set) var selection = 0
    /// The names of the existing profiles.
    package var taken: [String]
    package var opening: EffectID?
    package var problem: ErrorReport?

    /// Whether this is the program's first screen.
    package let isFirst: Bool

    package init(taken: [String] = [], selection: Int = 0, isFirst: Bool = false) {
        self.taken = taken
        self.isFirst = isFirst
        select(row: selection)
    }

    /// The selected provider; nil for the demo.
    package var kind: ProviderKind? {
        Self.kinds.indices.contains(selection) ? Self.kinds[selection] : nil
    }

    package mutating func select(row: Int) { selection = max(0, min(row, Self.rows - 1)) }
}

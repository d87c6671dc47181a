/// The choice of a provider, which a new profile begins with.
package struct ProviderChoice: Sendable, Equatable {
    /// Those of ``ProviderKind``, and the built-in authority last.
    package static let kinds = ProviderKind.allCases
    package static let rows = kinds.count + 1

    package private(set) var selection = 0
    /// Names of the profiles there are.
    package var taken: [String]
    package var opening: EffectID?
    package var problem: ErrorReport?

    /// The program begins with it.
    package let isFirst: Bool

    package init(taken: [String] = [], selection: Int = 0, isFirst: Bool = false) {
        self.taken = taken
        self.isFirst = isFirst
        select(row: selection)
    }

    /// Nil: the built-in authority.
    package var kind: ProviderKind? {
        Self.kinds.indices.contains(selection) ? Self.kinds[selection] : nil
    }

    package mutating func select(row: Int) { selection = max(0, min(row, Self.rows - 1)) }
}

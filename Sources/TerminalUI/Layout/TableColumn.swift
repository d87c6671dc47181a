/// A table column and its width limits.
package struct TableColumn: Sendable, Hashable {
    package var title: String
    /// The minimum width; below it the column is omitted.
    package var minimum: Int
    /// The width beyond which the column needs no more.
    package var ideal: Int
    /// The omission order: columns with higher values are omitted first.
    package var priority: Int
    package var alignment: Alignment
    /// Whether the column gets the width left over by the others.
    package var grows: Bool

    package init(
        _ title: String, minimum: Int, ideal: Int, priority: Int = 0, alignment: Alignment = .leading,
        grows: Bool = false
    ) {
        self.title = title
        self.minimum = max(1, minimum)
        self.ideal = max(minimum, ideal)
        self.priority = priority
        self.alignment = alignment
        self.grows = grows
    }
}

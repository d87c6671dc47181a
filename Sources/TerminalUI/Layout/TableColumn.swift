/// A column of a table and what it does when there is too little room, or too much.
package struct TableColumn: Sendable, Hashable {
    package var title: String
    /// Below this the column is left out rather than squeezed.
    package var minimum: Int
    /// Beyond this it gains nothing.
    package var ideal: Int
    /// 0 goes last; the higher, the sooner a column is left out.
    package var priority: Int
    package var alignment: Alignment
    /// Takes what is left over when every column has its ideal width.
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

extension Array {
    /// The element at an index; nil for no index, or one out of bounds.
    package subscript(at index: Int?) -> Element? { index.flatMap { indices.contains($0) ? self[$0] : nil } }
}

extension Array where Element: Equatable {
    /// The element that is `distance` after another, around the ends; without the other, the first one.
    package func next(after other: Element?, by distance: Int = 1) -> Element? {
        guard let index = firstIndex(where: { $0 == other }) else { return first }
        return self[((index + distance) % count + count) % count]
    }
}

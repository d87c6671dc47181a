extension Surface {
    /// The cells that differ from `shown`, row by row. All non-blank cells if `shown` is nil or has another size. A
    /// wide character is one change, at its first cell.
    package func changes(since shown: Surface?) -> [(point: Point, cell: Cell)] {
        let old = shown.flatMap { $0.size == size ? $0.cells : nil }
        return cells.indices.compactMap { index in
            let cell = cells[index]
            guard !cell.isContinuation, cell != old?[index] ?? .blank else { return nil }
            return (Point(x: index % size.width, y: index / size.width), cell)
        }
    }
}

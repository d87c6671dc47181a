/// A frame of the screen, drawn by views and shown by a ``Screen``. Writing sanitizes and clips text. A wide character
/// that doesn't fit completely is omitted.
package struct Surface: Sendable, Equatable {
    /// Screen readers follow the cursor, so views put it on the selected row or the active field, visible or not.
    package struct Cursor: Sendable, Hashable {
        package var position: Point
        package var isVisible: Bool

        package init(_ position: Point, isVisible: Bool = true) {
            (self.position, self.isVisible) = (position, isVisible)
        }
    }

    package let size: Size
    package let glyphs: Glyphs
    package var cursor: Cursor?
    /// The URL that the cells of the role ``Role/link`` show, whole or in part; `nil` if they are no link to open.
    package var link: String?
    package private(set) var cells: [Cell]

    package init(size: Size, glyphs: Glyphs = .unicode) {
        (self.size, self.glyphs) = (size, glyphs)
        cells = Array(repeating: .blank, count: size.width * size.height)
    }

    package var bounds: Rect { Rect(origin: .zero, size: size) }

    /// The cell at `point`; blank outside the surface.
    package subscript(_ point: Point) -> Cell { bounds.contains(point) ? cells[index(point)] : .blank }

    package func row(_ y: Int) -> ArraySlice<Cell> {
        y >= 0 && y < size.height ? cells[y * size.width..<(y + 1) * size.width] : []
    }

    /// Writes text on one row from `point`, clipped to `clip` (default: the whole surface).
    /// - Returns: the column after the last written one.
    @discardableResult
    package mutating func write(_ text: String, at point: Point, in clip: Rect? = nil, style: Style = .text) -> Int {
        let area = clip.map { $0.intersection(bounds) } ?? bounds
        guard point.y >= area.minY, point.y < area.maxY else { return point.x }
        if text.utf8.allSatisfy(Glyph.isPrintableASCII) { return writeASCII(text, at: point, in: area, style: style) }
        var x = point.x
        for character in text {
            let glyphs = Printable.glyphs(of: character)
            let width = glyphs.reduce(0) { $0 + $1.width }
            guard x + width <= area.maxX else { break }
            if x >= area.minX { place(glyphs, at: Point(x: x, y: point.y), style: style) }
            x += width
        }
        return x
    }

    package mutating func fill(_ rect: Rect, style: Style = .text) {
        forEachPoint(in: rect) { surface, point in surface.set(Cell(.space, style: style), at: point) }
    }

    /// Changes the style of the cells in `rect`, including both halves of a wide character at its edge.
    package mutating func restyle(_ rect: Rect, style: Style) {
        forEachPoint(in: rect) { surface, point in
            let here = surface.index(point)
            surface.cells[here].style = style
            if surface.cells[here].isContinuation { surface.cells[here - 1].style = style }
            if surface.cells[here].width == 2 { surface.cells[here + 1].style = style }
        }
    }

    /// A fast path of ``write(_:at:in:style:)`` for ASCII text.
    private mutating func writeASCII(_ text: String, at point: Point, in area: Rect, style: Style) -> Int {
        var x = point.x
        for glyph in text.utf8.lazy.compactMap(Glyph.ascii) {
            guard x < area.maxX else { break }
            if x >= area.minX { set(Cell(glyph, style: style), at: Point(x: x, y: point.y)) }
            x += 1
        }
        return x
    }

    private mutating func place(_ glyphs: [Glyph], at point: Point, style: Style) {
        var x = point.x
        for glyph in glyphs {
            set(Cell(glyph, style: style), at: Point(x: x, y: point.y))
            if glyph.width == 2 {
                set(Cell(.continuation, style: style), at: Point(x: x + 1, y: point.y), startsPair: false)
            }
            x += glyph.width
        }
    }

    /// Sets a cell, and blanks the other half of a wide character that it overwrites.
    private mutating func set(_ cell: Cell, at point: Point, startsPair: Bool = true) {
        let here = index(point)
        if startsPair, cells[here].isContinuation, point.x > 0 {
            cells[here - 1] = Cell(.space, style: cells[here - 1].style)
        }
        if cells[here].width == 2, point.x + 1 < size.width {
            cells[here + 1] = Cell(.space, style: cells[here + 1].style)
        }
        cells[here] = cell
    }

    private mutating func forEachPoint(in rect: Rect, _ body: (inout Surface, Point) -> Void) {
        let area = rect.intersection(bounds)
        for y in area.minY..<max(area.minY, area.maxY) {
            for x in area.minX..<max(area.minX, area.maxX) { body(&self, Point(x: x, y: y)) }
        }
    }

    private func index(_ point: Point) -> Int { point.y * size.width + point.x }

    /// The cells that differ from `shown`; all that aren't blank if its size differs. A wide character is one change.
    package func changes(since shown: Surface?) -> [(point: Point, cell: Cell)] {
        let old = shown.flatMap { $0.size == size ? $0.cells : nil }
        return cells.indices.compactMap { index in
            let cell = cells[index]
            guard !cell.isContinuation, cell != old?[index] ?? .blank else { return nil }
            return (Point(x: index % size.width, y: index / size.width), cell)
        }
    }

    package func cells(in role: Role) -> [Point] {
        cells.indices.filter { cells[$0].style.role == role }.map { Point(x: $0 % size.width, y: $0 / size.width) }
    }

    package mutating func select(_ row: Rect) {
        write(glyphs.pointer, at: row.origin, in: row)
        restyle(row, style: .selection)
        cursor = Cursor(row.origin, isVisible: false)
    }

    /// Draws a frame just inside `rect`, with `title` in its top edge. Leaves the interior unchanged.
    package mutating func drawBox(_ rect: Rect, title: String) {
        guard rect.width >= 2, rect.height >= 2 else { return }
        let edge = String(repeating: glyphs.horizontal, count: rect.width - 2)
        write(glyphs.topLeft + edge + glyphs.topRight, at: rect.origin, style: .border)
        for y in rect.minY + 1..<rect.maxY - 1 {
            write(glyphs.vertical, at: Point(x: rect.minX, y: y), style: .border)
            write(glyphs.vertical, at: Point(x: rect.maxX - 1, y: y), style: .border)
        }
        write(glyphs.bottomLeft + edge + glyphs.bottomRight, at: Point(x: rect.minX, y: rect.maxY - 1), style: .border)
        guard rect.width > 6 else { return }
        let shown = TextFitting.truncate(title, to: rect.width - 6, ellipsis: glyphs.ellipsis)
        write(" \(shown) ", at: Point(x: rect.minX + 2, y: rect.minY), style: .title)
    }

    package mutating func drawRule(in rect: Rect) {
        guard !rect.isEmpty else { return }
        write(String(repeating: glyphs.horizontal, count: rect.width), at: rect.origin, style: .border)
    }

    /// - Returns: the column after the last written one.
    @discardableResult
    package mutating func writeLine(
        _ text: String, in rect: Rect, alignment: Alignment = .leading, style: Style = .text
    ) -> Int {
        guard !rect.isEmpty else { return rect.minX }
        let shown = TextFitting.truncate(text, to: rect.width, ellipsis: glyphs.ellipsis)
        let before = alignment == .trailing ? rect.width - DisplayWidth.of(shown) : 0
        return write(shown, at: Point(x: rect.minX + before, y: rect.minY), in: rect, style: style)
    }
}

/// A character cell: its glyph, width and style. A wide character fills two cells: the first holds it (`width` 2), the
/// second is a continuation (no text, `width` 0).
package struct Cell: Sendable, Hashable {
    package let glyph: Glyph
    package var style: Style

    package var text: String { glyph.text }
    package var width: Int { glyph.width }
    package var isContinuation: Bool { glyph.width == 0 }

    package init(_ glyph: Glyph, style: Style = .text) { (self.glyph, self.style) = (glyph, style) }

    package static let blank = Cell(.space)
}

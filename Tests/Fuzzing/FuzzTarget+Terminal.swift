import OAuthCore
import TerminalUI

extension FuzzTarget {
    /// A terminal's bytes have the same meaning however they are split, and no byte delays later ones.
    static let terminalInput = FuzzTarget("terminal-input") { bytes in
        var whole = InputDecoder()
        let events = whole.feed(bytes)
        var pieces = InputDecoder()
        let oneByOne = bytes.flatMap { pieces.feed([$0]) }
        try requireEqual(oneByOne, events, "the keys of bytes that arrive one by one")
        try requireEqual(pieces.deadline == nil, whole.deadline == nil, "whether the decoder waits for more")
        let rest = whole.deadline.map { whole.expire(at: $0) } ?? []
        try requireEqual(pieces.deadline.map { pieces.expire(at: $0) } ?? [], rest, "the keys at the end")
        try require(whole.deadline == nil, "the decoder waits after the end")
        for event in events + rest { try check(event) }
        return events.isEmpty && rest.isEmpty ? .rejected : .accepted
    }

    private static func check(_ event: InputEvent) throws {
        switch event {
        case .key(.character(let character)), .key(.alt(.character(let character))), .key(.control(let character)):
            try require(!String(character).hasControlCharacter, "a control character as a key")
        case .key(.function(let number)): try require((1...12).contains(number), "the key F\(number)")
        case .mouse(let mouse): try require(mouse.point.x >= 0 && mouse.point.y >= 0, "a position outside the screen")
        case .paste(let text):
            try require(text.utf8.count <= InputDecoder.longestPaste * 3, "a paste beyond the limit")
            try require(!text.unicodeScalars.contains("\r"), "an unconverted line end")
        default: break
        }
    }

    /// Text of a server, a file or a user, as it is drawn in cells and lines: it never moves the cursor, and takes the
    /// counted columns.
    static let screenText = FuzzTarget("screen-text") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let line = Printable.sanitize(text)
        try requirePlain(line, "a line for the terminal")
        try requireEqual(Printable.sanitize(line), line, "a text that is already safe")
        try requireEqual(DisplayWidth.of(line), DisplayWidth.of(text), "the columns")
        try requirePlain(text.withoutControls, "text without controls")
        for width in [1, 7, 40] {
            try require(DisplayWidth.of(TextFitting.truncate(line, to: width)) <= width, "a truncated line")
            try requireEqual(DisplayWidth.of(TextFitting.fit(line, to: width)), width, "a fitted line")
        }
        var surface = Surface(size: Size(width: 40, height: 2))
        surface.write(text, at: .zero, in: surface.bounds, style: .text)
        for cell in surface.cells { try requirePlain(cell.glyph.text, "a cell") }
        let field = TextField(text)
        try requirePlain(field.text, "a field")
        return line.isEmpty ? .rejected : .accepted
    }
}

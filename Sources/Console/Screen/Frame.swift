import TerminalUI

struct Frame: Equatable {
    /// The smallest usable window; smaller ones show a sentence only.
    static let smallest = Size(width: 40, height: 8)
    /// The least height for a rule below the title.
    private static let roomy = 16

    let title, rule, body, status: Rect
    /// The area of the guided walk, below the body; empty without one.
    let walk: Rect
    let notice: Rect

    init(_ size: Size, walkHeight: Int = 0, noticeHeight: Int = 0) {
        let (title, below) = Rect(origin: .zero, size: size).splitTop(1)
        let (rule, rest) = below.splitTop(size.height >= Self.roomy ? 1 : 0)
        let (middle, status) = rest.splitBottom(1)
        let (upper, notice) = middle.splitBottom(noticeHeight)
        let (body, walk) = upper.splitBottom(walkHeight)
        (self.title, self.rule, self.status) = (title.inset(horizontal: 1), rule, status.inset(horizontal: 1))
        (self.body, self.walk) = (body.inset(horizontal: 1), walk.inset(horizontal: 1))
        self.notice = notice.inset(horizontal: 1)
    }

    static func fits(_ size: Size) -> Bool { size.width >= smallest.width && size.height >= smallest.height }
}

/// A box over the screen with a list of its commands, and below it what the selected one means.
struct MenuBox {
    private let box, meaning: Rect
    let list: Rect

    /// In a low window, the list keeps the most rows.
    init(in body: Rect, height: Int, meaning: Int) {
        box = body.centered(Size(width: body.overlayWidth, height: height))
        let inside = box.inset(horizontal: 2, vertical: 1)
        (list, self.meaning) = inside.splitBottom(inside.height > 8 ? meaning : inside.height > 4 ? 1 : 0)
    }

    func draw(_ title: String, _ lines: (Int) -> [StyledLine], on surface: inout Surface) {
        surface.fill(box)
        surface.drawBox(box, title: title)
        ScrollingText.fitting(meaning, lines: lines).draw(on: &surface, in: meaning)
    }
}

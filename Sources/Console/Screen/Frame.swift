import TerminalUI

/// Where the parts of a screen stand: a title, the body, the status line.
struct Frame: Equatable {
    /// Below this there is no room for anything but a sentence.
    static let smallest = Size(width: 40, height: 8)
    /// From here on the title is set off by a rule.
    private static let roomy = 16

    let title: Rect
    let rule: Rect
    let body: Rect
    /// What a guided walk says, below the body; empty without one.
    let walk: Rect
    let status: Rect

    init(_ size: Size, walkHeight: Int = 0) {
        let (title, below) = Rect(origin: .zero, size: size).splitTop(1)
        let (rule, rest) = below.splitTop(size.height >= Self.roomy ? 1 : 0)
        let (middle, status) = rest.splitBottom(1)
        let (body, walk) = middle.splitBottom(walkHeight)
        self.walk = walk.inset(horizontal: 1)
        self.title = title.inset(horizontal: 1)
        self.rule = rule
        self.body = body.inset(horizontal: 1)
        self.status = status.inset(horizontal: 1)
    }

    static func fits(_ size: Size) -> Bool {
        size.width >= smallest.width && size.height >= smallest.height
    }
}

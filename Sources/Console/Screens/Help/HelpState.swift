import TerminalUI

extension Destination {
    static let help = Destination(HelpState())
}

/// The help: the keys of the screen beneath, scrolled down by `top` rows.
struct HelpState: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Help" }

    static let cover = Cover.over

    var top = 0

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        HelpView(context: context).draw(on: &surface, top: top)
    }

    func extent(_ context: Context) -> Extent? {
        let view = HelpView(context: context)
        let last = view.lastTop
        return Extent(position: min(top, last), last: last, page: view.height)
    }

    mutating func go(to position: Int, _ context: inout Context) { top = position }

    static let commands: [Command] =
        moving() + [
            back(
                "Close help.", keys: [.escape, .enter, .character("q"), .character("?"), .function(1)],
                hint: "close"),
            interrupt,
        ]
}

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

/// The help over the screen beneath, built from its command table.
struct HelpView {
    let context: Context

    private static let widest = 76
    /// A box that would leave less than this beside it takes the full width instead.
    private static let sliver = 12

    private var box: Rect {
        let body = context.frame.body
        let width = body.width < Self.widest + Self.sliver ? body.width : Self.widest
        return body.centered(Size(width: width, height: lines(width: width - 4).count + 2))
    }

    /// The number of rows in the box.
    var height: Int { max(1, box.height - 2) }
    var lastTop: Int { ScrollingText(lines(width: box.width - 4)).lastOffset(height: height) }

    func draw(on surface: inout Surface, top: Int) {
        let box = box
        let inside = box.inset(horizontal: 2, vertical: 1)
        surface.fill(box)
        surface.drawBox(box, title: "Keys: \(context.stage.menu.title)")
        ScrollingText(lines(width: inside.width), offset: top).draw(on: &surface, in: inside)
        surface.cursor = Surface.Cursor(inside.origin, isVisible: false)
    }

    private func lines(width: Int) -> [StyledLine] {
        let commands = context.stage.menu.entries
        let labels = commands.map(keys)
        let keyWidth = min(labels.map(DisplayWidth.of).max() ?? 0, max(1, width / 3))
        let groups = CommandInfo.Group.allCases.map { group in
            (group.rawValue, zip(commands, labels).filter { $0.0.info.group == group })
        }
        let blocks = groups.filter { !$0.1.isEmpty }.map { title, rows in
            [StyledLine(title, Style(.title, .bold))]
                + rows.flatMap { self.lines($0, keys: $1, keyWidth: keyWidth, width: width) }
        }
        return Array(blocks.joined(separator: [StyledLine.empty]))
    }

    private func keys(_ command: CommandEntry) -> String {
        command.info.keys.map { KeyLabel.text($0, ascii: context.options.ascii) }.joined(separator: " ")
    }

    private func lines(_ command: CommandEntry, keys: String, keyWidth: Int, width: Int) -> [StyledLine] {
        let (text, style): (String, Style) =
            switch command.availability {
            case .available: (command.info.sentence, .text)
            case .unavailable(let reason): ("\(command.info.sentence) Unavailable: \(reason)", .muted)
            }
        // The last two columns are for the scroll mark.
        let sentences = TextFitting.wrap(text, to: max(1, width - keyWidth - 4))
        return sentences.enumerated().map { row, sentence in
            StyledLine([
                Span(TextFitting.fit(row == 0 ? keys : "", to: keyWidth) + "  ", style == .text ? .key : .muted),
                Span(sentence, style),
            ])
        }
    }
}

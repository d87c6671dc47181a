import TerminalUI

extension Destination {
    static let help = Destination(HelpState())
}

/// The help: the keys of the screen beneath.
struct HelpState: TextScreen {
    enum Layer: String, KeyLayer { case all = "Help" }

    static let cover = Cover.over

    var pane = TextPane()

    func text(in area: Rect, _ context: Context) -> [StyledLine] { HelpView(context: context).lines(width: area.width) }
    func area(_ context: Context) -> Rect { HelpView(context: context).inside }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        HelpView(context: context).drawBox(on: &surface)
        let area = area(context)
        pane.draw(text(in: area, context), on: &surface, in: area)
    }

    static let commands: [Command] =
        moving() + [
            back(
                "Close help.", keys: [.escape, .enter] + .verb(.close) + .verb(.help) + [.function(1)],
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

    /// The area in the box.
    var inside: Rect { box.inset(horizontal: 2, vertical: 1) }

    func drawBox(on surface: inout Surface) {
        surface.fill(box)
        surface.drawBox(box, title: "Keys: \(context.stage.menu.title)")
    }

    func lines(width: Int) -> [StyledLine] {
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

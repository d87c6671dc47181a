import Diagnosis
import MSAL
import TerminalUI

/// One exchange: its parameters with their meanings, and the selected one's details below.
struct ExchangeView {
    private static let heightForDetails = 9

    let list: ParameterList
    let opened: InspectorState.Opened
    @Boxed var context: Context

    private func areas(in body: Rect) -> (address: Rect, list: Rect, rule: Rect, details: Rect) {
        let (address, main) = body.splitTop(body.height >= 12 ? 2 : 0)
        // A revealed value gets half of the screen.
        let share = opened.isRevealed ? body.height / 2 : max(5, min(8, body.height / 3))
        let (list, below) = main.splitBottom(body.height >= Self.heightForDetails ? share + 1 : 4)
        let (rule, details) = below.splitTop(1)
        return (address, list, rule, details)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        let exchange = list.exchange
        let status = exchange.status.map { " \(context.glyphs.separator) \($0)" } ?? ""
        surface.writeLine("\(exchange.method) \(exchange.address)\(status)", in: areas.address.row(0), style: .muted)
        surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false)
        guard !list.all.isEmpty else {
            ScrollingText.fitting(areas.list, lines: bareLines).draw(on: &surface, in: areas.list)
            return
        }
        parameters(width: areas.list.width).draw(on: &surface, in: areas.list)
        surface.drawRule(in: areas.rule)
        details(width: areas.details.width).draw(on: &surface, in: areas.details)
    }

    private func details(width: Int) -> ScrollingText {
        ScrollingText(detailLines(width: width - ScrollingText.margin), offset: opened.detailsTop)
    }

    /// The details pane.
    var detailsPlace: DetailsPlace {
        let area = areas(in: context.frame.body).details
        return DetailsPlace(details(width: area.width), in: area)
    }

    /// The lines for an exchange without parameters, usually a failed one.
    private func bareLines(width: Int) -> [StyledLine] {
        let failure = list.exchange.failure.map {
            StyledLine.wrap("\(context.glyphs.cross) \($0)", to: width, style: .danger) + [.empty]
        }
        return (failure ?? []) + StyledLine.wrap("No parameters.", to: width, style: .muted)
    }

    var shown: ShownList? {
        let rect = areas(in: context.frame.body).list
        return list.all.isEmpty ? nil : parameters(width: rect.width).shown(in: rect)
    }

    private func parameters(width: Int) -> SelectedLines {
        var lines = SelectedLines(opened.pane, width: width, glyphs: context.glyphs)
        for section in list.sections {
            let columns = Self.columns(section.title)
            lines.appendHeading(columns)
            for parameter in section.parameters {
                lines.append(cells(parameter), columns)
            }
        }
        return lines
    }

    private static func columns(_ title: String) -> [TableColumn] {
        [
            TableColumn(title, minimum: 14, ideal: 24, priority: 0),
            TableColumn("VALUE", minimum: 20, ideal: 40, priority: 0, grows: true),
            TableColumn("MEANING", minimum: 26, ideal: 50, priority: 1, grows: true),
        ]
    }

    private func cells(_ parameter: MSALFlowParameter) -> [Span] {
        [
            Span(parameter.name, .accent), Span(parameter.shown, parameter.isRedacted ? .muted : .text),
            Span(ParameterDictionary.bundled.entry(for: parameter)?.meaning ?? "", .muted),
        ]
    }

    private func detailLines(width: Int) -> [StyledLine] {
        guard let parameter = list.all[at: opened.selection] else { return [] }
        let meaning = ParameterDictionary.bundled.entry(for: parameter)
        let title = StyledLine([
            Span(Printable.sanitize(parameter.name), Style(.accent, .bold)),
            Span(meaning.map { "  \($0.source)" } ?? "", .muted),
        ])
        return [title]
            + StyledLine.wrap(meaning?.meaning ?? Self.unknown, to: width, style: .muted)
            + value(of: parameter, width: width)
    }

    private func value(of parameter: MSALFlowParameter, width: Int) -> [StyledLine] {
        guard parameter.isRedacted else { return StyledLine.wrap(parameter.shown, to: width) }
        guard opened.isRevealed else {
            return StyledLine.wrap("\(parameter.shown). Press \(Verb.secret.label) to show it.", to: width)
        }
        return StyledLine.wrap(
            "Anyone who sees this value can use it. Leave the row to hide it.", to: width, style: .warning)
            + StyledLine.wrap(Printable.sanitize(parameter.reveal()), to: width)
    }

    private static let unknown = "Unknown parameter: not in OAuth, OpenID Connect or Entra documentation."
}

import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The layout of a walk: columns in a wide window, one pane with tabs in a small one.
struct WalkBody {
    /// The least width for columns.
    static let wide = 100
    private static let stepsWidth = 26
    private static let sideWidth = 34

    private let state: WalkState
    private let context: Context
    private let walk: GuidedWalk
    private let diagram: SequenceDiagram
    private let panes: WalkPanes

    init(_ state: WalkState, _ context: Context) {
        self.state = state
        self.context = context
        walk = context.profile?.walk ?? GuidedWalk(title: "", story: "", steps: [], teaches: "")
        diagram = context.shownDiagram ?? SequenceDiagram(title: "", arrows: [])
        panes = WalkPanes(state, context, walk, diagram)
    }

    private struct Areas {
        var tabs = Rect.zero
        var steps = Rect.zero
        var flow = Rect.zero
        var user = Rect.zero
        var app = Rect.zero
        var rule = Rect.zero
        var details = Rect.zero
    }

    private func areas(in body: Rect) -> Areas {
        var areas = Areas()
        let isWide = body.width >= Self.wide
        let detailsHeight = body.height < 12 ? 0 : isWide ? min(9, body.height / 3) : min(6, body.height / 3)
        let (main, below) = body.splitBottom(detailsHeight)
        (areas.rule, areas.details) = below.splitTop(detailsHeight == 0 ? 0 : 1)
        guard isWide else {
            let (tabs, pane) = main.splitTop(1)
            areas.tabs = tabs
            switch state.pane {
            case .flow: areas.flow = pane
            case .user: areas.user = pane
            case .app: areas.app = pane
            case .steps: areas.steps = pane
            }
            return areas
        }
        let (steps, rest) = main.splitLeft(Self.stepsWidth)
        let (flow, side) = rest.splitRight(Self.sideWidth)
        areas.steps = steps.splitRight(1).rest
        areas.flow = flow.splitRight(1).rest
        (areas.user, areas.app) = side.splitTop(userHeight(in: side))
        return areas
    }

    /// Three fifths, but no more than the user's pane needs if the application's needs the rest.
    private func userHeight(in side: Rect) -> Int {
        let usual = side.height * 3 / 5
        let width = side.width - ScrollingText.margin
        let (user, app) = (panes.user(width).count + 2, panes.app(width).count + 1)
        return min(max(usual, min(user, side.height - app)), max(min(user, usual), side.height - app))
    }

    /// The largest useful offset of the selected pane.
    var lastOffset: Int {
        let areas = areas(in: context.frame.body)
        func last(_ lines: (Int) -> [StyledLine], in area: Rect) -> Int {
            ScrollingText.fitting(area, lines: lines).lastOffset(height: area.height)
        }
        return switch state.pane {
        case .flow: last(panes.details, in: areas.details)
        case .user: last(panes.user, in: textArea(areas.user))
        case .app: last(panes.app, in: textArea(areas.app))
        case .steps: last(panes.steps, in: textArea(areas.steps))
        }
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body).flow.height - 2) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        drawTabs(on: &surface, in: areas.tabs)
        draw(.steps, "STEPS", panes.steps, on: &surface, in: areas.steps)
        draw(.user, panes.userTitle, panes.user, on: &surface, in: areas.user)
        draw(.app, panes.appTitle, panes.app, on: &surface, in: areas.app)
        drawFlow(on: &surface, in: areas.flow)
        guard !areas.rule.isEmpty else { return }
        surface.drawRule(in: areas.rule)
        ScrollingText.fitting(areas.details, offset: state.pane == .flow ? state.offset : 0, lines: panes.details)
            .draw(on: &surface, in: areas.details)
    }

    private var tabs: Tabs {
        let panes = WalkState.Pane.allCases
        let shown = state.pane
        return Tabs(panes.map(\.title)) { panes[$0] == shown }
    }

    func key(at point: Point) -> Key? { tabs.key(at: point, in: areas(in: context.frame.body).tabs) }

    /// The tabs with their numbers, and the place in the list of steps.
    private func drawTabs(on surface: inout Surface, in row: Rect) {
        guard !row.isEmpty else { return }
        let room = tabs.draw(on: &surface, in: row)
        let count = walk.steps.count
        let place = walk.shown.map { "\($0 + 1)/\(count)" } ?? Moment.count(count, "step")
        let text = [context.walkMarks(walk, at: walk.shown), place, walk.shownStep?.instruction].compactMap(\.self)
        let fitted = TextFitting.truncate(
            text.joined(separator: " "), to: room.width, ellipsis: context.glyphs.ellipsis)
        surface.writeLine(fitted, in: room, alignment: .trailing, style: .muted)
    }

    private func draw(
        _ pane: WalkState.Pane, _ title: String, _ lines: @escaping (Int) -> [StyledLine], on surface: inout Surface,
        in rect: Rect
    ) {
        guard rect.height > 1 else { return }
        let isSelected = pane == state.pane
        if hasTitle(rect) {
            let style = isSelected ? Style(.title, [.bold, .underline]) : Style(.muted, .bold)
            surface.writeLine(title, in: rect.splitTop(1).top, style: style)
        }
        let area = textArea(rect)
        ScrollingText.fitting(area, offset: isSelected ? state.offset : 0, lines: lines).draw(on: &surface, in: area)
    }

    /// The only pane of a small window has a tab instead of a title.
    private func hasTitle(_ rect: Rect) -> Bool { rect.width != context.frame.body.width }

    private func textArea(_ rect: Rect) -> Rect { hasTitle(rect) ? rect.splitTop(1).rest : rect }

    // The flow.

    /// The area of the arrows, below the names of the lifelines.
    private func arrowArea(_ rect: Rect) -> Rect { rect.splitTop(1).rest }

    private func visible(in rect: Rect) -> Range<Int> {
        let selected = state.selectedArrow(context) ?? 0
        let height = max(1, arrowArea(rect).height)
        let shown = context.shownArrows
        let count = shown.count + (shown.beat > 0 ? 1 : 0)
        let first = max(0, min(selected - height / 2, count - height))
        return first..<min(count, first + height)
    }

    var shownList: ShownList? {
        let flow = areas(in: context.frame.body).flow
        guard !flow.isEmpty else { return nil }
        let range = visible(in: flow)
        return ShownList(area: arrowArea(flow), first: range.lowerBound, rows: range.map { $0 })
    }

    private func drawFlow(on surface: inout Surface, in rect: Rect) {
        guard rect.height > 1 else { return }
        guard walk.shown != nil else {
            return ScrollingText.fitting(rect) { StyledLine.wrap(walk.story, to: max(1, $0)) }
                .draw(on: &surface, in: rect)
        }
        let range = visible(in: rect)
        let text = SequenceText(
            diagram, parties: diagram.arrows.isEmpty ? [] : diagram.parties, width: max(0, rect.width - 2),
            glyphs: context.glyphs)
        let room = rect.splitLeft(2).rest
        surface.writeLine(text.heading, in: room)
        let lines = text.lines
        let selected = state.selectedArrow(context)
        for (offset, index) in range.enumerated() where lines.indices.contains(index) {
            let row = Rect(x: rect.minX, y: rect.minY + 1 + offset, width: rect.width, height: 1)
            surface.writeLine(lines[index], in: row.splitLeft(2).rest)
            guard index == selected else { continue }
            surface.write(surface.glyphs.pointer, at: row.origin)
            if state.selection != nil { surface.restyle(row, style: .selection) }
            surface.cursor = Surface.Cursor(row.origin, isVisible: false)
        }
        if diagram.arrows.isEmpty, walk.running == nil {
            surface.writeLine("This step sends no request.", in: room.splitTop(1).rest.row(0), style: .muted)
        }
    }
}

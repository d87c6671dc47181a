import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The layout of a walk. The flow is as wide as the window, with the page of the user below it; in a wide window, the user
/// and the application are beside it. In a small window, tabs show them alone.
struct WalkBody {
    /// The least width for panes beside the flow, which then has as many columns as in a window of 80.
    static let wide = 117
    private static let sideWidth = 36
    /// The rows below the flow: six for a page, and two for the arrow in words.
    private static let rowsBelow = 8
    /// The same beside the page.
    private static let rowsBelowWide = 6
    /// The least height of a wide window with a list of steps.
    private static let tall = 30
    private static let mostSteps = 9

    private let state: WalkState
    @Boxed private var context: Context
    private let walk: GuidedWalk
    private let diagram: SequenceDiagram
    private let panes: WalkPanes

    init(_ state: WalkState, _ context: Context) {
        self.state = state
        self.context = context
        walk = context.walk ?? GuidedWalk(title: "", story: "", steps: [], teaches: "")
        diagram = context.shownDiagram ?? SequenceDiagram(title: "", arrows: [])
        panes = WalkPanes(state: state, context: context, walk: walk, diagram: diagram)
    }

    private var isWide: Bool { panes.isWide }

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
        guard isWide else {
            let (tabs, rest) = body.splitTop(1)
            let (pane, below) = rest.splitBottom(rowsBelow(in: rest))
            areas.tabs = tabs
            switch state.pane {
            case .flow: areas.flow = pane
            case .user: areas.user = pane
            case .app: areas.app = pane
            case .steps: areas.steps = pane
            }
            splitDetails(below, &areas)
            return areas
        }
        let (left, side) = body.splitRight(Self.sideWidth)
        (areas.user, areas.app) = side.splitTop(userHeight(in: side))
        let (place, main) = left.splitRight(1).rest.splitTop(1)
        areas.tabs = place
        let hasSteps = body.height >= Self.tall
        let steps = hasSteps ? min(panes.stepList(main.width).count, Self.mostSteps) + 1 : 0
        let (upper, list) = main.splitBottom(steps)
        let (flow, below) = upper.splitBottom(rowsBelow(in: upper))
        areas.flow = flow
        areas.steps = hasSteps ? list : state.pane == .steps ? below : .zero
        if hasSteps || state.pane != .steps { splitDetails(below, &areas) }
        return areas
    }

    /// The rows below a pane: what the flow doesn't need, but no fewer than a page takes, if the window has them.
    private func rowsBelow(in rect: Rect) -> Int {
        guard context.frame.body.height >= 12, !context.isZoomed else { return 0 }
        guard state.pane == .flow || isWide else {
            return state.pane == .app && panes.showsDevice ? 2 : min(6, rect.height / 3)
        }
        let least = min(isWide ? Self.rowsBelowWide : Self.rowsBelow, rect.height * 2 / 5)
        return walk.shown == nil ? least : max(least, rect.height - 1 - diagram.arrows.count)
    }

    /// A rule and the details. A page has a frame instead of the rule.
    private func splitDetails(_ rect: Rect, _ areas: inout Areas) {
        (areas.rule, areas.details) = rect.splitTop(rect.isEmpty || panes.showsPage ? 0 : 1)
    }

    /// Three fifths, but no more than the user's pane needs if the application's needs the rest.
    private func userHeight(in side: Rect) -> Int {
        let usual = side.height * 3 / 5
        let (user, app) = (panes.user(side.width).count + 2, panes.app(side.width).count + 1)
        return min(max(usual, min(user, side.height - app)), max(min(user, usual), side.height - app))
    }

    /// The largest useful offset.
    var lastOffset: Int { lastOffsets.pane + lastOffsets.text }

    /// The largest useful offsets of the selected pane, and of the text below it, which scrolls when the pane is at its end.
    private var lastOffsets: (pane: Int, text: Int) {
        let areas = areas(in: context.frame.body)
        func last(_ lines: (Int) -> [StyledLine], in area: Rect) -> Int {
            area.isEmpty ? 0 : ScrollingText.fitting(area, lines: lines).lastOffset(height: area.height)
        }
        let text = last({ panes.details($0, rows: areas.details.height) }, in: areas.details)
        return switch state.pane {
        case .flow: (0, text)
        case .user: (last(panes.user, in: textArea(areas.user)), isWide ? 0 : text)
        case .app: (last(panes.app, in: textArea(areas.app)), isWide ? 0 : text)
        case .steps: (last(steps, in: textArea(areas.steps)), isWide ? 0 : text)
        }
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body).flow.height - 2) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        drawTabs(on: &surface, in: areas.tabs)
        draw(.steps, "STEPS", steps, on: &surface, in: areas.steps)
        draw(.user, panes.userTitle, panes.user, on: &surface, in: areas.user)
        draw(.app, panes.appTitle, panes.app, on: &surface, in: areas.app)
        drawFlow(on: &surface, in: areas.flow)
        if !areas.rule.isEmpty { surface.drawRule(in: areas.rule) }
        ScrollingText.fitting(
            areas.details, offset: isWide && state.pane != .flow ? 0 : state.offset - lastOffsets.pane
        ) {
            panes.details($0, rows: areas.details.height)
        }.draw(on: &surface, in: areas.details)
    }

    /// Beside a wide flow, the note is below it.
    private func steps(_ width: Int) -> [StyledLine] {
        isWide ? panes.stepList(width) : panes.steps(width)
    }

    private var tabs: Tabs {
        let panes = WalkState.Pane.allCases
        let shown = state.pane
        return Tabs(panes.map(\.rawValue)) { panes[$0] == shown }
    }

    func key(at point: Point) -> Key? {
        let body = context.frame.body
        return isWide ? nil : tabs.key(at: point, in: areas(in: body).tabs)
    }

    /// The tabs with their numbers, unless all panes are shown, and the place in the list of steps.
    private func drawTabs(on surface: inout Surface, in row: Rect) {
        guard !row.isEmpty else { return }
        let room = isWide ? row : tabs.draw(on: &surface, in: row)
        let count = walk.steps.count
        let place = walk.shown.map { "\($0 + 1)/\(count)" } ?? Moment.count(count, "step")
        let text = [context.walkMarks(walk, at: walk.shown), place, walk.shownStep?.instruction].compactMap(\.self)
        let fitted = TextFitting.truncate(
            text.joined(separator: " "), to: room.width, ellipsis: context.glyphs.ellipsis)
        surface.writeLine(fitted, in: room, alignment: isWide ? .leading : .trailing, style: .muted)
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
        let count = context.visibleArrows
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
            return ScrollingText.fitting(rect) { panes.beginning(max(1, $0)) }.draw(on: &surface, in: rect)
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

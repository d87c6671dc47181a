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
    private static let rowsBelowWide = 6
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
        var panes: [WalkState.Pane: Rect] = [:]
        var rule = Rect.zero
        var details = Rect.zero

        subscript(pane: WalkState.Pane) -> Rect { panes[pane] ?? .zero }
    }

    private func areas(in body: Rect) -> Areas {
        var areas = Areas()
        guard isWide else {
            let (tabs, rest) = body.splitTop(1)
            let (pane, below) = rest.splitBottom(rowsBelow(in: rest))
            (areas.tabs, areas.panes) = (tabs, [state.pane: pane])
            splitDetails(below, &areas)
            return areas
        }
        let (left, side) = body.splitRight(Self.sideWidth)
        let (user, app) = side.splitTop(userHeight(in: side))
        let (tabs, main) = left.splitRight(1).rest.splitTop(1)
        let hasSteps = body.height >= Self.tall
        let steps = hasSteps ? min(panes.stepList(main.width).count, Self.mostSteps) + 1 : 0
        let (upper, list) = main.splitBottom(steps)
        let (flow, below) = upper.splitBottom(rowsBelow(in: upper))
        let stepArea = hasSteps ? list : state.pane == .steps ? below : .zero
        (areas.tabs, areas.panes) = (tabs, [.flow: flow, .user: user, .app: app, .steps: stepArea])
        if hasSteps || state.pane != .steps { splitDetails(below, &areas) }
        return areas
    }

    /// The rows below a pane: what the flow doesn't need, but no fewer than a page takes, if the window has them.
    private func rowsBelow(in rect: Rect) -> Int {
        guard context.frame.body.height >= 12, !context.isZoomed else { return 0 }
        guard state.pane == .flow || isWide else {
            return state.pane == .app && panes.device != nil ? 2 : min(6, rect.height / 3)
        }
        let least = min(isWide ? Self.rowsBelowWide : Self.rowsBelow, rect.height * 2 / 5)
        return walk.shown == nil ? least : max(least, rect.height - 1 - diagram.arrows.count)
    }

    /// A rule and the details. A page has a frame instead of the rule.
    private func splitDetails(_ rect: Rect, _ areas: inout Areas) {
        (areas.rule, areas.details) = rect.splitTop(rect.isEmpty || panes.currentPage != nil ? 0 : 1)
    }

    /// Three fifths, but no more than the user's pane needs if the application's needs the rest.
    private func userHeight(in side: Rect) -> Int {
        let usual = side.height * 3 / 5
        let (user, app) = (panes.user(side.width).count + 2, panes.app(side.width).count + 1)
        return min(max(usual, min(user, side.height - app)), max(min(user, usual), side.height - app))
    }

    var lastOffset: Int { lastOffsets.pane + lastOffsets.text }

    /// The largest useful offsets of the selected pane, and of the text below it, which scrolls when the pane is at its end.
    private var lastOffsets: (pane: Int, text: Int) {
        let areas = areas(in: context.frame.body)
        func last(_ lines: (Int) -> [StyledLine], in area: Rect) -> Int {
            area.isEmpty ? 0 : ScrollingText.fitting(area, lines: lines).lastOffset(height: area.height)
        }
        let text = last({ panes.details($0, rows: areas.details.height) }, in: areas.details)
        guard let lines = content(of: state.pane)?.lines else { return (0, text) }
        return (last(lines, in: textArea(areas[state.pane])), isWide ? 0 : text)
    }

    /// Nil for the flow, which isn't a text. Beside a wide flow, the steps' note is below it.
    private func content(of pane: WalkState.Pane) -> (title: String, lines: (Int) -> [StyledLine])? {
        switch pane {
        case .flow: return nil
        case .user: return (panes.userTitle, panes.user)
        case .app: return (panes.appTitle, panes.app)
        case .steps: return ("STEPS", { isWide ? panes.stepList($0) : panes.steps($0) })
        }
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body)[.flow].height - 2) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        drawTabs(on: &surface, in: areas.tabs)
        for pane in [WalkState.Pane.user, .app, .steps] { draw(pane, on: &surface, in: areas[pane]) }
        drawFlow(on: &surface, in: areas[.flow])
        if !areas.rule.isEmpty { surface.drawRule(in: areas.rule) }
        let offset = isWide && state.pane != .flow ? 0 : state.offset - lastOffsets.pane
        ScrollingText.fitting(areas.details, offset: offset) { panes.details($0, rows: areas.details.height) }
            .draw(on: &surface, in: areas.details)
    }

    private var tabs: Tabs {
        let (panes, shown) = (WalkState.Pane.allCases, state.pane)
        return Tabs(panes.map(\.rawValue)) { panes[$0] == shown }
    }

    func key(at point: Point) -> Key? {
        isWide ? nil : tabs.key(at: point, in: areas(in: context.frame.body).tabs)
    }

    /// The tabs with their numbers, unless all panes are shown, and the place in the list of steps.
    private func drawTabs(on surface: inout Surface, in row: Rect) {
        guard !row.isEmpty else { return }
        let room = isWide ? row : tabs.draw(on: &surface, in: row)
        let count = walk.steps.count
        let place = walk.shown.map { "\($0 + 1)/\(count)" } ?? Moment.count(count, "step")
        let parts = [context.walkMarks(walk, at: walk.shown), place, walk.shownStep?.instruction].compactMap(\.self)
        let text = TextFitting.truncate(
            parts.joined(separator: " "), to: room.width, ellipsis: context.glyphs.ellipsis)
        surface.writeLine(text, in: room, alignment: isWide ? .leading : .trailing, style: .muted)
    }

    private func draw(_ pane: WalkState.Pane, on surface: inout Surface, in rect: Rect) {
        guard rect.height > 1, let content = content(of: pane) else { return }
        let isSelected = pane == state.pane
        if hasTitle(rect) {
            let style = isSelected ? Style(.title, [.bold, .underline]) : Style(.muted, .bold)
            surface.writeLine(content.title, in: rect.splitTop(1).top, style: style)
        }
        let area = textArea(rect)
        ScrollingText.fitting(area, offset: isSelected ? state.offset : 0, lines: content.lines)
            .draw(on: &surface, in: area)
    }

    /// The only pane of a small window has a tab instead of a title.
    private func hasTitle(_ rect: Rect) -> Bool { rect.width != context.frame.body.width }

    private func textArea(_ rect: Rect) -> Rect { hasTitle(rect) ? rect.splitTop(1).rest : rect }

    private func arrowArea(_ rect: Rect) -> Rect { rect.splitTop(1).rest }

    private func visible(in rect: Rect) -> Range<Int> {
        let selected = state.selectedArrow(context) ?? 0
        let height = max(1, arrowArea(rect).height)
        let count = context.visibleArrows
        let first = max(0, min(selected - height / 2, count - height))
        return first..<min(count, first + height)
    }

    var shownList: ShownList? {
        let flow = areas(in: context.frame.body)[.flow]
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
            let row = rect.row(1 + offset)
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

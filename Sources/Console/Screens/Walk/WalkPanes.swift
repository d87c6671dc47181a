import Diagnosis
import Foundation
import MSAL
import TerminalUI

struct WalkPanes {
    let state: WalkState
    @Boxed var context: Context
    let walk: GuidedWalk
    let diagram: SequenceDiagram

    /// The list with the note, which a small window shows in one pane.
    func steps(_ width: Int) -> [StyledLine] { stepList(width) + [.empty] + comment(width) }

    func stepList(_ width: Int) -> [StyledLine] {
        walk.steps.enumerated().flatMap { index, step -> [StyledLine] in
            let mark = context.walkMark(walk, index, at: walk.shown)
            let style: Style =
                switch mark {
                case .done: .muted
                case .shown, .running: Style(.text, .bold)
                case .pending: .text
                }
            let glyph = context.walkGlyph(mark)
            return StyledLine.wrap("\(index + 1) \(step.instruction)", to: max(1, width - 2), style: style).enumerated()
                .map { line, text in StyledLine([Span(line == 0 ? "\(glyph) " : "  ", .accent)] + text.spans) }
        }
    }

    /// What to look at, or the lesson at the end. While the step plays, it would give the result away.
    private func comment(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        if isUnfinished { return [] }
        if let stop = walk.stop {
            let text = "\(context.glyphs.cross) \(stop) Press \(walk.shown == nil ? "n" : "r") to retry."
            return StyledLine.wrap(text, to: width, style: .danger)
        }
        guard let step = walk.shownStep else {
            return StyledLine.wrap("Press \(Verb.nextStep.label) for the first step.", to: width)
        }
        let look = StyledLine.wrap("Note: \(step.look)", to: width)
        guard walk.next == nil, !walk.showsEarlier else { return look }
        let next = context.nextScenario.map { "Next: \($0.title) (\(Verb.scenarios.label))" }
        return look + [.empty] + StyledLine.wrap(walk.lesson, to: width, style: .accent)
            + (next.map { StyledLine.wrap($0, to: width) } ?? [])
    }

    func beginning(_ width: Int) -> [StyledLine] {
        let others = " to begin (or Space, \(context.glyphs.arrowRight), PgDn)."
        let steps = walk.steps.enumerated().map { StyledLine("\($0 + 1)  \($1.instruction)", .muted) }
        return StyledLine.wrap(walk.story, to: width) + [.empty]
            + [StyledLine([Span("Press "), Span(Verb.nextStep.label, .key), Span(others)]), .empty] + steps
    }

    private var isUnfinished: Bool { !walk.showsEarlier && context.isStepInProgress }

    private var isScripted: Bool { walk.shownRecord?.isScripted ?? walk.isScripted }

    var userTitle: String { isScripted ? "WHAT THE USER SEES" : "YOUR BROWSER" }

    func user(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        let arrows = diagram.arrows.prefix((state.selectedArrow(context) ?? -1) + 1)
        guard let index = arrows.lastIndex(where: { $0.page != nil || $0.to == .application && $0.from == .browser }),
            let visits = context.shownTrace?.visits
        else { return StyledLine.wrap(noPage, to: width, style: .muted) }
        if let visit = visits[at: arrows[index].page] { return pageView(visit, at: index).lines(width) }
        let up = KeyLabel.text([.up], ascii: context.options.ascii)
        return StyledLine.wrap("The browser is back at the application. The user can close the page.", to: width)
            + StyledLine.wrap("For an earlier page, select an earlier arrow with \(up).", to: width, style: .muted)
    }

    private func pageView(_ visit: PageVisit, at index: Int) -> PageView {
        let shown = context.shownArrows
        let isResponse = diagram.arrows[index].message == .response
        let progress = isResponse ? 0 : index == shown.count ? shown.beat : Int.max
        return PageView(visit: visit, progress: progress, glyphs: context.glyphs)
    }

    var currentPage: PageView? {
        guard state.pane == .flow, !isWide, let index = state.selectedArrow(context),
            let visit = context.shownTrace?.visits[at: diagram.arrows[at: index]?.page]
        else { return nil }
        return pageView(visit, at: index)
    }

    /// Whether all panes are visible. An enlarged one is alone.
    var isWide: Bool { !context.isZoomed && context.frame.body.width >= WalkBody.wide }

    private var noPage: String {
        guard let step = walk.shownStep else { return "No page yet." }
        if diagram.arrows.contains(where: { $0.page != nil }) { return "No page is open yet at this arrow." }
        return switch step.action {
        case .read: "This step is only described: see the diagram."
        case .acquireSilently, .remove, .wait: "The user sees nothing in this step."
        case .call, .signIn: isUnfinished ? "No page yet." : isScripted ? "The user saw no page." : Self.ownBrowser
        }
    }

    private static let ownBrowser = "What your browser showed isn't visible to the scenario."

    var appTitle: String { device == nil ? isUnfinished ? "APPLICATION" : "APPLICATION NOW" : "THE DEVICE" }

    /// The device's screen at the selected arrow, in a step that signs in with a code.
    var device: DeviceScreen? {
        guard let shown = walk.shownRecord?.device, let trace = context.shownTrace else { return nil }
        let arrows = diagram.arrows.prefix((state.selectedArrow(context) ?? -1) + 1)
        return DeviceScreen(shown, arrows, trace.exchanges, context)
    }

    func app(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        guard let device else { return cached(width) }
        return device.lines(width) + (device.isWaiting ? [] : [.empty] + cached(width))
    }

    private func cached(_ width: Int) -> [StyledLine] {
        let record = walk.shownRecord
        let before = record?.before ?? context.accounts.all
        let after = isUnfinished ? before : record?.after ?? before
        let gone = before.filter { old in !after.contains { $0.identifier == old.identifier } }
        let there = after.flatMap { account -> [StyledLine] in
            let isNew = !before.contains { $0.identifier == account.identifier }
            let state = account.token.map { $0.sentence(by: context.now, in: context.options.timeZone) } ?? ""
            let name = Span(Printable.sanitize(account.displayName), isNew ? .success : .text)
            return [StyledLine([Span(isNew ? "+ " : "  ", .success), name])]
                + StyledLine.wrap(state, to: max(1, width - 4), style: .muted).map { $0.indented.indented }
        }
        let lines = there + gone.map { StyledLine("- \(Printable.sanitize($0.displayName))", .danger) }
        let results = self.results(width)
        return (lines.isEmpty ? [StyledLine("No accounts at this authority.", .muted)] : lines)
            + (results.isEmpty ? [] : [.empty]) + results
    }

    private func results(_ width: Int) -> [StyledLine] {
        guard !isUnfinished else { return [] }
        return WalkLines(context).result.flatMap { line -> [StyledLine] in
            let (mark, style): (String, Style) =
                switch line.isGood {
                case true?: ("\(context.glyphs.check) ", .success)
                case false?: ("\(context.glyphs.cross) ", .danger)
                case nil: ("", .text)
                }
            return StyledLine.wrap(mark + line.text, to: width, style: style)
        }
    }

    /// Below the flow: the page at the selected arrow, the arrow in words and its parameters; of a finished step the note and
    /// the result, until an arrow is selected.
    /// - Parameter rows: the height. The page leaves room for the arrow.
    func details(_ width: Int, rows: Int) -> [StyledLine] {
        let width = max(1, width)
        // The step has been shown and no arrow is selected. The steps' own pane has the note.
        if walk.shown != nil, state.selection == nil, !isUnfinished, isWide || state.pane != .steps {
            return comment(width) + (state.pane == .app || isWide ? [] : results(width))
        }
        let deviceLine = isWide || state.pane == .app ? [] : device.map { [$0.summary] } ?? []
        guard let arrow = diagram.arrows[at: state.selectedArrow(context)] else { return outlook(width) }
        let sentence = StyledLine.wrap(Printable.sanitize(arrow.sentence), to: width, style: Style(.text, .bold))
        if let page = currentPage {
            let below = deviceLine + sentence
            return page.lines(width, most: max(Self.pageRows, rows - below.count)) + below
        }
        return deviceLine + sentence + parameters(of: arrow, width)
    }

    private static let pageRows = 6

    private func outlook(_ width: Int) -> [StyledLine] {
        guard walk.shown == nil, let next = walk.next else { return [] }
        let hasActor = context.profile?.isDemo == true && walk.steps.contains(where: \.mayNeedUser)
        let actor = "\(walk.actor) Press \(Verb.demoUser.label) to change that."
        return StyledLine.wrap("Next: \(next.instruction).", to: width)
            + (hasActor ? StyledLine.wrap(actor, to: width, style: .muted) : [])
    }

    /// A table of the parameters that the arrow carries: name, value, meaning, and the source if there is room.
    private func parameters(of arrow: SequenceDiagram.Arrow, _ width: Int) -> [StyledLine] {
        guard let number = arrow.exchange,
            let exchange = context.shownTrace?.exchanges.first(where: { $0.number == number })
        else { return [] }
        let rows = arrow.parameters(of: exchange).map { parameter in
            let entry = ParameterDictionary.bundled.entry(for: parameter)
            let name = Printable.sanitize(parameter.name)
            return [name, shownValue(of: parameter), entry?.meaning ?? "", entry?.source ?? ""]
        }
        let widths = (0..<4).map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let name = min(widths[0], max(8, width / 4))
        let source = width >= 100 ? widths[3] + 2 : 0
        let value = min(widths[1], max(8, (width - name - source - 4) * 2 / 5))
        let meaning = max(0, width - name - value - source - 4)
        return rows.map { row in
            func cell(_ column: Int, _ width: Int) -> String {
                TextFitting.fit(row[column], to: width, ellipsis: context.glyphs.ellipsis)
            }
            return StyledLine([
                Span("\(cell(0, name))  ", .accent), Span("\(cell(1, value))  "), Span(cell(2, meaning), .muted),
                Span(source > 0 ? "  \(row[3])" : "", .muted),
            ])
        }
    }

    /// Of a random value, which says nothing, the length. The device shows its code to everybody, so no arrow hides it.
    private func shownValue(of parameter: MSALFlowParameter) -> String {
        if parameter.name == "user_code", let device = walk.shownRecord?.device {
            return Printable.sanitize(device.code.userCode)
        }
        let (name, value) = (parameter.name, parameter.value)
        let isRandom = name != "client_id" && value.count >= 32 && !value.contains { " ./:".contains($0) }
        return isRandom ? "\(value.count) characters" : parameter.shown
    }
}

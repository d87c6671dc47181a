import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The texts of a walk's panes.
struct WalkPanes {
    private let state: WalkState
    private let context: Context
    private let walk: GuidedWalk
    private let diagram: SequenceDiagram

    init(_ state: WalkState, _ context: Context, _ walk: GuidedWalk, _ diagram: SequenceDiagram) {
        self.state = state
        self.context = context
        self.walk = walk
        self.diagram = diagram
    }

    // Steps.

    func steps(_ width: Int) -> [StyledLine] {
        let list = walk.steps.enumerated().flatMap { index, step -> [StyledLine] in
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
        return list + [.empty] + comment(width)
    }

    /// What to look at, or the lesson at the end. While the step plays, it would give the result away.
    private func comment(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        if isUnfinished { return [] }
        if let stop = walk.stop {
            return StyledLine.wrap(
                "\(context.glyphs.cross) \(stop) Press \(walk.shown == nil ? "n" : "r") to retry.", to: width,
                style: .danger)
        }
        guard let step = walk.shownStep else {
            return StyledLine.wrap("Press \(Verb.nextStep.label) for the first step.", to: width)
        }
        let look = StyledLine.wrap("Note: \(step.look)", to: width)
        guard walk.next == nil, !walk.showsEarlier else { return look }
        return look + [.empty] + StyledLine.wrap(walk.lesson, to: width, style: .accent)
    }

    /// Whether the shown step still runs or plays.
    private var isUnfinished: Bool { !walk.showsEarlier && context.isStepInProgress }

    // The user.

    var userTitle: String { walk.isScripted ? "WHAT THE USER SEES" : "YOUR BROWSER" }

    func user(_ width: Int) -> [StyledLine] {
        if let page = state.waitingPage(context) { return waiting(page, width) }
        let shown = context.shownArrows
        let arrows = diagram.arrows.prefix((state.selectedArrow(context) ?? -1) + 1)
        guard let index = arrows.lastIndex(where: { $0.page != nil || $0.to == .application && $0.from == .browser }),
            let visits = context.shownTrace?.visits
        else { return StyledLine.wrap(noPage, to: max(1, width), style: .muted) }
        guard let page = arrows[index].page, visits.indices.contains(page) else {
            return StyledLine.wrap(
                "The browser is back at the application. The user can close the page.", to: max(1, width))
                + StyledLine.wrap(
                    "For an earlier page, select an earlier arrow with \(KeyLabel.text([.up], ascii: context.options.ascii)).",
                    to: max(1, width), style: .muted)
        }
        let isCurrent = index == shown.count
        let progress = arrows[index].message == .response ? 0 : isCurrent ? shown.beat : Int.max
        return PageView(visits[page], progress: progress, glyphs: context.glyphs).lines(width)
    }

    private var noPage: String {
        guard let step = walk.shownStep else { return "No page yet." }
        if diagram.arrows.contains(where: { $0.page != nil }) { return "No page is open yet at this arrow." }
        return switch step.action {
        case .read: "This step is only described: see the diagram."
        case .acquireSilently, .remove, .wait: "The user sees nothing in this step."
        case .call, .signIn: isUnfinished ? "No page yet." : "The user saw no page."
        }
    }

    /// What the user at the keyboard must do.
    private func waiting(_ page: URL, _ width: Int) -> [StyledLine] {
        let width = max(1, width)
        let code = state.deviceCode.map { code in
            StyledLine.wrap("Enter this code:", to: width) + [StyledLine(code.userCode, Style(.title, .bold)), .empty]
        }
        let hints = FlowHintsText(context, context.shownTrace?.progress)
        return (code ?? []) + StyledLine.wrap("Open this page and sign in:", to: width)
            + StyledLine.wrap(page.absoluteString, to: width, style: .link)
            + (context.profile?.isDemo == true
                ? StyledLine.wrap("a  Let the scenario's user sign in", to: width, style: .key) : [])
            + hints.lines(width)
    }

    // The application.

    var appTitle: String { isUnfinished ? "APPLICATION" : "APPLICATION NOW" }

    func app(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        let record = walk.shownRecord
        let before = record?.before ?? context.accounts.all
        let after = isUnfinished ? before : record?.after ?? before
        let gone = before.filter { old in !after.contains { $0.identifier == old.identifier } }
        var lines = after.flatMap { account -> [StyledLine] in
            let isNew = !before.contains { $0.identifier == account.identifier }
            let state = account.token.map { $0.sentence(by: context.now) } ?? ""
            return [
                StyledLine([
                    Span(isNew ? "+ " : "  ", .success),
                    Span(Printable.sanitize(account.displayName), isNew ? .success : .text),
                ])
            ] + StyledLine.wrap(state, to: max(1, width - 4), style: .muted).map { $0.indented.indented }
        }
        lines += gone.map { StyledLine("- \(Printable.sanitize($0.displayName))", .danger) }
        if lines.isEmpty { lines = [StyledLine("No accounts at this authority.", .muted)] }
        guard !isUnfinished else { return lines }
        let results = WalkLines(context).result.flatMap { line -> [StyledLine] in
            let (mark, style): (String, Style) =
                switch line.kind {
                case .good: ("\(context.glyphs.check) ", .success)
                case .bad: ("\(context.glyphs.cross) ", .danger)
                case .plain: ("", .text)
                }
            return StyledLine.wrap(mark + line.text, to: width, style: style)
        }
        return lines + (results.isEmpty ? [] : [.empty]) + results
    }

    // The selected arrow.

    func details(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        // A finished step shows its note, until an arrow is selected, if the steps aren't on the screen.
        let isWide = context.frame.body.width >= WalkBody.wide
        let showsSteps = state.pane == .steps || isWide
        if !isWide, state.pane != .user, state.selection == nil, let page = state.waitingPage(context) {
            return waiting(page, width)
        }
        if !showsSteps, walk.shown != nil, state.selection == nil, !isUnfinished { return comment(width) }
        guard let index = state.selectedArrow(context), diagram.arrows.indices.contains(index) else {
            guard walk.shown == nil, let next = walk.next else { return [] }
            let actor =
                context.profile?.isDemo == true && walk.steps.contains(where: \.mayNeedUser)
                ? StyledLine.wrap(
                    "\(walk.actor) Press \(Verb.demoUser.label) to change that.", to: width, style: .muted) : []
            return StyledLine.wrap("Next: \(next.instruction).", to: width) + actor
        }
        let arrow = diagram.arrows[index]
        let sentence = StyledLine.wrap(Printable.sanitize(arrow.sentence), to: width, style: Style(.text, .bold))
        guard let number = arrow.exchange,
            let exchange = context.shownTrace?.exchanges.first(where: { $0.number == number })
        else { return sentence }
        return sentence
            + ParameterList(exchange).all.filter { arrow.shows($0, of: exchange) }.map { line($0, width) }
    }

    /// A parameter in one line: name, value, meaning.
    private func line(_ parameter: MSALFlowParameter, _ width: Int) -> StyledLine {
        let entry = ParameterDictionary.bundled.entry(for: parameter)
        let name = TextFitting.fit(Printable.sanitize(parameter.name), to: min(22, width / 4)) + " "
        let source = entry.map { width >= 100 ? "  \($0.source)" : "" } ?? ""
        let room = max(0, width - DisplayWidth.of(name) - DisplayWidth.of(source))
        let value = TextFitting.truncate(parameter.shortValue, to: room / 3, ellipsis: context.glyphs.ellipsis)
        let meaning = entry?.meaning ?? ""
        let text = TextFitting.fit("\(value)  \(meaning)", to: room, ellipsis: context.glyphs.ellipsis)
        return StyledLine([Span(name, .accent), Span(text), Span(source, .muted)])
    }
}

extension MSALFlowParameter {
    /// The value as shown, or its length for a random one, which says nothing.
    fileprivate var shortValue: String {
        let isRandom = name != "client_id" && value.count >= 32 && !value.contains { " ./:".contains($0) }
        return isRandom ? "\(value.count) characters" : shown
    }
}

extension SequenceDiagram.Arrow {
    /// Whether the arrow carries this parameter of its exchange. Headers are in the inspector.
    fileprivate func shows(_ parameter: MSALFlowParameter, of exchange: MSALFlowExchange) -> Bool {
        switch parameter.place {
        case .query: !exchange.direction.isDirect || message == .request
        case .requestBody: message == .request
        // The step's result shows the body of an API, once.
        case .responseBody: message == .response && ExchangePurpose(exchange) != .apiRequest
        case .responseHeader: message == .response && parameter.name.lowercased() == "www-authenticate"
        case .requestHeader: false
        }
    }
}

/// A page of the authority, drawn with text, at a point of the playback.
struct PageView {
    private let visit: PageVisit
    private let progress: Int
    private let glyphs: Glyphs

    /// - Parameter progress: the ticks since the user began to act.
    init(_ visit: PageVisit, progress: Int, glyphs: Glyphs) {
        self.visit = visit
        self.progress = progress
        self.glyphs = glyphs
    }

    func lines(_ width: Int) -> [StyledLine] {
        let width = max(12, width)
        let inside = width - 4
        let content = body(inside)
        let title = TextFitting.truncate(Printable.sanitize(visit.title), to: width - 6, ellipsis: glyphs.ellipsis)
        let top = String(repeating: glyphs.horizontal, count: max(0, width - 5 - DisplayWidth.of(title)))
        return [
            StyledLine([
                Span("\(glyphs.topLeft)\(glyphs.horizontal) ", .border), Span(title, .title),
                Span(" \(top)\(glyphs.topRight)", .border),
            ])
        ]
            + content.map { line in
                StyledLine(
                    [Span("\(glyphs.vertical) ", .border)] + line.spans
                        + [
                            Span(
                                String(repeating: " ", count: max(0, inside - line.width)) + " \(glyphs.vertical)",
                                .border)
                        ])
            } + [
                StyledLine(
                    glyphs.bottomLeft + String(repeating: glyphs.horizontal, count: width - 2) + glyphs.bottomRight,
                    .border)
            ]
    }

    private func body(_ width: Int) -> [StyledLine] {
        let alert = StyledLine.wrap(Printable.sanitize(visit.alert), to: width, style: .danger)
        let text = visit.text.prefix(3).flatMap { StyledLine.wrap(Printable.sanitize($0), to: width, style: .muted) }
        let filled = visit.fields.filter(\.isFilled)
        let fields = visit.fields.flatMap { field in
            lines(field, progress: progress - (filled.firstIndex(of: field) ?? 0) * 2, width)
        }
        let isPressed = visit.pressed != nil && progress >= filled.count * 2 + 1
        let buttons = visit.buttons.map { label -> Span in
            let isThis = isPressed && label == visit.pressed
            return Span(" [\(Printable.sanitize(label))]", isThis ? Style(.key, .reverse) : .key)
        }
        return (visit.alert.isEmpty ? [] : alert) + text + fields
            + (buttons.isEmpty ? [] : [.empty] + Self.rows(buttons, width))
    }

    /// Buttons side by side, as many as fit.
    private static func rows(_ buttons: [Span], _ width: Int) -> [StyledLine] {
        buttons.reduce(into: [StyledLine]()) { rows, button in
            if let last = rows.last, last.width + button.width <= width {
                rows[rows.count - 1].spans.append(button)
            } else {
                rows.append(StyledLine([Span(TextFitting.truncate(button.text, to: width), button.style)]))
            }
        }
    }

    private func lines(_ field: PageVisit.Field, progress: Int, _ width: Int) -> [StyledLine] {
        let label = Printable.sanitize(field.label)
        switch field.kind {
        case .checkbox(let isTicked):
            let isShownTicked = isTicked || progress < 1
            let mark = "[\(isShownTicked ? "x" : " ")] "
            let style: Style = isShownTicked ? .text : .warning
            return [StyledLine(TextFitting.truncate(mark + label, to: width, ellipsis: glyphs.ellipsis), style)]
        case .text, .password:
            let value = Printable.sanitize(field.value)
            // Typed in two ticks.
            let typed = progress >= 2 ? value : progress >= 1 ? String(value.prefix(value.count / 2)) : ""
            return [
                StyledLine(TextFitting.truncate(label, to: width), .muted),
                StyledLine(TextFitting.fit(typed, to: width), Style(.text, .underline)),
            ]
        }
    }
}

/// The hints while the user at the keyboard signs in.
struct FlowHintsText {
    private let context: Context
    private let progress: FlowProgress?

    init(_ context: Context, _ progress: FlowProgress?) {
        self.context = context
        self.progress = progress
    }

    func lines(_ width: Int) -> [StyledLine] {
        let userHints = (context.profile?.hints ?? []).flatMap {
            StyledLine.preformatted($0, width: width, style: .muted)
        }
        let forwarding = progress?.authorizationURL.flatMap(context.proposal.portForwarding).map { line in
            [.empty] + StyledLine.wrap("Over ssh, run this on your own machine first:", to: width, style: .muted)
                + StyledLine.wrap(line, to: width)
        }
        return (forwarding ?? []) + [.empty] + userHints
    }
}

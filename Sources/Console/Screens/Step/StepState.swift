import Diagnosis
import Foundation
import MSAL
import TerminalUI

extension Destination {
    static func step(_ flow: EffectID) -> Destination { Destination(StepState(flow: flow)) }
}

/// A flow as a diagram, up to the request that it holds, with that request's parameters.
struct StepState: ListScreen, HoldingScreen {
    static var howToOpen: String { "Run keyturn step, or press \(Verb.step.label) before a sign-in." }
    enum Layer: String, KeyLayer { case all = "Step" }

    static let cover = Cover.watching

    let flow: EffectID
    var pane = ListPane()

    private func held(_ context: Context) -> HeldFlow { context.held[flow] ?? HeldFlow() }
    private func trace(_ context: Context) -> FlowTrace { context.traces[flow] ?? FlowTrace(id: flow, title: "") }

    func title(_ context: Context) -> String { "Step \(context.glyphs.separator) \(trace(context).title)" }

    func place(_ context: Context) -> String {
        held(context).request.map { "held before request \($0.exchange.number)" } ?? ""
    }

    func pace(_ context: Context) -> Pace {
        held(context).request != nil ? .everySecond : trace(context).ending == nil ? context.runningPace : .still
    }

    func rows(_ context: Context) -> [MSALFlowParameter] {
        let all = held(context).request.map { ParameterList($0.exchange).all } ?? []
        // What can be changed comes before the headers.
        let sent = all.filter { $0.place == .query || $0.place == .requestBody }
        let names = Set(sent.map(\.name))
        let added = held(context).edits.compactMap(\.parameter).filter { !names.contains($0) }
        return sent + added.map { MSALFlowParameter(name: $0, place: sent.first?.place ?? .query, value: "") }
            + all.filter { $0.place == .requestHeader }
    }

    func label(_ parameter: MSALFlowParameter, _ context: Context) -> String {
        "\(parameter.name) = \(value(parameter, context))"
    }

    private func change(_ parameter: MSALFlowParameter, _ context: Context) -> MSALRequestEdit? {
        held(context).edits.last { $0.parameter == parameter.name }
    }

    private func value(_ parameter: MSALFlowParameter, _ context: Context) -> String {
        switch change(parameter, context) {
        case .leaveOut: "left out"
        case .alter: "another value of the same form"
        case .append(let end, to: _): "\(parameter.shown)\(Printable.sanitize(end))"
        case .replace(_, with: let value): Printable.sanitize(value)
        case .sendAgain, nil: parameter.shown
        }
    }

    private func areas(_ body: Rect, _ context: Context) -> (flow: Rect, rule: Rect, list: Rect, below: Rect) {
        let (main, below) = body.splitBottom(min(words(body.width, context).count, body.height / 3))
        let rows = rows(context).count
        let (flow, rest) = main.splitBottom(rows == 0 ? 0 : min(rows + 1, main.height * 3 / 5))
        let (rule, list) = rest.splitTop(rest.isEmpty ? 0 : 1)
        return (flow, rule, list, below)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let areas = areas(rect, context)
        surface.cursor = Surface.Cursor(areas.list.isEmpty ? rect.origin : areas.list.origin, isVisible: false)
        let past = held(context).request == nil ? .max : trace(context).diagram.arrows.count
        let flow = SequenceText.lines(of: diagram(context), in: areas.flow, glyphs: context.glyphs) { $0 >= past }
        ScrollingText(flow).draw(on: &surface, in: areas.flow)
        if !areas.rule.isEmpty {
            surface.drawRule(in: areas.rule)
            surface.writeLine(" \(heading(context)) ", in: areas.rule.splitLeft(2).rest, style: Style(.accent, .bold))
            parameters(areas.list.width, context).draw(on: &surface, in: areas.list)
        }
        ScrollingText(words(areas.below.width, context)).draw(on: &surface, in: areas.below)
    }

    private func heading(_ context: Context) -> String {
        guard let request = held(context).request else { return "" }
        let exchange = request.exchange
        let source = ParameterDictionary.bundled.entry(for: exchange.role)?.source
        let whole = exchange.address.range(of: "://").map { String(exchange.address[$0.upperBound...]) } ?? ""
        // The end says what it is.
        let parts = whole.split(separator: "/")
        let short = parts.prefix(1) + [Substring(context.glyphs.ellipsis)] + parts.suffix(3)
        let path = whole.count > 56 && parts.count > 4 ? short.joined(separator: "/") : whole
        return ["\(exchange.method) \(Printable.sanitize(path))", source].compactMap(\.self)
            .joined(separator: " \(context.glyphs.separator) ")
    }

    /// The requests and responses so far, and as the last one the held request, or the one whose response hasn't come.
    private func diagram(_ context: Context) -> SequenceDiagram {
        let (trace, held) = (trace(context), held(context))
        let isOver = trace.ending != nil || trace.exchanges.contains { $0.number == held.sent.first?.exchange }
        let next = held.request.map { SequenceDiagram.Arrow.requests(of: $0.exchange) } ?? (isOver ? [] : held.sent)
        return SequenceDiagram(title: trace.diagram.title, arrows: trace.diagram.arrows + next)
    }

    private static let columns = [
        TableColumn("", minimum: 14, ideal: 22, priority: 0),
        TableColumn("", minimum: 20, ideal: 40, priority: 0, grows: true),
        TableColumn("", minimum: 20, ideal: 50, priority: 1, grows: true),
    ]

    private func parameters(_ width: Int, _ context: Context) -> SelectedLines {
        var lines = SelectedLines(pane, width: width, glyphs: context.glyphs)
        for parameter in rows(context) {
            let isChanged = change(parameter, context) != nil
            let style: Style = isChanged ? .warning : parameter.isRedacted ? .muted : .text
            let meaning = ParameterDictionary.bundled.entry(for: parameter)?.meaning ?? ""
            let name = Span(parameter.name, isChanged ? .warning : .accent)
            let note = isChanged ? Span("changed", .warning) : Span(meaning, .muted)
            lines.append([name, Span(value(parameter, context), style), note], Self.columns)
        }
        return lines
    }

    func shown(_ context: Context) -> ShownList? {
        let area = areas(context.frame.body, context).list
        return area.isEmpty ? nil : parameters(area.width, context).shown(in: area)
    }

    private func words(_ width: Int, _ context: Context) -> [StyledLine] {
        let width = max(1, width - ScrollingText.margin)
        return texts(context).flatMap { StyledLine.wrap($0.text, to: width, style: $0.style) }
    }

    /// What is changed and demanded, what became of earlier changes, and how long there is time.
    private func texts(_ context: Context) -> [Words] {
        let (held, trace) = (held(context), trace(context))
        let recorded = trace.ending == nil ? nil : context.options.steps?.like
        let difference = recorded?.firstDifference(from: trace.exchanges)
        let found = held.findings(in: trace).suffix(2).compactMap(\.finding) + [difference].compactMap(\.self)
        let findings = found.map { finding -> Words in
            let subject = finding.fact.hasPrefix(finding.subject) ? "" : "\(finding.subject): "
            let words = [subject + Printable.sanitize(finding.fact), finding.fix].compactMap(\.self)
            return ("\(finding.verdict.mark(context.glyphs)) \(words.joined(separator: " "))", finding.verdict.style)
        }
        let isWaiting = held.request == nil && trace.ending == nil
        let isPolling = isWaiting || held.request?.exchange.role == .deviceGrant
        let code = (isPolling ? held.code : nil).map {
            ("Enter \($0.userCode) at \($0.verificationURL).", Style(.text, .bold))
        }
        return findings
            + ([code].compactMap(\.self) + state(held, trace, context)).map { (Printable.sanitize($0.text), $0.style) }
    }

    private typealias Words = (text: String, style: Style)

    private func state(_ held: HeldFlow, _ trace: FlowTrace, _ context: Context) -> [Words] {
        guard let request = held.request else { return [stateWithoutRequest(held, trace)] }
        if let problem = request.problem { return [("\(context.glyphs.cross) \(problem)", .danger)] }
        let exchange = request.exchange
        let last = trace.exchanges.last { $0.role == exchange.role && $0.address == exchange.address }
        let again = last?.failure.map { Words("Again, because the request failed: \($0)", .warning) }
        let selected = selected(context).map {
            Words("\(label($0, context)). \(ParameterDictionary.bundled.entry(for: $0)?.meaning ?? "")", .muted)
        }
        let changes = held.changes.map { what -> Words in
            let demand =
                switch what.demand {
                case .rejected: "The authority must reject this."
                case .noticedHere: "Keyturn must notice this."
                case .open: "The authority may accept this."
                }
            let source = what.source.isEmpty ? "" : " \(what.lesson) (\(what.source))"
            return ("\(what.title). \(demand)\(source)", .warning)
        }
        return [selected, again].compactMap(\.self) + changes
            + [("Not sent yet. \(life(of: request, trace, context))", .muted)]
    }

    private func stateWithoutRequest(_ held: HeldFlow, _ trace: FlowTrace) -> Words {
        switch trace.ending {
        case nil:
            if let pending = held.findings(in: trace).last, pending.finding == nil {
                return (pending.what.prospect, .warning)
            }
            let waits = trace.progress.current?.detail ?? "The flow goes on"
            return ("\(waits). \(KeyLabel.text(.escape)) shows the sign-in.", .muted)
        case .succeeded: return ("The flow has ended: succeeded.", .success)
        case .failed(Failure.headlineOfChange):
            return ("The flow has ended. Nothing of a changed request is used or cached.", .muted)
        case .failed(let headline): return ("The flow has ended: \(headline)", .danger)
        case .cancelled: return ("The flow was cancelled.", .muted)
        }
    }

    private func life(of request: MSALHeldRequest, _ trace: FlowTrace, _ context: Context) -> String {
        guard let now = context.now else { return "" }
        if let limit = request.expiresOn {
            let left = limit.timeIntervalSince(now)
            return left > 0
                ? "The authority keeps it for \(Moment.remaining(left))." : "The authority has dropped it by now."
        }
        guard request.exchange.role == .codeGrant, let code = trace.exchanges.last(where: { $0.role == .response })
        else { return "" }
        let age = Moment.remaining(max(0, now.timeIntervalSince(code.startDate)))
        return "The code is \(age) old. Authorities accept one for a minute to ten."
    }

    static let commands: [Command] =
        [
            Command(
                "sendRequest", .verb(.nextStep) + [" ", .right], "Send the held request.", hint: "send",
                inLines: .whenAvailable, if: isHeld, do: releasing { _ in .stopping }),
            Command(
                "editRequest", .verb(.edit) + [.enter], "Change the held request, and see whether anybody notices.",
                hint: "edit", inLines: .whenAvailable, if: canEdit
            ) { .open(.requestEdits($0.flow, of: $0.selected($1)?.name)) },
            Command(
                "undo", .verb(.undo), "Undo the last change.", hint: "undo",
                hintedIf: { !$0.held($1).changes.isEmpty }, inLines: .whenAvailable,
                if: { Availability(!$0.held($1).changes.isEmpty, else: "Nothing is changed.") }
            ) { state, context in
                context.held[state.flow]?.undo()
                return .none
            },
            Command(
                "sendOn", [.character("g")], "Send it, and go on to a request of another kind.", hint: "next kind",
                inLines: .whenAvailable, if: isHeld,
                do: releasing { $0.map { .past($0.exchange.role) } ?? .stopping }),
            Command(
                "sendAll", [.character("G")], "Send it, and all that follow.", hint: "to the end",
                inLines: .whenAvailable, if: isHeld, do: releasing { _ in .all }),
            Command(
                "inspect", .verb(.inspect), "Inspect the requests and responses so far.", hint: "inspect",
                if: { Availability(!$0.trace($1).rows.isEmpty, else: "Nothing yet.") }
            ) { .open(.inspector($0.flow, row: max(0, $0.trace($1).rows.count - 1))) },
            Command(
                "export", .verb(.export), "Export the flow without secrets.", hint: "export",
                if: { Availability(!$0.trace($1).rows.isEmpty, else: "Nothing to export yet.") }
            ) { .open(.export(of: $0.trace($1), $1)) },
        ] + upAndDown([.up, .character("k")], [.down, .character("j")]) + paging + finding() + [
            back("Show the sign-in; the request stays held.", hint: "the sign-in"), close("Close this view."),
            interrupt,
        ]

    private static func isHeld(_ state: StepState, _ context: Context) -> Availability {
        Availability(state.held(context).request != nil, else: "No request is held.")
    }

    private static func canEdit(_ state: StepState, _ context: Context) -> Availability {
        guard let request = state.held(context).request else { return isHeld(state, context) }
        return Availability(request.isEditable, else: "This request has no parameters to change.")
    }

    private static func releasing(
        _ run: @escaping @Sendable (MSALHeldRequest?) -> HeldFlow.Run
    ) -> @Sendable (inout StepState, inout Context) -> Reaction {
        { state, context in
            let count = state.trace(context).exchanges.count
            let run = run(state.held(context).request)
            state.pane = ListPane()
            return .start(.release(state.flow, context.held[state.flow]?.release(run, after: count) ?? []))
        }
    }

    func isBusy(_ context: Context) -> Bool { held(context).request == nil && trace(context).ending == nil }

    func lines(_ context: Context) -> [String] {
        let request = held(context).request.map { _ in ["Held: \(heading(context))."] } ?? []
        return diagram(context).sentences.map(Printable.sanitize) + request + rowLines(context)
            + texts(context).map(\.text)
    }
}

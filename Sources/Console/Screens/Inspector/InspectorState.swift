import Diagnosis
import MSAL
import TerminalUI

package struct InspectorState: MovingScreen, DetailsScreen, CopyingScreen {
    package struct Opened: Sendable, Equatable {
        var pane = ListPane()
        /// Whether the selected parameter's secret value is shown. Moving the selection hides it.
        package var isRevealed = false
        package var detailsTop = 0

        package var selection: Int { pane.selection }
    }

    package var inspected: EffectID
    var pane = ListPane()
    package var detailsTop = 0
    package var opened: Opened?
    /// Whether the screen below opened the exchange, not the list of steps.
    fileprivate var isExchangeAlone = false

    package init(_ flow: EffectID, selection: Int = 0) { (inspected, pane.selection) = (flow, selection) }

    package var selection: Int { pane.selection }

    static var howToOpen: String { "Show the requests with \(Verb.inspect.label)." }
    package enum Layer: String, KeyLayer { case flow = "Inspector", exchange = "Exchange" }

    static let cover = Cover.watching

    package var layer: Layer { opened == nil ? .flow : .exchange }

    func trace(_ context: Context) -> FlowTrace? { context.traces[inspected] }

    private func rows(_ context: Context) -> [TraceRow] { trace(context)?.rows ?? [] }

    func parameters(_ context: Context) -> ParameterList? {
        opened == nil ? nil : rows(context)[at: selection]?.exchange.map(ParameterList.init)
    }

    private func selectedParameter(_ context: Context) -> MSALFlowParameter? {
        parameters(context)?.all[at: opened?.selection]
    }

    private func exchangeView(_ context: Context) -> ExchangeView? {
        guard let opened, let list = parameters(context) else { return nil }
        return ExchangeView(list: list, opened: opened, context: context)
    }

    private func flowView(_ context: Context) -> InspectorView? {
        trace(context).map { InspectorView($0, self, context) }
    }

    private func details(_ context: Context) -> DetailsPlace? {
        exchangeView(context)?.detailsPlace ?? flowView(context)?.detailsPlace
    }

    func title(_ context: Context) -> String { parameters(context)?.exchange.role.title ?? "Inspector" }

    func place(_ context: Context) -> String {
        let opened = parameters(context).map { (self.opened?.selection ?? 0, $0.all.count) }
        let (place, count) = opened ?? (selection, rows(context).count)
        return count == 0 ? "" : "\(place + 1) of \(count)"
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if let view = exchangeView(context) { return view.draw(on: &surface, in: rect) }
        flowView(context)?.draw(on: &surface, in: rect)
    }

    var top: Int {
        get { opened?.pane.top ?? pane.top }
        set { if opened != nil { opened?.pane.top = newValue } else { pane.top = newValue } }
    }

    func extent(_ context: Context) -> Extent? {
        if let view = exchangeView(context) {
            return view.opened.pane.extent(of: view.list.all.count, shown: view.shown)
        }
        return flowView(context).map { pane.extent(of: rows(context).count, shown: $0.shown) }
    }

    /// Selects a row, scrolls its details to the top and hides revealed values.
    mutating func go(to position: Int, _ context: inout Context) {
        if var opened, let list = parameters(context) {
            opened.pane.select(row: position, of: list.all.count)
            if opened.selection != self.opened?.selection { self.opened = Opened(pane: opened.pane) }
        } else {
            let old = selection
            pane.select(row: position, of: rows(context).count)
            if selection != old { detailsTop = 0 }
        }
    }

    mutating func select(row: Int, _ context: inout Context) {
        if let opened { self.opened = Opened(pane: opened.pane) }
        go(to: row, &context)
    }

    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool {
        guard let details = details(context), details.area.contains(point) else { return false }
        scroll(by: lines, details)
        return true
    }

    private mutating func scroll(by lines: Int, _ details: DetailsPlace) {
        let top = max(0, min(details.offset + lines, details.last))
        if opened != nil { opened?.detailsTop = top } else { detailsTop = top }
    }

    /// A report of the flow, or an opened exchange's selected value. A secret value is copied only while it's revealed.
    func copyable(_ context: Context) -> CopiedText? {
        guard let opened, parameters(context) != nil else {
            return report(context).map { CopiedText("the flow", fileName: "flow.txt", $0.text) }
        }
        return selectedParameter(context).map { parameter in
            let value = opened.isRevealed ? parameter.reveal() : parameter.value
            let name = parameter.isRedacted && !opened.isRevealed ? "hidden value" : "value"
            return CopiedText("the \(name) of \(parameter.name)", fileName: "value.txt", value)
        }
    }

    static let commands: [Command] =
        [
            Command(
                "openExchange", [.enter], "Show the selected step's parameters and their meanings.",
                hint: "parameters", inLines: .someRows, if: isExchange, do: changing { $0.opened = Opened() }),
            other("olderFlow", ["["], "Show the previous flow.", else: "This is the oldest flow.") {
                $0.flow(by: -1, $1)
            },
            other("newerFlow", ["]"], "Show the next flow.", else: "This is the newest flow.") { $0.flow(by: 1, $1) },
            flows { $0.inspected }, zoom,
            Command(
                "export", .verb(.export), "Export the flow without secrets, as HAR 1.2, text or HTML.",
                hint: "export", if: { Availability($0.trace($1) != nil, else: "Nothing to export yet.") }
            ) { .open(.export($0.report($1)?.exports ?? [])) },
        ].only(in: .flow)
        + [
            Command(
                "reveal", .verb(.secret), "Show or hide the selected secret value.",
                hint: "reveal", hintNow: { state, _ in state.opened?.isRevealed == true ? "hide" : nil },
                inLines: .absent,
                if: { state, context in
                    let parameter = state.selectedParameter(context)
                    let isWithheld = parameter?.kind == .secret
                    return Availability(
                        parameter?.isRedacted ?? false,
                        else: isWithheld
                            ? "It comes of a changed request, so it isn't shown." : "This value isn't secret.")
                },
                do: changing {
                    $0.opened?.isRevealed.toggle()
                    $0.opened?.detailsTop = 0
                })
        ].only(in: .exchange) + [
            scrolling("detailsDown", "J", "Scroll the details down.", by: 1, hint: "more"),
            scrolling("detailsUp", "K", "Scroll the details up.", by: -1),
        ]
        + [
            other(
                "nextStep", [.right, .character("l"), .tab], "Show the next exchange.", hint: "next",
                else: "This is the last exchange."
            ) { state, context in state.exchange(context) { $0.first { $0 > state.selection } } },
            other(
                "previousStep", [.left, .character("h"), .backTab], "Show the previous exchange.",
                else: "This is the first exchange."
            ) { state, context in state.exchange(context) { $0.last { $0 < state.selection } } },
            copy("Copy the selected value as shown.", .copy, .copyValue, inLines: .someRows),
            saveCopy(inLines: .someRows),
        ].only(in: .exchange)
        + [
            copy("Copy a report of the flow without secrets.", if: { $0.trace($1) != nil }),
            saveCopy(if: { $0.trace($1) != nil }),
        ].only(in: .flow) + moving() + finding() + leaving("Close this view.")

    private static func isExchange(_ state: InspectorState, _ context: Context) -> Availability {
        guard let row = state.rows(context)[at: state.selection] else { return .unavailable("Nothing yet.") }
        return Availability(row.exchange != nil, else: "This step sent no request.")
    }

    /// Shows another flow or exchange, if there is one.
    private static func other(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String? = nil, else reason: String,
        _ other: @escaping @Sendable (Self, Context) -> Self?
    ) -> Command {
        Command(name, keys, sentence, hint: hint, if: { Availability(other($0, $1) != nil, else: reason) }) {
            $0 = other($0, $1) ?? $0
            return .none
        }
    }

    private func flow(by distance: Int, _ context: Context) -> Self? {
        context.traces.neighbour(of: inspected, by: distance).map { Self($0.id) }
    }

    private static func scrolling(
        _ name: CommandName, _ key: Character, _ sentence: String, by lines: Int, hint: String? = nil
    ) -> Command {
        Command(
            name, [.character(key)], sentence, hint: hint,
            hintedIf: { $0.details($1).map { $0.offset < $0.last } ?? false }, group: .moving, inLines: .absent,
            if: { Availability($0.details($1).map { $0.last > 0 } ?? false, else: "All details are visible.") }
        ) { state, context in
            if let details = state.details(context) { state.scroll(by: lines, details) }
            return .none
        }
    }

    private func exchange(_ context: Context, _ choose: ([Int]) -> Int?) -> Self? {
        let rows = rows(context)
        guard let row = choose(rows.indices.filter { rows[$0].exchange != nil }) else { return nil }
        var state = self
        (state.pane.selection, state.detailsTop, state.opened) = (row, 0, Opened())
        return state
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard opened != nil, !isExchangeAlone else { return false }
        opened = nil
        return true
    }

    private func report(_ context: Context) -> TraceReport? {
        trace(context).map { TraceReport($0, held: context.held[$0.id]) }
    }

    func lines(_ context: Context) -> [String] {
        guard let list = parameters(context) else {
            return report(context)?.text.split(separator: "\n").map(String.init) ?? []
        }
        return ["\(list.exchange.method) \(list.exchange.address)"]
            + list.sections.flatMap { section in ["\(section.title):"] + section.parameters.map(Self.line) }
    }

    private static func line(_ parameter: MSALFlowParameter) -> String {
        let meaning = ParameterDictionary.bundled.entry(for: parameter).map { " \($0.meaning) (\($0.source))" }
        return "- \(parameter.name): \(parameter.shown).\(meaning ?? "")"
    }

    func rowLabels(_ context: Context) -> [String] {
        parameters(context).map { $0.all.map(\.name) } ?? rows(context).map { "\($0.title): \($0.status.word)" }
    }
}

extension Destination {
    static func inspector(_ flow: EffectID, row: Int) -> Destination {
        Destination(InspectorState(flow, selection: row))
    }

    static func export(of trace: FlowTrace, _ context: Context) -> Destination {
        .export(TraceReport(trace, held: context.held[trace.id]).exports)
    }

    static func exchange(_ flow: EffectID, row: Int, parameter: Int) -> Destination {
        var state = InspectorState(flow, selection: row)
        (state.opened, state.isExchangeAlone) = (InspectorState.Opened(pane: ListPane(selection: parameter)), true)
        return Destination(state)
    }
}

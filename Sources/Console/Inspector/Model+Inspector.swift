import AuthEngine

/// What the inspector's keys do.
extension Model {
    mutating func performOnInspector(_ command: CommandID) {
        switch command {
        case .inspect:
            inspector = inspectable.map { InspectorState($0.id) }
            if let last = inspected?.rows.indices.last, routes.last?.runningEffect != nil {
                inspector?.selection = last
            }
        case .openExchange: inspector?.opened = InspectorState.Opened()
        case .reveal:
            inspector?.opened?.isRevealed.toggle()
            inspector?.opened?.detailsTop = 0
        case .olderFlow: show(flowAt: -1)
        case .newerFlow: show(flowAt: 1)
        default:
            guard let row = rowOfExchange(after: command == .nextStep) else { return }
            inspector?.selection = row
            inspector?.detailsTop = 0
            inspector?.opened = InspectorState.Opened()
        }
    }

    private mutating func show(flowAt distance: Int) {
        guard let trace = inspector.flatMap({ traces.neighbour(of: $0.flow, by: distance) }) else { return }
        inspector = InspectorState(trace.id)
    }

    /// One step back within the inspector, or out of it. What was revealed is hidden.
    mutating func closeInInspector() {
        if inspector?.opened == nil { inspector = nil } else { inspector?.opened = nil }
    }

    mutating func moveInInspector(_ command: CommandID) {
        guard var state = inspector, let trace = inspected else { return }
        if let (list, opened) = inspectedExchange {
            let step = Step(command, page: ExchangeView(list, opened, self).pageHeight)
            var moved = InspectorState.Opened()
            moved.selection = step.applied(to: opened.selection, last: list.all.count - 1)
            if moved.selection != opened.selection { state.opened = moved }
        } else {
            let step = Step(command, page: InspectorView(trace, state, self).pageHeight)
            select(step.applied(to: state.selection, last: trace.rows.count - 1), in: &state)
        }
        inspector = state
    }

    /// Another row's details are read from their top.
    private func select(_ row: Int, in state: inout InspectorState) {
        if row != state.selection { state.detailsTop = 0 }
        state.selection = row
    }

    /// The details that the inspector shows now.
    var inspectorDetails: DetailsPlace? {
        guard let inspector, let trace = inspected else { return nil }
        if let (list, opened) = inspectedExchange { return ExchangeView(list, opened, self).detailsPlace }
        return InspectorView(trace, inspector, self).detailsPlace
    }

    mutating func scrollDetails(by lines: Int) {
        guard let place = inspectorDetails else { return }
        let top = max(0, min(place.offset + lines, place.last))
        if inspectedExchange != nil { inspector?.opened?.detailsTop = top } else { inspector?.detailsTop = top }
    }

    mutating func selectInInspector(_ row: Int) {
        guard var state = inspector, let trace = inspected else { return }
        if let (list, _) = inspectedExchange {
            var moved = InspectorState.Opened()
            moved.selection = max(0, min(row, list.all.count - 1))
            state.opened = moved
        } else {
            select(max(0, min(row, trace.rows.count - 1)), in: &state)
        }
        inspector = state
    }

    /// The row of the nearest exchange after or before the selected one.
    func rowOfExchange(after isAfter: Bool) -> Int? {
        guard let state = inspector, let rows = inspected?.rows else { return nil }
        let exchanges = rows.indices.filter { rows[$0].exchange != nil }
        return isAfter
            ? exchanges.first { $0 > state.selection } : exchanges.last { $0 < state.selection }
    }

    var inspectedParameter: MSALFlowParameter? {
        guard let (list, opened) = inspectedExchange, list.all.indices.contains(opened.selection) else { return nil }
        return list.all[opened.selection]
    }

    /// A report of the flow; of an opened exchange the selected value, secret only when it is on the screen.
    var inspectorCopyable: CopiedText? {
        guard let (_, opened) = inspectedExchange else {
            return inspected.map { CopiedText("the flow", fileName: "flow.md", TraceReport($0).markdown) }
        }
        return inspectedParameter.map { parameter in
            let value = opened.isRevealed ? parameter.reveal() : parameter.value
            return CopiedText("the value of \(parameter.name)", fileName: "value.txt", value)
        }
    }

    /// For the status line.
    var placeInInspector: String? {
        guard let inspector, let trace = inspected else { return nil }
        if let (list, opened) = inspectedExchange {
            return list.all.isEmpty ? "" : "\(opened.selection + 1) of \(list.all.count)"
        }
        return trace.rows.isEmpty ? "" : "\(inspector.selection + 1) of \(trace.rows.count)"
    }
}

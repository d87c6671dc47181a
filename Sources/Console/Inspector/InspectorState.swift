/// The inspector, which lies over whatever screen it was opened from.
package struct InspectorState: Sendable, Equatable {
    /// The exchange that was opened, and the place in it.
    package struct Opened: Sendable, Equatable {
        /// The selected parameter.
        package var selection = 0
        /// Whether the selected parameter's whole value is shown. Moving on hides it.
        package var isRevealed = false
        /// The first line of the selected parameter's details that is shown.
        package var detailsTop = 0

        package init() {}
    }

    /// Whose flow.
    package var flow: EffectID
    /// The selected row.
    package var selection = 0
    /// The first line of the selected row's details that is shown.
    package var detailsTop = 0
    package var opened: Opened?

    package init(_ flow: EffectID) { self.flow = flow }
}

extension Model {
    /// The flow that the inspector shows.
    package var inspected: FlowTrace? { inspector.flatMap { traces[$0.flow] } }

    /// The exchange that is opened in the inspector.
    package var inspectedExchange: (exchange: ParameterList, opened: InspectorState.Opened)? {
        guard let inspector, let opened = inspector.opened, let rows = inspected?.rows,
            rows.indices.contains(inspector.selection), let exchange = rows[inspector.selection].exchange
        else { return nil }
        return (ParameterList(exchange), opened)
    }

    /// The flow that the inspect key opens on the visible screen: the one that runs or ended there, else the newest.
    package var inspectable: FlowTrace? {
        let own = routes.last.flatMap { $0.runningEffect ?? $0.endedEffect }.flatMap { traces[$0] }
        return own ?? (routes.isEmpty ? traces.newest : nil)
    }
}

/// The inspector, shown over the screen it was opened from.
package struct InspectorState: Sendable, Equatable {
    /// The opened exchange, with the selection and scroll offset.
    package struct Opened: Sendable, Equatable {
        /// The selected parameter.
        package var selection = 0
        /// Whether the selected parameter's secret value is shown. Moving the selection hides it.
        package var isRevealed = false
        /// The scroll offset of the parameter's details.
        package var detailsTop = 0
    }

    /// The effect whose flow is shown.
    package var inspected: EffectID
    /// The selected row.
    package var selection = 0
    /// The scroll offset of the row's details.
    package var detailsTop = 0
    package var opened: Opened?

    package init(_ flow: EffectID, selection: Int = 0) {
        self.inspected = flow
        self.selection = selection
    }
}

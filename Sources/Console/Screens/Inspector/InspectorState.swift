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

        package init(selection: Int = 0) { self.selection = selection }
    }

    /// Whose flow.
    package var inspected: EffectID
    /// The selected row.
    package var selection = 0
    /// The first line of the selected row's details that is shown.
    package var detailsTop = 0
    package var opened: Opened?

    package init(_ flow: EffectID, selection: Int = 0) {
        self.inspected = flow
        self.selection = selection
    }
}

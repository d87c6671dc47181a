/// The scenario list.
package struct ScenariosState: Sendable, Equatable {
    package var selection = 0
    /// The effect that opens a scenario, while it runs.
    package var opening: EffectID?

    package init() {}
}

/// The picker of scenarios.
package struct ScenariosState: Sendable, Equatable {
    package var selection = 0
    /// The scenario that is being opened.
    package var opening: EffectID?

    package init() {}
}

/// Identifies one run of an effect, so that late results can be ignored.
package struct EffectID: Sendable, Hashable {
    package var number: Int

    package init(_ number: Int) { self.number = number }
}

/// Names one run of an effect, so that a result that comes too late is known for one.
package struct EffectID: Sendable, Hashable {
    package var number: Int

    package init(_ number: Int) { self.number = number }
}

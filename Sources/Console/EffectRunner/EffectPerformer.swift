/// Performs effects and posts their results. ``EffectRunner`` in the program, a script in tests.
package protocol EffectPerformer: Sendable {
    func perform(_ effect: Effect, mailbox: Mailbox)
    /// Posts ticks at this pace, replacing the previous pace.
    func keep(_ pace: Pace, mailbox: Mailbox)
    /// Waits until all work has ended, including the cleanup of cancelled work.
    func finish() async
}

/// Does what effects say, and posts what comes of it. The real one is ``EffectRunner``; tests script one.
package protocol EffectPerformer: Sendable {
    func perform(_ effect: Effect, mailbox: Mailbox)
    /// Posts ticks so often, in place of what was asked for before.
    func keep(_ pace: Pace, mailbox: Mailbox)
    /// Returns when all work has ended: what was cancelled has let go of its sockets, what was not is done.
    func finish() async
}

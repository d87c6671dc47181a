/// Performs effects and posts their results. ``EffectRunner`` in the program, a script in tests.
package protocol EffectPerformer: Sendable {
    func perform(_ effect: Effect, mailbox: Mailbox)
    /// Posts ticks at this pace, replacing the previous pace.
    func keep(_ pace: Pace, mailbox: Mailbox)
    /// Waits until all work has ended, including the cleanup of cancelled work.
    func finish() async
}

/// The queue of messages to the model. Any task may post; only the program's loop reads.
package struct Mailbox: Sendable {
    package let messages: AsyncStream<Message>
    private let continuation: AsyncStream<Message>.Continuation

    package init() { (messages, continuation) = AsyncStream.makeStream() }

    package func post(_ message: Message) { continuation.yield(message) }

    func close() { continuation.finish() }
}

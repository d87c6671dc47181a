/// The queue of messages to the model. Any task may post; only the program's loop reads.
package struct Mailbox: Sendable {
    package let messages: AsyncStream<Message>
    private let continuation: AsyncStream<Message>.Continuation

    package init() {
        (messages, continuation) = AsyncStream.makeStream()
    }

    package func post(_ message: Message) { continuation.yield(message) }

    func close() { continuation.finish() }
}

/// A timeout for poll(2).
package struct PollTimeout: Sendable, Equatable {
    /// The timeout in milliseconds; -1 waits without limit.
    package var milliseconds: Int32

    /// Creates a timeout, rounded up, because waking too early would only cause another wait.
    package init(_ duration: Duration?) {
        guard let duration else {
            milliseconds = -1
            return
        }
        let parts = max(duration, .zero).components
        let whole = Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e15).rounded(.up)
        milliseconds = Int32(min(whole, Double(Int32.max)))
    }
}

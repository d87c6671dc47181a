/// A duration as poll(2) takes it.
package struct PollTimeout: Sendable, Equatable {
    /// -1 waits for ever.
    package var milliseconds: Int32

    /// Rounded up: whoever wakes before the time finds nothing to do, and waits again.
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

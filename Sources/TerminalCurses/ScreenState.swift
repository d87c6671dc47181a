import KeyturnSystem
import TerminalUI

/// The state that both threads and the program share. It has its own lock, so that nobody waits for a slow terminal.
struct ScreenState {
    enum Order: Equatable { case drawAgain, suspend, resume, recolor(TerminalBackground) }

    var size = Size.zero
    var latest: Surface?
    /// Whether the latest frame must still be drawn.
    var isDue = false
    var orders: [Order] = []
    var isLent = false
    var forgetsTyped = false
    var endedBy: Int32?
    /// Since when the program is to end, or ends by itself.
    var exitsSince: ContinuousClock.Instant?
    var isClosing = false
    var isClosed = false

    var isEnding: Bool { endedBy != nil || isClosing }

    /// Whether one more signal, or Ctrl-C, ends the program at once.
    func isOverdue(at now: ContinuousClock.Instant) -> Bool {
        !isClosing && exitsSince.map { $0.duration(to: now) > .signalEcho } ?? false
    }

    mutating func takeSurface() -> Surface? {
        defer { isDue = false }
        return isDue ? latest : nil
    }

    mutating func takeForgetting() -> Bool {
        defer { forgetsTyped = false }
        return forgetsTyped
    }

    mutating func takeOrder() -> Order? { orders.isEmpty ? nil : orders.removeFirst() }

    /// Follows a cleared terminal. Redraws a frame of this size; instead of another one, the program draws a new one.
    mutating func follow(_ size: Size) {
        self.size = size
        isDue = isDue || latest?.size == size
    }
}

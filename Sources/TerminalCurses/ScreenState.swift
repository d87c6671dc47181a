import TerminalUI

/// The state that both threads and the program share. It has its own lock, so that nobody waits for a slow terminal.
struct ScreenState {
    /// What the drawing thread has to do besides drawing.
    enum Order: Equatable { case drawAgain, suspend, resume, recolor(TerminalBackground) }

    var size = Size.zero
    var latest: Surface?
    /// Whether the latest frame must still be drawn.
    var isDue = false
    var orders: [Order] = []
    /// Whether the terminal is lent to another program.
    var isLent = false
    /// Whether to drop what was typed so far.
    var forgetsTyped = false
    var endedBy: Int32?
    var isClosing = false
    var isClosed = false

    var isEnding: Bool { endedBy != nil || isClosing }

    mutating func takeSurface() -> Surface? {
        defer { isDue = false }
        return isDue ? latest : nil
    }

    mutating func takeForgetting() -> Bool {
        defer { forgetsTyped = false }
        return forgetsTyped
    }

    mutating func takeOrder() -> Order? { orders.isEmpty ? nil : orders.removeFirst() }

    /// Follows a cleared terminal with this size. Redraws the frame only if its size matches; otherwise the program
    /// draws a new one.
    mutating func follow(_ size: Size) {
        self.size = size
        isDue = isDue || latest?.size == size
    }
}

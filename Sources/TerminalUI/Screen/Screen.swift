/// A screen to show frames and receive input: the terminal, or memory in tests.
package protocol Screen: Sendable {
    var size: Size { get }
    /// The input, as one stream that ends when the screen closes.
    var input: AsyncStream<InputEvent> { get }
    /// Shows a frame without waiting. If frames arrive faster than they can be drawn, the last one wins.
    func show(_ surface: Surface)
    /// Copies a text to the terminal's clipboard. Only call this at the user's request.
    func copy(_ text: String) -> CopyOutcome
    /// Changes the theme and the use of the mouse, and draws the latest frame again.
    func use(_ display: ScreenDisplay)
    /// Drops what was typed so far. ``InputEvent/forgotten`` follows all that was read before.
    func forgetTyped()
    /// Restores the terminal while `use` runs another program on it, then takes it back and draws the latest frame.
    func lend(_ use: @Sendable () async -> Void) async
    /// Restores the terminal. Can be called twice.
    func close()
}

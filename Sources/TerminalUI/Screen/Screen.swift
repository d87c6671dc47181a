/// A place to show frames and to get input from: the terminal, or memory in a test.
package protocol Screen: Sendable {
    var size: Size { get }
    /// One stream for the life of the screen; it ends when the screen closes.
    var input: AsyncStream<InputEvent> { get }
    /// Shows a frame. Returns at once; when frames come faster than they can be drawn, the last one wins.
    func show(_ surface: Surface)
    /// Gives a text to the terminal's clipboard. Only for what the person pressed a key to copy.
    func copy(_ text: String) -> CopyOutcome
    /// Gives the terminal back as it was while `use` runs, for another program to draw on, and takes it again afterwards.
    /// Frames shown meanwhile are drawn then.
    func lend(_ use: @Sendable () async -> Void) async
    /// Gives the terminal back as it was. Safe to call twice.
    func close()
}

/// A terminal or pipe to print lines to and read lines from.
package protocol PlainTerminal: Sendable {
    /// Whether it's a terminal, which echoes input. For a pipe, line mode prints the answers itself.
    var isInteractive: Bool { get }
    /// The input, as one stream for the terminal's lifetime.
    var input: AsyncStream<PlainInput> { get }
    func write(_ text: String)
    /// Hides or shows typed text.
    func hide(_ isHidden: Bool)
}

package enum PlainInput: Sendable, Equatable {
    /// A line, without its line end.
    case line(String)
    /// SIGCONT; another program may have used the terminal.
    case continued
    /// SIGINT.
    case interrupt
    /// SIGTERM or SIGHUP.
    case terminate
    /// End of input.
    case ended
}

/// A place to print lines to and to read lines from: a terminal of whatever kind, or a pipe.
package protocol PlainTerminal: Sendable {
    /// Whether a person sits there, who sees their own typing. At a pipe the answers are printed after the questions.
    var isInteractive: Bool { get }
    /// One stream for the life of the terminal; it ends with the input.
    var input: AsyncStream<PlainInput> { get }
    func write(_ text: String)
    /// Whether what is typed next is not to be seen.
    func hide(_ isHidden: Bool)
}

package enum PlainInput: Sendable, Equatable {
    /// Without its line end.
    case line(String)
    /// SIGCONT: another program may have used the terminal.
    case continued
    /// SIGINT.
    case interrupt
    /// SIGTERM or SIGHUP.
    case terminate
    /// There is no more input.
    case ended
}

/// An event from the terminal.
package enum InputEvent: Sendable, Equatable {
    case key(Key)
    case mouse(MouseEvent)
    case resize(Size)
    /// Pasted text as sent by the terminal, with line ends and not sanitized.
    case paste(String)
    /// SIGINT from another process; Ctrl-C in the terminal is a key.
    case interrupt
    /// SIGTERM, SIGHUP or a closed terminal. The program must quit.
    case terminate
}

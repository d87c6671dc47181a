/// What reaches a program from its terminal.
package enum InputEvent: Sendable, Equatable {
    case key(Key)
    case mouse(MouseEvent)
    case resize(Size)
    /// Text pasted in one go, as the terminal sent it: line ends and all. It has not been made printable.
    case paste(String)
    /// SIGINT from outside; Ctrl-C in the terminal is a key.
    case interrupt
    /// SIGTERM, SIGHUP, or the terminal is gone: close and end.
    case terminate
}

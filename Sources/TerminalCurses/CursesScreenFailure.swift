/// Why the terminal cannot be taken over.
package enum CursesScreenFailure: Error, Sendable, Equatable {
    case inputIsNoTerminal
    case outputIsNoTerminal
    /// `TERM` is empty or not set.
    case terminalNotNamed
    case terminalUnknown(String)
    case terminalTooSimple(String)
    case alreadyOpen
    /// A call to the system failed, with its `errno`.
    case system(String, Int32)

    /// What is wrong, in one sentence.
    package var reason: String {
        switch self {
        case .inputIsNoTerminal: "Standard input is not a terminal."
        case .outputIsNoTerminal: "Standard output is not a terminal."
        case .terminalNotNamed: "TERM is not set, so the kind of terminal is unknown."
        case .terminalUnknown(let name): "This system does not know the terminal “\(name)” that TERM names."
        case .terminalTooSimple(let name):
            "The terminal “\(name)” cannot place its cursor, so it cannot show a full screen."
        case .alreadyOpen: "The terminal is already in use by this program."
        case .system(let call, let code): "The terminal could not be taken over: \(call) failed (error \(code))."
        }
    }

    /// What to do about it.
    package var nextStep: String {
        switch self {
        case .inputIsNoTerminal, .outputIsNoTerminal:
            "Run it in a terminal, or use the commands that print lines instead (--help lists them)."
        case .terminalNotNamed, .terminalUnknown, .terminalTooSimple:
            "Set TERM to what your terminal is, for example TERM=xterm-256color, or use the commands that print lines."
        case .alreadyOpen: "Close the other screen first."
        case .system: "Try again in another terminal."
        }
    }
}

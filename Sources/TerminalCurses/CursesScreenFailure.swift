import KeyturnSystem

/// Why the full-screen program can't start on the terminal.
package enum CursesScreenFailure: Error, Sendable, Equatable {
    case inputIsNoTerminal, outputIsNoTerminal, alreadyOpen
    /// `TERM` is empty or not set.
    case terminalNotNamed
    case terminalUnknown(String), terminalTooSimple(String), limit(SystemLimit)
    /// This signal ended the program before it could use the terminal.
    case ended(Int32)
    /// With its `errno`.
    case system(String, Int32)

    package var reason: String {
        switch self {
        case .inputIsNoTerminal: "Standard input isn't a terminal."
        case .outputIsNoTerminal: "Standard output isn't a terminal."
        case .terminalNotNamed: "TERM isn't set, so the terminal's type is unknown."
        case .terminalUnknown(let name): "No terminfo entry for the terminal \"\(name)\" (TERM)."
        case .terminalTooSimple(let name):
            "The terminal \"\(name)\" can't position the cursor, so it can't show a full screen."
        case .alreadyOpen: "This program already uses the terminal."
        case .ended(let signal): "Signal \(signal) ended the program before it could use the terminal."
        case .system(let call, let code):
            "Can't use the terminal: \(call) failed (\(systemReason(code, hasRemedy: false)))."
        case .limit(let limit): "Can't use the terminal: \(limit.problem)."
        }
    }

    package var nextStep: String {
        switch self {
        case .inputIsNoTerminal, .outputIsNoTerminal:
            "Run keyturn in a terminal, or use its commands (--help lists them)."
        case .terminalNotNamed, .terminalUnknown, .terminalTooSimple:
            "Set TERM to your terminal's type, for example xterm-256color, or use the commands (--help lists them)."
        case .alreadyOpen: "Close the other screen first."
        case .ended: "Run keyturn in the foreground, for example with timeout --foreground."
        case .system, .limit: limit.map { "\($0.remedy)." } ?? "Try again in another terminal."
        }
    }

    package var limit: SystemLimit? {
        switch self {
        case .limit(let limit): limit
        case .system(_, let code): SystemLimit(code: code)
        case .inputIsNoTerminal, .outputIsNoTerminal, .terminalNotNamed, .terminalUnknown, .terminalTooSimple,
            .alreadyOpen, .ended:
            nil
        }
    }
}

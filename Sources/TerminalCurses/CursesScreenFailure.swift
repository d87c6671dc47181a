import KeyturnSystem

/// Why the full-screen program can't start on the terminal.
package enum CursesScreenFailure: Error, Sendable, Equatable {
    case inputIsNoTerminal
    case outputIsNoTerminal
    /// `TERM` is empty or not set.
    case terminalNotNamed
    case terminalUnknown(String)
    case terminalTooSimple(String)
    case alreadyOpen
    /// A signal ended the program before it could use the terminal.
    case ended(Int32)
    /// A system call failed, with its `errno`.
    case system(String, Int32)
    case limit(SystemLimit)

    /// The cause, in one sentence.
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

    /// The next step, in one sentence.
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

    /// The limit of the process that is too low; `nil` for another cause.
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

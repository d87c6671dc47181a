/// Whether this machine can do its part: the desktop's handler of a scheme, an identity broker, the terminal, the ways
/// to sign in.
package struct MachineFindings: Sendable, Equatable {
    /// Who opens addresses of the redirect URI's scheme.
    package enum Handler: Sendable, Equatable {
        /// The redirect URI has no scheme of its own.
        case notNeeded
        case ours(scheme: String)
        /// `name`: the desktop entry; `nil` when there is none.
        case other(scheme: String, name: String?)
        /// There is no xdg-mime to ask.
        case unknown(scheme: String)
    }

    package struct Terminal: Sendable, Equatable {
        /// `$TERM`; `nil` when it is not set.
        package var name: String?
        package var isTerminal: Bool
        package var usesUTF8: Bool
        /// Whether there is a description of it; `nil` when nobody looked.
        package var isKnown: Bool?

        package init(name: String?, isTerminal: Bool, usesUTF8: Bool, isKnown: Bool? = nil) {
            self.name = name
            self.isTerminal = isTerminal
            self.usesUTF8 = usesUTF8
            self.isKnown = isKnown
        }
    }

    /// The way to sign in that fits this machine.
    package struct Way: Sendable, Equatable {
        /// As `--way` takes it.
        package var name: String
        package var reason: String
        /// The way of the profile, and what speaks against it here; `nil` when it fits.
        package var configured: Configured?

        package struct Configured: Sendable, Equatable {
            package var name: String
            package var objection: String

            package init(name: String, objection: String) {
                self.name = name
                self.objection = objection
            }
        }

        package init(name: String, reason: String, configured: Configured? = nil) {
            self.name = name
            self.reason = reason
            self.configured = configured
        }
    }

    package var handler: Handler
    package var broker: Broker
    package var terminal: Terminal
    package var way: Way

    package init(handler: Handler, broker: Broker, terminal: Terminal, way: Way) {
        self.handler = handler
        self.broker = broker
        self.terminal = terminal
        self.way = way
    }

    package var all: [CheckFinding] { [scheme, broker.finding, screen, characters, signIn].compactMap(\.self) }

    private var scheme: CheckFinding? {
        let subject = "Desktop handler"
        switch handler {
        case .notNeeded: return nil
        case .ours(let scheme): return CheckFinding(subject, .good, "The desktop opens \(scheme):// with keyturn.")
        case .other(let scheme, let name):
            return CheckFinding(
                subject, .wrong,
                "The desktop opens \(scheme):// with \(name ?? "nothing"), so the browser cannot come back.",
                fix: "Run keyturn register, or sign in with --way paste.")
        case .unknown(let scheme):
            return CheckFinding(
                subject, .attention, "There is no xdg-mime here to ask who opens \(scheme)://.",
                fix: "Install xdg-utils and run keyturn register, or sign in with --way paste.")
        }
    }

    private var screen: CheckFinding? {
        let subject = "Terminal"
        let fix = "Set TERM as your terminal says (xterm-256color fits most); commands work all the same."
        guard terminal.isTerminal else {
            return CheckFinding(subject, .good, "There is none: commands work, the full-screen program does not.")
        }
        guard let name = terminal.name, !name.isEmpty else {
            return CheckFinding(subject, .attention, "TERM is not set.", fix: fix)
        }
        if name == "dumb" {
            return CheckFinding(
                subject, .attention, "It is a dumb one: no full-screen program.", fix: "Use the commands, with --plain."
            )
        }
        if terminal.isKnown == false {
            return CheckFinding(subject, .attention, "This system has no description of \(name).", fix: fix)
        }
        return CheckFinding(subject, .good, "\(name).")
    }

    private var characters: CheckFinding {
        terminal.usesUTF8
            ? CheckFinding("Characters", .good, "UTF-8.")
            : CheckFinding(
                "Characters", .attention, "The locale is not UTF-8: names and lines are drawn in ASCII.",
                fix: "Set LANG to a UTF-8 locale, such as C.UTF-8.")
    }

    private var signIn: CheckFinding {
        if let configured = way.configured {
            return CheckFinding(
                "Way to sign in", .attention, "The profile says \(configured.name). \(configured.objection)",
                fix: "Use --way \(way.name), or \"way\": \"\(way.name)\" in the profile.")
        }
        return CheckFinding("Way to sign in", .good, "\(way.name): \(way.reason)")
    }
}

import MSAL

/// Findings about this machine: URL handler, identity broker, terminal and sign-in method.
package struct MachineFindings: Sendable, Equatable {
    /// The desktop's handler of the redirect URI's scheme.
    package enum Handler: Sendable, Equatable {
        /// The redirect URI has no custom scheme.
        case notNeeded
        case ours(scheme: String)
        /// `name`: the desktop entry; `nil` if there is none.
        case other(scheme: String, name: String?)
        /// xdg-mime is not installed.
        case unknown(scheme: String)
    }

    package struct Terminal: Sendable, Equatable {
        /// `$TERM`; `nil` if not set.
        package var name: String?
        package var isTerminal: Bool
        package var characters: Characters
        /// Whether terminfo describes the terminal; `nil` if not checked.
        package var isKnown: Bool?

        /// The characters that the screen can draw.
        package enum Characters: Sendable, Equatable {
            case utf8
            /// The locale has another character set.
            case ascii
            /// The locale isn't installed. `substitute`: the one with UTF-8 that is used instead; `nil` for ASCII.
            case missing(name: String, substitute: String?)
        }

        package init(name: String?, isTerminal: Bool, characters: Characters, isKnown: Bool? = nil) {
            self.name = name
            self.isTerminal = isTerminal
            self.characters = characters
            self.isKnown = isKnown
        }
    }

    /// The sign-in method for this machine.
    package struct Method: Sendable, Equatable {
        /// The value for `--method`.
        package var name: String
        package var reason: String
        /// The method of the profile and why it doesn't work here; `nil` if it works.
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
    package var method: Method

    package init(handler: Handler, broker: Broker, terminal: Terminal, method: Method) {
        self.handler = handler
        self.broker = broker
        self.terminal = terminal
        self.method = method
    }

    package var all: [CheckFinding] { [scheme, broker.finding, screen, characters, signIn].compactMap(\.self) }

    private var scheme: CheckFinding? {
        let subject = "URL handler"
        switch handler {
        case .notNeeded: return nil
        case .ours(let scheme): return CheckFinding(subject, .passed, "The desktop opens \(scheme):// with keyturn.")
        case .other(let scheme, let name):
            return CheckFinding(
                subject, .failed,
                "The desktop opens \(scheme):// with \(name ?? "no program"), so the response can't reach keyturn.",
                fix:
                    "Register this program for it ('keyturn register'), or paste the final URL at each sign-in (--method paste)."
            )
        case .unknown(let scheme):
            return CheckFinding(
                subject, .warning, "Can't check the handler of \(scheme)://: xdg-mime isn't installed.",
                fix:
                    "Install xdg-utils and register this program ('keyturn register'), or paste the final URL (--method paste)."
            )
        }
    }

    private var screen: CheckFinding? {
        let subject = "Terminal"
        let fix = "Set TERM to your terminal's type, for example xterm-256color. Commands work anyway."
        guard terminal.isTerminal else {
            return CheckFinding(subject, .passed, "Not in a terminal, so only commands and line mode work.")
        }
        guard let name = terminal.name, !name.isEmpty else {
            return CheckFinding(subject, .warning, "TERM is not set.", fix: fix)
        }
        if name == "dumb" {
            return CheckFinding(
                subject, .warning, "A dumb terminal: no full-screen program.", fix: "Use the commands, or --plain."
            )
        }
        if terminal.isKnown == false {
            return CheckFinding(subject, .warning, "No terminfo entry for \(name).", fix: fix)
        }
        return CheckFinding(subject, .passed, "\(name).")
    }

    private var characters: CheckFinding {
        let subject = "Characters"
        switch terminal.characters {
        case .utf8: return CheckFinding(subject, .passed, "UTF-8.")
        case .ascii:
            return CheckFinding(
                subject, .warning, "The locale isn't UTF-8: names and lines appear in ASCII.",
                fix: "Set LANG to a UTF-8 locale, for example C.UTF-8.")
        case .missing(let name, let substitute?):
            return CheckFinding(
                subject, .warning, "The locale \(name) isn't installed. Keyturn uses \(substitute) instead.",
                fix: "Install the locale (as root: locale-gen), or set LANG to \(substitute).")
        case .missing(let name, substitute: nil):
            return CheckFinding(
                subject, .warning, "The locale \(name) isn't installed: names and lines appear in ASCII.",
                fix: "Install the locale (as root: locale-gen), or set LANG to an installed one (locale -a).")
        }
    }

    private var signIn: CheckFinding {
        if let configured = method.configured {
            return CheckFinding(
                "Sign-in method", .warning, "The profile uses \(configured.name). \(configured.objection)",
                fix:
                    "Set \"method\": \"\(method.name)\" in the profile, or choose that method (--method \(method.name))."
            )
        }
        return CheckFinding("Sign-in method", .passed, "\(method.name): \(method.reason)")
    }

    /// The identity broker of the user's session.
    package enum Broker: Sendable, Equatable {
        /// The application is unknown.
        case notCalled
        /// Brokers support Entra only.
        case notServed
        /// `isWanted`: the profile uses a broker first.
        case absent(hasSessionBus: Bool, isWanted: Bool)
        case responded(version: String)
        /// A broker exists but fails.
        case failed(Failure)

        var finding: CheckFinding {
            let subject = "Identity broker"
            switch self {
            case .notCalled: return CheckFinding(subject, .skipped, "Checked only with a profile.")
            case .notServed:
                return CheckFinding(subject, .passed, "Not supported by this authority. Other sign-in methods work.")
            case .absent(let hasSessionBus, let isWanted):
                let fact =
                    hasSessionBus ? "None on the session bus" : "None: no session bus"
                guard isWanted else { return CheckFinding(subject, .passed, "\(fact). Other sign-in methods work.") }
                return CheckFinding(
                    subject, .warning, "\(fact), but the profile uses one.",
                    fix: hasSessionBus
                        ? "Install microsoft-identity-broker, or remove \"broker\" from \"method\"."
                        : "Sign in to a desktop session, or remove \"broker\" from \"method\".")
            case .responded(let version):
                return CheckFinding(subject, .passed, "Version \(version), on the session bus.")
            case .failed(let failure):
                // The report hides quoted text: the broker's message can contain names.
                let words = failure.reason.replacing("\"", with: "'")
                return CheckFinding(
                    subject, .warning, "The broker failed: \"\(words)\"", fix: failure.fix)
            }
        }
    }
}

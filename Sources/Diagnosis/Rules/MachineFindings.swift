import MSAL

/// Findings about this machine: URL handler, identity broker, terminal and sign-in method.
package struct MachineFindings: Sendable, Equatable {
    /// Of the redirect URI's scheme.
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

        package enum Characters: Sendable, Equatable {
            case utf8
            case ascii
            /// The locale isn't installed. `substitute`: the one with UTF-8 that is used instead; `nil` for ASCII.
            case missing(name: String, substitute: String?)
        }

        package init(name: String?, isTerminal: Bool, characters: Characters, isKnown: Bool? = nil) {
            (self.name, self.isTerminal, self.characters, self.isKnown) = (name, isTerminal, characters, isKnown)
        }
    }

    package struct Method: Sendable, Equatable {
        /// The value for `--method`.
        package var name: String
        package var reason: String
        /// The method of the profile and why it doesn't work here; `nil` if it works.
        package var configured: Configured?

        package struct Configured: Sendable, Equatable {
            package var name: String
            package var objection: String

            package init(name: String, objection: String) { (self.name, self.objection) = (name, objection) }
        }

        package init(name: String, reason: String, configured: Configured? = nil) {
            (self.name, self.reason, self.configured) = (name, reason, configured)
        }
    }

    package var handler: Handler
    package var broker: Broker
    package var terminal: Terminal
    package var method: Method

    package init(handler: Handler, broker: Broker, terminal: Terminal, method: Method) {
        (self.handler, self.broker, self.terminal, self.method) = (handler, broker, terminal, method)
    }

    package var all: [CheckFinding] { [scheme, broker.finding, screen, characters, signIn].compactMap(\.self) }

    private var scheme: CheckFinding? {
        switch handler {
        case .notNeeded: nil
        case .ours(let scheme): CheckFinding(named: "handler-ours", scheme)
        case .other(let scheme, let name): CheckFinding(named: "handler-of-other", scheme, name ?? "no program")
        case .unknown(let scheme): CheckFinding(named: "handler-unknown", scheme)
        }
    }

    private var screen: CheckFinding? {
        guard terminal.isTerminal else { return CheckFinding(named: "terminal-none") }
        guard let name = terminal.name, !name.isEmpty else { return CheckFinding(named: "terminal-without-type") }
        if name == "dumb" { return CheckFinding(named: "terminal-dumb") }
        return CheckFinding(named: terminal.isKnown == false ? "terminal-unknown" : "terminal-in-order", name)
    }

    private var characters: CheckFinding {
        switch terminal.characters {
        case .utf8: CheckFinding(named: "characters-utf-8")
        case .ascii: CheckFinding(named: "characters-ascii")
        case .missing(let name, let substitute?): CheckFinding(named: "locale-replaced", name, substitute, substitute)
        case .missing(let name, substitute: nil): CheckFinding(named: "locale-missing", name)
        }
    }

    private var signIn: CheckFinding {
        let name = method.name
        guard let configured = method.configured else {
            return CheckFinding("Sign-in method", .passed, "\(name): \(method.reason)")
        }
        return CheckFinding(
            "Sign-in method", .warning, "The profile uses \(configured.name). \(configured.objection)",
            fix: "Set \"method\": \"\(name)\" in the profile, or choose that method (--method \(name)).")
    }

    package enum Broker: Sendable, Equatable {
        /// The application is unknown.
        case notCalled
        /// Brokers support Entra only.
        case notServed
        /// `isWanted`: the profile uses a broker first.
        case absent(hasSessionBus: Bool, isWanted: Bool)
        case responded(version: String)
        case failed(Failure)

        var finding: CheckFinding {
            switch self {
            case .notCalled: return CheckFinding(named: "broker-unchecked")
            case .notServed: return CheckFinding(named: "broker-not-served")
            case .absent(let hasSessionBus, let isWanted):
                let (fact, fix) =
                    hasSessionBus
                    ? ("None on the session bus", "Install microsoft-identity-broker")
                    : ("None: no session bus", "Sign in to a desktop session")
                return isWanted ? .init(named: "broker-wanted", fact, fix) : .init(named: "broker-absent", fact)
            case .responded(let version): return CheckFinding(named: "broker-responds", version)
            case .failed(let failure):
                // The report hides quoted text: the broker's message can contain names.
                let words = failure.reason.replacing("\"", with: "'")
                return CheckFinding("Identity broker", .warning, "The broker failed: \"\(words)\"", fix: failure.fix)
            }
        }
    }
}

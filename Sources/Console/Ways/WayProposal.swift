/// The ways to sign in, the one that fits best first, each with the reason in a sentence.
package struct WayProposal: Sendable, Equatable {
    package struct Choice: Sendable, Equatable {
        package var way: SignInWay
        package var reason: String

        package init(_ way: SignInWay, _ reason: String) {
            self.way = way
            self.reason = reason
        }
    }

    package let choices: [Choice]
    private let facts: MachineFacts

    package init(_ facts: MachineFacts) {
        self.facts = facts
        choices = Self.choices(facts)
    }

    package var best: SignInWay { choices.first?.way ?? .browser }

    /// How well a way fits.
    package func reason(for way: SignInWay) -> String? {
        guard way != .broker else {
            return "The broker of this session signs in; without one, \(best.asObject) does."
        }
        return choices.first { $0.way == way }?.reason
    }

    private static func choices(_ facts: MachineFacts) -> [Choice] {
        let device = Choice(.device, "Enter a code on any device that has a browser.")
        let paste = Choice(.paste, "Open the page in any browser, paste the address it ends on.")
        if facts.namesBrowser {
            // Editors that work over ssh set it to a helper that opens the page where the person sits.
            return [Choice(.browser, "$BROWSER names a browser."), device, paste]
        }
        if facts.isWSL {
            return [Choice(.browser, "The browser of Windows comes back to this program."), device, paste]
        }
        if facts.ssh != nil {
            return [
                device, paste,
                Choice(.browser, "Over ssh your own browser comes back by a forwarded port only."),
            ]
        }
        if facts.isContainer {
            return [device, paste, Choice(.browser, "In a container: a browser outside reaches no port in here.")]
        }
        guard facts.hasDisplay else {
            return [device, paste, Choice(.browser, "There is no display: only a text browser could open.")]
        }
        return [Choice(.browser, "The browser of this desktop comes back by itself."), device, paste]
    }

    /// What to run where the person sits, so that their own browser reaches the port that listens here. `nil` when nobody
    /// came over ssh.
    package func portForwarding(port: Int) -> String? {
        guard let ssh = facts.ssh else { return nil }
        let option = ssh.port == 22 ? "" : " -p \(ssh.port)"
        let host = ssh.server ?? "HOST"
        return "ssh -N -L \(port):localhost:\(port)\(option) \(facts.user.map { "\($0)@" } ?? "")\(host)"
    }
}

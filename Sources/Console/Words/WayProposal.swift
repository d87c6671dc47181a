/// The ways to sign in that can work, the one that fits best first, each with the reason in a sentence. They follow from
/// the machine, the profile and the authority.
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
    private let offersDeviceCode: Bool?

    /// - Parameters:
    ///   - namesBrowser: whether the profile names a browser to open.
    ///   - offersDeviceCode: whether the authority's discovery document names a device authorization endpoint; nil: unknown.
    package init(_ facts: MachineFacts, namesBrowser: Bool = false, offersDeviceCode: Bool? = nil) {
        self.facts = facts
        self.offersDeviceCode = offersDeviceCode
        choices = Self.choices(facts, namesBrowser: namesBrowser).filter {
            $0.way != .device || offersDeviceCode != false
        }
    }

    /// The proposal for a profile and an authority on the same machine.
    package func fitting(namesBrowser: Bool, offersDeviceCode: Bool?) -> WayProposal {
        WayProposal(facts, namesBrowser: namesBrowser, offersDeviceCode: offersDeviceCode)
    }

    package var best: SignInWay { choices.first?.way ?? .browser }

    /// The ways of a sign-in for which the user chose none: the best, and while it is unknown whether the authority offers
    /// device codes, what stands in for one.
    package var usual: [SignInWay] {
        choices.prefix(best == .device && offersDeviceCode == nil ? 2 : 1).map(\.way)
    }

    /// Why a way cannot work, as a sentence; nil: it can.
    package func obstacle(to way: SignInWay) -> String? {
        way == .device && offersDeviceCode == false
            ? "The authority's discovery document names no device_authorization_endpoint." : nil
    }

    /// How well a way fits.
    package func reason(for way: SignInWay) -> String? {
        guard way != .broker else {
            return "The broker of this session signs in; without one, \(best.asObject) does."
        }
        return choices.first { $0.way == way }?.reason
    }

    private static func choices(_ facts: MachineFacts, namesBrowser: Bool) -> [Choice] {
        let device = Choice(.device, "Enter a code on any device that has a browser.")
        let paste = Choice(.paste, "Open the page in any browser, paste the address it ends on.")
        if namesBrowser { return [Choice(.browser, "The profile names a browser."), device, paste] }
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

import Console
import Diagnosis
import Foundation

extension MachineFindings.Terminal {
    init(_ surroundings: Surroundings) {
        let name = surroundings.environment["TERM"]
        self.init(
            name: name, isTerminal: surroundings.hasTerminal, usesUTF8: surroundings.usesUTF8,
            isKnown: name.flatMap { Self.isDescribed($0, in: surroundings.environment) })
    }

    /// Whether one of the places has a description of it where terminfo(5) puts them: in a folder named for the first
    /// letter, or for its number. `nil` for a name that is no file's.
    private static func isDescribed(_ name: String, in environment: [String: String]) -> Bool? {
        guard let letter = name.first?.asciiValue, !name.contains("/") else { return nil }
        let home = environment["HOME"].map { "\($0)/.terminfo" }
        let places = [environment["TERMINFO"], home, "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        let folders = [name.prefix(1).description, String(letter, radix: 16)]
        return places.compactMap(\.self).contains { place in
            folders.contains { FileManager.default.fileExists(atPath: "\(place)/\($0)/\(name)") }
        }
    }
}

extension MachineFindings.Method {
    /// The profile's method counts against the machine only where a browser would open and not come back.
    /// - Parameter offersDeviceCode: what the authority offers, when that is known.
    init(_ machine: MachineFacts, profile: Profile?, offersDeviceCode: Bool?) {
        let proposal = MethodProposal(
            machine, namesBrowser: profile?.browser != nil, offersDeviceCode: offersDeviceCode)
        let objection = profile.flatMap { profile in
            profile.method == .browser && proposal.best != .browser ? proposal.reason(for: .browser) : nil
        }
        self.init(
            name: proposal.best.rawValue, reason: proposal.reason(for: proposal.best) ?? "",
            configured: objection.map { .init(name: SignInMethod.browser.rawValue, objection: $0) })
    }
}

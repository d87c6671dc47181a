import Console
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

extension MachineFindings.Terminal.Characters {
    fileprivate init(_ found: CharacterLocale) {
        switch found {
        case .utf8: self = .utf8
        case .other: self = .ascii
        case .missing(let name, let substitute): self = .missing(name: name, substitute: substitute)
        }
    }
}

extension MachineFindings.Terminal {
    init(_ surroundings: Surroundings) {
        let name = surroundings.environment["TERM"]
        self.init(
            name: name, isTerminal: surroundings.hasTerminal,
            characters: Characters(CharacterLocale(environment: surroundings.environment)),
            isKnown: name.flatMap { Self.isDescribed($0, in: surroundings.environment) })
    }

    /// Whether terminfo(5) has an entry, in a folder named after the first letter or its code; `nil` for an invalid name.
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
    /// Warns about the profile's method if it can't work, or if the browser would open but not return.
    init(_ machine: MachineFacts, profile: Profile?, offersDeviceCode: Bool?) {
        let proposal = MethodProposal(
            machine, namesBrowser: profile?.browser != nil, offersDeviceCode: offersDeviceCode,
            prefersPaste: profile.flatMap { ProviderKind(of: $0) }?.prefersPaste ?? false)
        let objection = profile?.method.flatMap { method in
            proposal.obstacle(to: method)
                ?? (method == .browser && proposal.best != .browser ? proposal.reason(for: method) : nil)
        }
        if objection == nil, let profile, profile.method != nil {
            let names = profile.methods.map(\.rawValue).joined(separator: ", then ")
            self.init(name: names, reason: "As the profile says.")
            return
        }
        let isUncertain = proposal.best == .device && offersDeviceCode == nil
        self.init(
            name: proposal.best.rawValue,
            reason: (proposal.reason(for: proposal.best) ?? "")
                + (isUncertain ? " If the authority doesn't support device codes, paste is used." : ""),
            configured: objection.map { .init(name: profile?.method?.rawValue ?? "", objection: $0) })
    }
}

extension MachineFindings.Broker {
    /// Requests the broker's version, without an account or a window. D-Bus starts the broker if needed.
    init(for profile: Profile, in surroundings: Surroundings) async {
        let isWanted = profile.methods.contains(.broker)
        var profile = profile
        // Other profiles can use it with --method broker.
        profile.method = .broker
        do {
            let device = try await profile.applicationToLookAt().deviceInformation(with: nil)
            let version = device.extraDeviceInformation[MSALDeviceInformation.brokerVersionKey] as? String
            self =
                version.map(Self.responded)
                ?? .absent(hasSessionBus: Self.hasSessionBus(surroundings.environment), isWanted: isWanted)
        } catch {
            let code = (error as NSError).userInfo[MSALInternalErrorCodeKey] as? Int
            let isServed = code != MSALInternalError.internalBrokerNotAvailable.rawValue
            self = isServed ? .failed(Failure(error).told(\.sentence)) : .notServed
        }
    }

    /// Whether a session bus exists (D-Bus specification, "well-known message bus instances").
    private static func hasSessionBus(_ environment: [String: String]) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        return environment["XDG_RUNTIME_DIR"].map { FileManager.default.fileExists(atPath: "\($0)/bus") } ?? false
    }
}

extension CheckFinding {
    init(_ subject: String, failure: any Error) {
        let report = Failure(reporting: failure)
        self.init(subject, .failed, report.reason, fix: report.advice.isEmpty ? nil : report.advice)
    }

    /// A failed check from an error with which a sign-in would end too.
    init(_ subject: String, ofSignIn error: any Error) {
        self.init(subject, failure: error)
        failure = Failure(reporting: error)
    }
}

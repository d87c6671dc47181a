import Diagnosis
import Foundation
import MSAL

extension MachineFindings.Broker {
    /// Asks for its version, which needs no account and shows nobody anything; the bus starts one that does not run yet.
    /// - Parameter profile: with a redirect URI that no rule refuses.
    init(askedFor profile: Profile, in surroundings: Surroundings) async {
        let isWanted = profile.methods.contains(.broker)
        var profile = profile
        // Whoever signs in without one can still use it with --method broker.
        profile.method = .broker
        do {
            let device = try await profile.applicationToLookAt().deviceInformation(with: nil)
            let version = device.extraDeviceInformation[MSALDeviceInformation.brokerVersionKey] as? String
            self =
                version.map(Self.answered)
                ?? .absent(hasSessionBus: Self.hasSessionBus(surroundings.environment), isWanted: isWanted)
        } catch {
            let code = (error as NSError).userInfo[MSALInternalErrorCodeKey] as? Int
            let isServed = code != MSALInternalError.internalBrokerNotAvailable.rawValue
            self = isServed ? .failed(FailureFact(error)) : .notServed
        }
    }

    /// Where libraries look for it (D-Bus specification, "well-known message bus instances").
    private static func hasSessionBus(_ environment: [String: String]) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty }
        return environment["XDG_RUNTIME_DIR"].map { FileManager.default.fileExists(atPath: "\($0)/bus") } ?? false
    }
}

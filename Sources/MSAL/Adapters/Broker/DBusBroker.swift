import CDesktop
import Foundation
import KeyturnSystem
import OAuthCore

/// The identity broker on the session bus, through GIO (docs/upstream-behaviour.md §13). Nothing is loaded before the
/// first call, and nothing runs between calls. Newer brokers don't support introspection, so it isn't used.
package struct DBusBroker: Broker {
    static let name = "com.microsoft.identity.broker1"
    static let path = "/com/microsoft/identity/broker1"
    static let interface = "com.microsoft.identity.Broker1"

    private let bus: String?

    /// - Parameter environment: the variables that locate the session bus. Without one, GIO would start a bus.
    package init(environment: [String: String]) { bus = Self.address(in: environment) }

    /// The address of the session bus, or `nil` without one (D-Bus specification, "well-known message bus instances").
    static func address(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address.isEmpty ? nil : address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
            FileManager.default.fileExists(atPath: "\(runtime)/bus")
        else { return nil }
        return "unix:path=\(runtime)/bus"
    }

    private static let noBus = "There is no session bus, so no identity broker."

    package func presence() -> BrokerPresence {
        guard let bus else { return .absent(Self.noBus) }
        guard let limit = keyturn_limit_start(1_000) else { return .absent(Self.problem) }
        defer { keyturn_limit_end(limit) }
        var presence: Int32 = 0
        let (code, why) = withReason(KEYTURN_BUS_WHY) { keyturn_bus_presence(bus, Self.name, limit, &presence, $0) }
        guard code == KEYTURN_BUS_DONE else { return .absent("No identity broker is available. \(why)") }
        return switch presence {
        case 1: .running
        case 2: .startable
        default: .absent("No identity broker is on the session bus.")
        }
    }

    package func response(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret {
        guard let bus else { throw BrokerFailure(.absent, reason: Self.noBus) }
        let call = BusCall(request, correlationID: correlationID, bus: bus)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // On its own thread, because it blocks.
                let perform: @Sendable () -> Void = {
                    let result = call.perform(within: limit.map { Int32(clamping: Int($0 * 1000)) } ?? -1)
                    if case .failure(let failure) = result, failure.kind == .cancelled, let whenCancelled {
                        // Not every broker has this method; ignore errors, and wait at most 3 s.
                        _ = BusCall(whenCancelled, correlationID: correlationID, bus: bus)
                            .perform(within: 3_000)
                    }
                    continuation.resume(returning: result)
                }
                do throws(SystemLimit) { try SystemThread.start(perform) } catch {
                    continuation.resume(returning: .failure(BrokerFailure(.failed, reason: "\(error.reason).")))
                }
            }
        } onCancel: {
            call.cancel()
        }
        return try result.get()
    }

    static var problem: String { String(cString: keyturn_bus_problem()) }
}

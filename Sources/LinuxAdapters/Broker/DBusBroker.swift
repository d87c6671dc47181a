import AuthEngine
import CGIO
import Foundation
import OAuthCore

/// The identity broker on the session bus (docs/upstream-behaviour.md §13), through GIO.
///
/// The library is loaded and the bus is touched by the first call only. Each call has a connection of its own, so that
/// nothing runs between calls. The interface is never asked to describe itself: brokers stopped doing so.
package struct DBusBroker: Broker {
    static let name = "com.microsoft.identity.broker1"
    static let path = "/com/microsoft/identity/broker1"
    static let interface = "com.microsoft.identity.Broker1"

    private let bus: String?
    private let presenceLimit: Double

    /// - Parameter environment: says where the session bus is. GIO would start one of its own where there is none.
    package init(environment: [String: String], presenceLimit: Double = 1) {
        bus = Self.address(in: environment)
        self.presenceLimit = presenceLimit
    }

    /// `nil` when there is no session bus (D-Bus specification, "well-known message bus instances").
    private static func address(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address.isEmpty ? nil : address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
            FileManager.default.fileExists(atPath: "\(runtime)/bus")
        else { return nil }
        return "unix:path=\(runtime)/bus"
    }

    private static let noBus = "There is no session bus, so there is no identity broker."

    package func presence() -> BrokerPresence {
        guard let bus else { return .absent(Self.noBus) }
        guard let limit = keyturn_limit_start(Self.milliseconds(presenceLimit)) else { return .absent(Self.problem) }
        defer { keyturn_limit_end(limit) }
        var presence: Int32 = 0
        let (code, why) = Self.explained { keyturn_bus_presence(bus, Self.name, limit, &presence, $0) }
        guard code == KEYTURN_BUS_DONE else { return .absent("No identity broker can be asked. \(why)") }
        return switch presence {
        case 1: .running
        case 2: .startable
        default: .absent("No identity broker is on the session bus.")
        }
    }

    package func answer(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret {
        guard let bus else { throw BrokerFailure(.absent, reason: Self.noBus) }
        let call = BusCall(request, correlationID: correlationID, bus: bus)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It blocks, so it must not hold one of the few threads that tasks run on.
                Thread.detachNewThread {
                    let result = call.perform(within: limit.map(Self.milliseconds) ?? -1)
                    if case .failure(let failure) = result, failure.kind == .cancelled, let whenCancelled {
                        // Not every broker has such a method; whoever cancelled is done either way.
                        _ = BusCall(whenCancelled, correlationID: correlationID, bus: bus)
                            .perform(within: Self.milliseconds(Self.farewellLimit))
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            call.cancel()
        }
        return try result.get()
    }

    /// Seconds that a broker has to take notice of a cancelled call.
    private static let farewellLimit = 3.0

    static var problem: String { String(cString: keyturn_bus_problem()) }

    private static func milliseconds(_ seconds: Double) -> Int32 { Int32(clamping: Int(seconds * 1000)) }

    /// The code of a call, and its sentence.
    static func explained(_ work: (UnsafeMutablePointer<CChar>) -> Int32) -> (code: Int, why: String) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: KEYTURN_BUS_WHY) { buffer in
            buffer.initialize(repeating: 0)
            guard let why = buffer.baseAddress else { return (KEYTURN_BUS_FAILED, "") }
            let code = work(why)
            return (Int(code), String(cString: why))
        }
    }
}

import CDesktop
import Foundation
import KeyturnSystem
import OAuthCore

/// A call of the broker that another thread can cancel.
final class BusCall: Sendable {
    private enum Phase {
        case idle
        /// The address of the call's time limit, valid while the call runs.
        case running(UInt)
        case cancelled
    }

    private let address: String
    private let method: String
    private let texts: [String]
    private let phase = Locked(Phase.idle)

    init(_ request: BrokerRequest, correlationID: UUID, bus address: String) {
        self.address = address
        method = request.method.rawValue
        texts = [BrokerRequest.protocolVersion, correlationID.uuidString.lowercased(), request.body.serialized]
    }

    func cancel() {
        phase.withLock { phase in
            if case .running(let address) = phase, let limit = OpaquePointer(bitPattern: address) {
                keyturn_limit_cancel(limit)
            }
            phase = .cancelled
        }
    }

    /// Blocks until the response, the time limit or ``cancel()``. `milliseconds`: -1 for no limit.
    func perform(within milliseconds: Int32) -> Result<Secret, BrokerFailure> {
        guard let limit = keyturn_limit_start(milliseconds) else {
            return .failure(BrokerFailure(.absent, reason: DBusBroker.problem))
        }
        defer { keyturn_limit_end(limit) }
        let address = UInt(bitPattern: limit)
        let mayStart = phase.withLock { phase in
            if case .cancelled = phase { return false }
            phase = .running(address)
            return true
        }
        guard mayStart else { return .failure(BrokerFailure(.cancelled, reason: "The call was cancelled.")) }
        let result = call(limit)
        // `cancel()` must not use the limit after this.
        phase.withLock { $0 = .idle }
        return result
    }

    private func call(_ limit: OpaquePointer) -> Result<Secret, BrokerFailure> {
        var reply: UnsafeMutablePointer<CChar>?
        defer {
            // The response contains tokens.
            if let reply { explicit_bzero(reply, strlen(reply)) }
            free(reply)
        }
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) }
        let (code, why) = withReason(KEYTURN_BUS_WHY) { why in
            keyturn_bus_call(
                address, DBusBroker.name, DBusBroker.path, DBusBroker.interface, method, pointers,
                Int32(pointers.count), limit, &reply, why)
        }
        guard code == KEYTURN_BUS_DONE, let reply else { return .failure(failure(code, why)) }
        return .success(Secret(String(cString: reply)))
    }

    private func failure(_ code: Int, _ why: String) -> BrokerFailure {
        switch code {
        case KEYTURN_BUS_ABSENT, KEYTURN_BUS_NOBODY: BrokerFailure(.absent, reason: why)
        case KEYTURN_BUS_UNANSWERED: BrokerFailure(.unanswered, reason: why)
        case KEYTURN_BUS_STOPPED: BrokerFailure(.stopped, reason: why)
        case KEYTURN_BUS_CANCELLED: BrokerFailure(.cancelled, reason: why)
        default: BrokerFailure(.failed, reason: why)
        }
    }
}

/// Runs a call on the session bus and returns its code with the reason, a sentence.
func withReason(_ capacity: Int, _ call: (UnsafeMutablePointer<CChar>) -> Int32) -> (code: Int, why: String) {
    let why = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    defer { why.deallocate() }
    why.initialize(repeating: 0, count: capacity)
    return (Int(call(why)), String(cString: why))
}

import CCurl
import KeyturnSystem

/// Lets another thread cancel an exchange while it is running.
final class CurlTransfer: Sendable {
    private struct State {
        var isCancelled = false
        var isWithdrawn = false
        var curl: UInt?

        var handle: OpaquePointer? { curl.flatMap(OpaquePointer.init(bitPattern:)) }
    }

    private let state = Locked(State())

    /// Registers the handle. Returns `false` when the exchange was already cancelled.
    func begin(_ curl: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: curl)
        return state.withLock { state in
            guard !state.isCancelled, !state.isWithdrawn else { return false }
            state.curl = address
            return true
        }
    }

    /// Unregisters the handle. Returns `false` when the exchange was cancelled or withdrawn; the handle can't be reused
    /// then.
    func finish() -> Bool {
        state.withLock { state in
            state.curl = nil
            return !state.isCancelled && !state.isWithdrawn
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let curl = state.handle { keyturn_curl_cancel(curl) }
        }
    }

    /// Cancels the exchange unless its request has been sent.
    func withdraw() {
        state.withLock { state in
            state.isWithdrawn = true
            if let curl = state.handle { keyturn_curl_withdraw(curl) }
        }
    }
}

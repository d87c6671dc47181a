import CCurl
import Locks

/// Lets another thread cancel an exchange while it is running.
final class CurlTransfer: Sendable {
    private struct State {
        var isCancelled = false
        var curl: UInt?
    }

    private let state = Locked(State())

    /// Registers the handle. Returns `false` when the exchange was already cancelled.
    func begin(_ curl: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: curl)
        return state.withLock { state in
            guard !state.isCancelled else { return false }
            state.curl = address
            return true
        }
    }

    /// Unregisters the handle. Returns `false` when the exchange was cancelled; the handle can't be reused then.
    func end() -> Bool {
        state.withLock { state in
            state.curl = nil
            return !state.isCancelled
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let curl = state.curl.flatMap(OpaquePointer.init(bitPattern:)) { keyturn_curl_cancel(curl) }
        }
    }
}

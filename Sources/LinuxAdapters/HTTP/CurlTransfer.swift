import CCurl
import Locks

/// Lets another thread cancel the exchange that a thread is blocked in, and only as long as it is.
final class CurlTransfer: Sendable {
    private struct State {
        var isCancelled = false
        var curl: UInt?
    }

    private let state = Locked(State())

    /// `false` when it was cancelled before it began.
    func begin(_ curl: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: curl)
        return state.withLock { state in
            guard !state.isCancelled else { return false }
            state.curl = address
            return true
        }
    }

    /// `false` when it was cancelled: then the object cannot be used again.
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

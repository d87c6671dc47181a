import AuthEngine
import CCurl
import KeyturnCrypto
import Locks

/// Idle libcurl handles with their open connections.
final class CurlPool: Sendable {
    /// The limit of idle handles. A sign-in sends its requests one after another.
    private static let kept = 4
    private let idle = Locked<[UInt]>([])

    /// Loads libcurl on the first call. Returns why it can't be used, or nil.
    @discardableResult
    static func load() -> String? {
        CryptoLibrary.load()
        return keyturn_curl_library_problem().map { String(cString: $0) }
    }

    func take() throws(TransportFailure) -> OpaquePointer {
        if let problem = Self.load() {
            throw TransportFailure(.other, reason: "The HTTP library is missing (\(problem)). Install libcurl4.")
        }
        if let curl = idle.withLock({ $0.popLast() }).flatMap(OpaquePointer.init(bitPattern:)) { return curl }
        guard let curl = keyturn_curl_new() else {
            throw TransportFailure(.other, reason: "libcurl did not start.")
        }
        return curl
    }

    func give(_ curl: OpaquePointer) {
        keyturn_curl_forget(curl)
        let address = UInt(bitPattern: curl)
        let isKept = idle.withLock { idle in
            guard idle.count < Self.kept else { return false }
            idle.append(address)
            return true
        }
        if !isKept { keyturn_curl_free(curl) }
    }

    deinit {
        for curl in idle.withLock({ $0 }).compactMap(OpaquePointer.init(bitPattern:)) { keyturn_curl_free(curl) }
    }
}

import CCurl
import KeyturnCrypto
import KeyturnSystem

/// Idle libcurl handles with their open connections and TLS sessions. Each transport has its own, because a connection
/// outlives the request whose trust it was checked against: a transport with another CA file must not reuse it.
final class CurlPool: Sendable {
    /// The limit of idle handles. A sign-in sends its requests one after another.
    private static let capacity = 4
    private let idle = Locked<[UInt]>([])

    func takeHandle() throws(TransportFailure) -> OpaquePointer {
        CryptoLibrary.load()
        if let problem = keyturn_curl_library_problem() { throw Self.failure(String(cString: problem)) }
        if let curl = idle.withLock({ $0.popLast() }).flatMap(OpaquePointer.init(bitPattern:)) { return curl }
        guard let curl = keyturn_curl_new() else {
            throw TransportFailure(
                .systemLimit, reason: "libcurl did not start: \((SystemLimit.nearlyMet ?? .memory).reason).")
        }
        return curl
    }

    static func failure(_ problem: String) -> TransportFailure {
        if let limit = SystemLimit(loaderMessage: problem) {
            return TransportFailure(.systemLimit, reason: "The HTTP library can't be loaded: \(limit.reason).")
        }
        let package = UnusableLibrary(loaderMessage: problem)?.package ?? "libcurl4"
        return TransportFailure(
            .libraryMissing(package: package), reason: "The HTTP library can't be used: \(problem).")
    }

    func give(_ curl: OpaquePointer) {
        keyturn_curl_forget(curl)
        let address = UInt(bitPattern: curl)
        let isPooled = idle.withLock { idle in
            guard idle.count < Self.capacity else { return false }
            idle.append(address)
            return true
        }
        if !isPooled { keyturn_curl_free(curl) }
    }

    deinit {
        for curl in idle.withLock({ $0 }).compactMap(OpaquePointer.init(bitPattern:)) { keyturn_curl_free(curl) }
    }
}

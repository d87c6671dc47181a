import Foundation
import KeyturnSystem

/// The telemetry of this and earlier requests for Microsoft Entra ID (docs/upstream-behaviour.md §9.1): numbers,
/// correlation IDs and error codes.
package struct RequestTelemetry: Sendable, Equatable {
    package enum API: Int, Sendable {
        case interactive = 167
        case silent = 34
    }

    /// The reason for a token request despite the cache.
    package enum CacheUse: Int, Sendable {
        case notRequested = 0
        case newTokenWanted = 1
        case noToken = 2
        case expired = 3
        /// The cached token is valid but due for refresh.
        case due = 4
    }

    struct Failure: Sendable, Equatable {
        var api: API
        var correlationID: UUID
        var code: String
    }

    static let version = 4
    static let longestLast = 350
    static let mostFailures = 75

    /// The number of cached results since the last request.
    private(set) var silentHits = 0
    /// The failures, oldest first.
    private(set) var failures: [Failure] = []

    package init() {}

    package static func current(_ api: API, _ cacheUse: CacheUse) -> String {
        "\(version)|\(api.rawValue),\(cacheUse.rawValue)|"
    }

    /// The header, and the failures that fit into it.
    var last: (header: String, failures: [Failure]) {
        for count in stride(from: failures.count, to: 0, by: -1) {
            let told = Array(failures.prefix(count))
            let header = header(of: told)
            if header.utf8.count <= Self.longestLast { return (header, told) }
        }
        return (header(of: []), [])
    }

    private func header(of failures: [Failure]) -> String {
        let requests = failures.map { "\($0.api.rawValue),\($0.correlationID.uuidString.lowercased())" }
        let codes = failures.map(\.code)
        return "\(Self.version)|\(silentHits)|\(requests.joined(separator: ","))|\(codes.joined(separator: ","))|"
    }

    package mutating func noteSilentHit() { silentHits += 1 }

    package mutating func noteFailure(_ api: API, _ correlationID: UUID, _ error: NSError) {
        failures.append(Failure(api: api, correlationID: correlationID, code: Self.code(of: error)))
        failures.removeFirst(max(0, failures.count - Self.mostFailures))
    }

    /// Removes the delivered failures; the others wait for the next request.
    mutating func noteDelivery(of told: [Failure]) {
        silentHits = 0
        failures.removeAll(where: told.contains)
    }

    /// The authority's error code if it is a plain word, else the library's number.
    static func code(of error: NSError) -> String {
        let number = String(error.userInfo[MSALInternalErrorCodeKey] as? Int ?? error.code)
        guard let word = error.userInfo[MSALOAuthErrorKey] as? String, word.utf8.count <= 40, !word.isEmpty,
            word.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return number }
        return word
    }
}

/// The telemetry of one application's requests during the process.
package final class TelemetryLog: Sendable {
    private let telemetry = Locked(RequestTelemetry())

    package init() {}

    package var snapshot: RequestTelemetry { telemetry.withLock { $0 } }

    package func note(_ change: (inout RequestTelemetry) -> Void) { telemetry.withLock { change(&$0) } }
}

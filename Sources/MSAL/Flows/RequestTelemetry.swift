import Foundation
import OAuthCore

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

    private(set) var silentHits = 0
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

    mutating func noteDelivery(of told: [Failure]) {
        silentHits = 0
        failures.removeAll(where: told.contains)
    }

    /// The authority's error code if it is a plain word, else the library's number.
    static func code(of error: NSError) -> String {
        let number = String(error.userInfo[MSALInternalErrorCodeKey] as? Int ?? error.code)
        let word = error.userInfo[MSALOAuthErrorKey] as? String
        return word.flatMap { $0.isPlainErrorCode ? $0 : nil } ?? number
    }
}

extension String {
    /// Whether an error code is a short word of letters and `_`, unlike a text of the server's.
    var isPlainErrorCode: Bool {
        !isEmpty && utf8.count <= 40
            && utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// Other characters would end the header field or be decoded differently.
    package var isPrintableASCII: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

/// The telemetry of one call for the program's callback (``MSALTelemetryConfig``). Never contains a token.
///
/// Keys: `msal.api_id` (167 interactive, 34 silent), `msal.correlation_id`, `msal.is_successful` (`yes`, `no`),
/// `msal.is_from_cache`, `msal.authority`, `msal.error_domain`, `msal.error_code`, `msal.error_detail` (the authority's
/// error, else the internal code), and with ``MSALTelemetryConfig/piiEnabled`` `msal.user_id` and `msal.tenant_id`.
struct TelemetryEvent: Sendable {
    let api: RequestTelemetry.API
    let correlationID: UUID
    let outcome: Result<MSALResult, MSALAuthenticationError>

    func tell(_ settings: MSALTelemetryConfig.Settings) {
        guard let callback = settings.callback?.tell else { return }
        if settings.notifyOnFailureOnly, case .success = outcome { return }
        callback(members(withPersonalData: settings.piiEnabled))
    }

    private func members(withPersonalData: Bool) -> [String: String] {
        var members = ["msal.api_id": String(api.rawValue), "msal.correlation_id": correlationID.uuidString]
        switch outcome {
        case .success(let result):
            members["msal.is_successful"] = "yes"
            members["msal.is_from_cache"] = result.isFromCache ? "yes" : "no"
            members["msal.authority"] = result.authority.url.host()
            if withPersonalData {
                members["msal.user_id"] = result.account.identifier
                members["msal.tenant_id"] = result.tenantProfile.tenantId
            }
        case .failure(let error):
            members["msal.is_successful"] = "no"
            members["msal.error_domain"] = error.domain
            members["msal.error_code"] = String(error.code)
            members["msal.error_detail"] = RequestTelemetry.code(of: error)
        }
        return members
    }
}

/// The client metadata for the logs of Microsoft Entra ID (docs/upstream-behaviour.md §9.1).
package struct ClientMetadata: Sendable, Equatable {
    package var system: SystemDescription
    package var applicationName: String?
    package var applicationVersion: String?

    package var library: Parameters {
        var all: Parameters = [
            "x-client-SKU": "MSAL.Linux", "x-client-Ver": MSAL__Framework_VersionString,
            "x-client-CPU": String(MemoryLayout<Int>.size * 8),
        ]
        all["x-client-OS"] = system.version
        return all
    }

    package var application: Parameters {
        var all: Parameters = [:]
        all["x-app-name"] = applicationName
        all["x-app-ver"] = applicationVersion
        return all
    }

    /// The metadata as headers, without values that aren't valid there (RFC 9110 §5.5).
    package var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for pair in library.pairs + application.pairs where pair.value.isPrintableASCII {
            headers[pair.name] = pair.value
        }
        return headers
    }
}

/// The header that names the account, so that Microsoft Entra ID can route the request.
package enum AnchorMailbox {
    package static let name = "X-AnchorMailbox"

    package static func value(account: AccountReference?, loginHint: String? = nil) -> String? {
        if let uid = account?.objectID, let utid = account?.tenantID { return "Oid:\(uid)@\(utid)" }
        guard let username = account?.username ?? loginHint, !username.isEmpty else { return nil }
        return "UPN:\(username)"
    }
}

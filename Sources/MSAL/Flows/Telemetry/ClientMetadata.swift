import OAuthCore

/// The client metadata for the logs of Microsoft Entra ID (docs/upstream-behaviour.md §9.1).
package struct ClientMetadata: Sendable, Equatable {
    package var system: SystemDescription
    package var applicationName: String?
    package var applicationVersion: String?

    /// The metadata of library and machine.
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
        for pair in library.pairs + application.pairs where pair.value.isHeaderText { headers[pair.name] = pair.value }
        return headers
    }
}

/// The header that names the account, so that Microsoft Entra ID can route the request.
package enum AnchorMailbox {
    package static let name = "X-AnchorMailbox"

    /// Returns the value, or `nil` without an account or username.
    package static func value(account: AccountReference?, loginHint: String? = nil) -> String? {
        if let uid = account?.objectID, let utid = account?.tenantID { return "Oid:\(uid)@\(utid)" }
        guard let username = account?.username ?? loginHint, !username.isEmpty else { return nil }
        return "UPN:\(username)"
    }
}

extension String {
    /// Printable ASCII. Other characters would end the header field or be decoded differently.
    package var isHeaderText: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

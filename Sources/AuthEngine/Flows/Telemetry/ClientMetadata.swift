import OAuthCore

/// Who asks, for Entra's own logs (docs/upstream-behaviour.md §9.1).
package struct ClientMetadata: Sendable, Equatable {
    package var system: SystemDescription
    /// The application's display name and version.
    package var applicationName: String?
    package var applicationVersion: String?

    package init(system: SystemDescription, applicationName: String? = nil, applicationVersion: String? = nil) {
        self.system = system
        self.applicationName = applicationName
        self.applicationVersion = applicationVersion
    }

    /// The library and the machine.
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

    /// Only what can stand in a field of a header (RFC 9110 §5.5).
    package var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for pair in library.pairs + application.pairs where pair.value.isHeaderText { headers[pair.name] = pair.value }
        return headers
    }
}

/// Whose mailbox a request is about: lets Entra answer from the right part of itself.
package enum AnchorMailbox {
    package static let name = "X-AnchorMailbox"

    /// `nil` when nobody is known yet.
    package static func value(account: TokenRequestSnapshot.Account?, loginHint: String? = nil) -> String? {
        if let uid = account?.objectID, let utid = account?.tenantID { return "Oid:\(uid)@\(utid)" }
        guard let username = account?.username ?? loginHint, !username.isEmpty else { return nil }
        return "UPN:\(username)"
    }
}

extension String {
    /// Printable ASCII: anything else would end the field or be read in some other encoding.
    package var isHeaderText: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

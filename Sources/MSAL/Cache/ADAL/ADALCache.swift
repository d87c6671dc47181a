import OAuthCore

/// A cache of ADAL, MSAL's predecessor. Read-only, because ADAL may still use it.
package struct ADALCache: Sendable, Equatable {
    package enum Malformed: Error, Sendable, Equatable {
        /// The data is a cache in MSAL's unified schema.
        case unified
        /// The data is in neither format, or truncated.
        case unreadable
        /// The version of ADAL .NET's file is unsupported.
        case version(Int32)
    }

    /// An entry that can't be used.
    package struct Skipped: Sendable, Equatable {
        package enum Reason: String, Sendable {
            case noRefreshToken
            /// The token belongs to an application, not to a user.
            case application
            /// The entry has no user or client.
            case incomplete
        }

        package var username: String?
        package var reason: Reason
    }

    package var tokens: [ADALToken] = []
    package var skipped: [Skipped] = []

    /// Parses the list of ADAL for Python and the Azure CLI (`accessTokens.json`), or ADAL .NET's file.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        if first == UInt8(ascii: "[") {
            try readList(bytes)
        } else if (try? UnifiedPayload(parsing: bytes))?.document.hasSections == true {
            throw .unified
        } else {
            try readBlob(bytes)
        }
    }

    mutating func add(
        authority: String?, resource: String?, clientID: String?, username: String?, objectID: String?,
        clientInfo: String?, refreshToken: String?
    ) {
        guard let refreshToken, !refreshToken.isEmpty else {
            return skipped.append(Skipped(username: username, reason: .noRefreshToken))
        }
        guard let authority, let clientID, !clientID.isEmpty, username ?? objectID != nil else {
            return skipped.append(Skipped(username: username, reason: .incomplete))
        }
        tokens.append(
            ADALToken(
                authority: authority, resource: resource, clientID: clientID, username: username, objectID: objectID,
                clientInfo: clientInfo.flatMap { try? ClientInfo(parsing: $0) }, refreshToken: Secret(refreshToken)))
    }
}

/// `accessTokens.json`: a JSON array with one flat object per authority, resource, client and user.
extension ADALCache {
    mutating func readList(_ bytes: [UInt8]) throws(Malformed) {
        guard let rows = (try? JSONValue(parsing: bytes))?.array else { throw .unreadable }
        for row in rows { read(row) }
    }

    private mutating func read(_ row: JSONValue) {
        func text(_ name: String) -> String? { row[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        if text("servicePrincipalId") != nil {
            return skipped.append(Skipped(username: nil, reason: .application))
        }
        add(
            authority: text("_authority"), resource: text("resource"), clientID: text("_clientId"),
            username: text("userId"), objectID: text("oid"), clientInfo: nil, refreshToken: text("refreshToken"))
    }
}

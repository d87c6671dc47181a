import OAuthCore

/// A cache of ADAL, the library before MSAL, read: never written, since ADAL still uses it.
package struct ADALCache: Sendable, Equatable {
    package enum Malformed: Error, Sendable, Equatable {
        /// It is a cache of MSAL's schema instead.
        case unified
        /// Neither of the two forms, or cut short.
        case unreadable
        /// A blob of another version than the one that is known.
        case version(Int32)
    }

    /// An entry that is of no use here.
    package struct Skipped: Sendable, Equatable {
        package enum Reason: String, Sendable {
            case noRefreshToken
            /// It belongs to an application, not to a person.
            case application
            /// It says neither whose it is nor for which client.
            case incomplete
        }

        package var username: String?
        package var reason: Reason
    }

    package var tokens: [ADALToken] = []
    package var skipped: [Skipped] = []

    /// The list that ADAL for Python and the Azure CLI wrote (`accessTokens.json`), or ADAL .NET's blob.
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

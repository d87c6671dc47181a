import Foundation
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

    package var tokens: [ADALToken] = []
    /// The number of entries without a refresh token, user or client, or of an application instead of a user.
    package var skipped = 0

    /// Parses the list of ADAL for Python and the Azure CLI (`accessTokens.json`), or ADAL .NET's file.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        if first == UInt8(ascii: "[") {
            guard let rows = (try? JSONValue(parsing: bytes))?.array else { throw .unreadable }
            for row in rows { read(row) }
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
        guard let refreshToken, !refreshToken.isEmpty, let authority, let clientID, !clientID.isEmpty,
            username ?? objectID != nil
        else { return skipped += 1 }
        tokens.append(
            ADALToken(
                authority: authority, resource: resource, clientID: clientID, username: username, objectID: objectID,
                clientInfo: clientInfo.flatMap { try? ClientInfo(parsing: $0) }, refreshToken: Secret(refreshToken)))
    }
}

/// `accessTokens.json`: a JSON array with one flat object per authority, resource, client and user.
extension ADALCache {
    private mutating func read(_ row: JSONValue) {
        func text(_ name: String) -> String? { row[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        if text("servicePrincipalId") != nil { return skipped += 1 }
        add(
            authority: text("_authority"), resource: text("resource"), clientID: text("_clientId"),
            username: text("userId"), objectID: text("oid"), clientInfo: nil, refreshToken: text("refreshToken"))
    }
}

/// A refresh token of an ADAL cache, with its user, resource and client.
package struct ADALToken: Sendable, Equatable {
    package var authority: String
    package var resource: String?
    package var clientID: String
    package var username: String?
    package var objectID: String?
    /// The home account, if ADAL stored the server's `client_info`.
    package var clientInfo: ClientInfo?
    package var refreshToken: Secret

    /// The scope equivalent to the resource. A trailing `/` is significant, hence `//.default`.
    package var scopes: Scopes { resource.map(Scopes.forResource) ?? [] }

    /// The host of the authority, with the port if it has one.
    package var environment: String {
        let rest = authority.range(of: "://").map { authority[$0.upperBound...] } ?? authority[...]
        return UnifiedEnvironment(String(rest.prefix { !"/?#".contains($0) })).text
    }
}

/// Version 3 of ADAL .NET's cache file: two little-endian 32-bit numbers (version, count), then entries of two UTF-8
/// texts with lengths in 7-bit groups: `authority:::resource:::client:::subject type`, and a JSON object.
extension ADALCache {
    private static let version: Int32 = 3
    private static let separator = ":::"
    /// The subject type of a token without a user.
    private static let applicationSubject = "1"

    mutating func readBlob(_ bytes: [UInt8]) throws(Malformed) {
        var reader = BlobReader(bytes: bytes)
        let version = try reader.number()
        // The first bytes of another file are no version.
        guard version == Self.version else { throw (1..<10).contains(version) ? .version(version) : .unreadable }
        let count = try reader.number()
        guard count >= 0 else { throw .unreadable }
        for _ in 0..<count { try readEntry(&reader) }
    }

    private mutating func readEntry(_ reader: inout BlobReader) throws(Malformed) {
        let key = try reader.text().components(separatedBy: Self.separator)
        let json = try reader.text()
        guard key.count == 4, key[3] != Self.applicationSubject, let value = try? JSONValue(parsing: json) else {
            return skipped += 1
        }
        let user = value["Result"]?["UserInfo"]
        func text(_ name: String) -> String? { user?[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        add(
            authority: key[0], resource: key[1].isEmpty ? nil : key[1], clientID: key[2],
            username: text("DisplayableId"), objectID: text("UniqueId"), clientInfo: value["RawClientInfo"]?.string,
            refreshToken: value["RefreshToken"]?.string)
    }
}

private struct BlobReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func takeBytes(_ count: Int) throws(ADALCache.Malformed) -> ArraySlice<UInt8> {
        guard count <= bytes.count - index else { throw .unreadable }
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func number() throws(ADALCache.Malformed) -> Int32 {
        let unsigned = try takeBytes(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int32(bitPattern: unsigned)
    }

    mutating func text() throws(ADALCache.Malformed) -> String {
        guard let text = String(validating: try takeBytes(try length()), as: UTF8.self) else { throw .unreadable }
        return text
    }

    /// Reads a length with seven bits per byte, lowest first; the eighth bit marks that more bytes follow.
    private mutating func length() throws(ADALCache.Malformed) -> Int {
        var length = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = try takeBytes(1).first else { throw .unreadable }
            length |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return length }
        }
        throw .unreadable
    }
}

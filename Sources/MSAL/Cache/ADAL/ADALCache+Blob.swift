import Foundation
import OAuthCore

/// Version 3 of ADAL .NET's cache file.
///
/// It starts with two little-endian 32-bit numbers (version, count). Each entry has two UTF-8 texts preceded by their
/// lengths in 7-bit groups: `authority:::resource:::client:::subject type`, and a JSON object.
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
        let value = try? JSONValue(parsing: json)
        let result = value?["Result"]
        let user = result?["UserInfo"]
        func text(_ name: String) -> String? { user?[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        guard key.count == 4, value != nil else {
            return skipped.append(Skipped(username: text("DisplayableId"), reason: .incomplete))
        }
        guard key[3] != Self.applicationSubject else {
            return skipped.append(Skipped(username: nil, reason: .application))
        }
        add(
            authority: key[0], resource: key[1].isEmpty ? nil : key[1], clientID: key[2],
            username: text("DisplayableId"), objectID: text("UniqueId"), clientInfo: value?["RawClientInfo"]?.string,
            refreshToken: value?["RefreshToken"]?.string)
    }
}

/// Reads numbers and texts from untrusted bytes.
private struct BlobReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

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

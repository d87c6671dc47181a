import Foundation

/// The keys of an `Info.plist` that ``AppRegistration`` looks at.
///
/// Decoded key by key with `PropertyListDecoder`, which is Swift on Linux. `PropertyListSerialization` is not, and a
/// binary list with one byte changed (a set where an array belongs) makes it read wild memory. And since a binary list
/// may hold itself, nothing here follows it deeper than the keys go, or further than `maximumElements`.
struct InfoPlist: Decodable {
    static let maximumElements = 256

    let identifier: String?
    let displayName: String?
    let name: String?
    let version: String?
    let urlSchemes: [String]
    let querySchemes: [String]

    /// `bytes`: XML or binary.
    init(parsing bytes: [UInt8]) throws(AppRegistration.Malformed) {
        // The decoder also takes the old text form, in which nearly any bytes are something.
        guard bytes.starts(with: Array("bplist".utf8)) || Self.looksLikeXML(bytes) else { throw .notPropertyList }
        do {
            self = try PropertyListDecoder().decode(InfoPlist.self, from: Data(bytes))
        } catch let error as AppRegistration.Malformed {
            throw error
        } catch DecodingError.typeMismatch {
            throw .notDictionary
        } catch {
            throw .notPropertyList
        }
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        identifier = try Self.text("CFBundleIdentifier", keys)
        displayName = try Self.text("CFBundleDisplayName", keys)
        name = try Self.text("CFBundleName", keys)
        version = try Self.text("CFBundleShortVersionString", keys)
        urlSchemes = try Self.urlSchemes(keys)
        querySchemes = try Self.texts("LSApplicationQueriesSchemes", keys)
    }

    private struct Key: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init(stringLiteral: String) { stringValue = stringLiteral }
        init?(intValue: Int) { nil }
    }

    private typealias Keys = KeyedDecodingContainer<Key>

    private static func text(_ key: Key, _ keys: Keys) throws -> String? {
        guard keys.contains(key) else { return nil }
        guard let text = try? keys.decode(String.self, forKey: key) else {
            throw AppRegistration.Malformed.wrongType(key: key.stringValue, expected: "a string")
        }
        return text
    }

    private static func texts(_ key: Key, _ keys: Keys) throws -> [String] {
        guard keys.contains(key) else { return [] }
        return try elements(of: key, keys, "strings") { try $0.decode(String.self) }
    }

    private static func urlSchemes(_ keys: Keys) throws -> [String] {
        let key: Key = "CFBundleURLTypes"
        guard keys.contains(key) else { return [] }
        let types = try elements(of: key, keys, "dictionaries") { try $0.nestedContainer(keyedBy: Key.self) }
        return try types.flatMap { try texts("CFBundleURLSchemes", $0) }
    }

    private static func elements<Element>(
        of key: Key, _ keys: Keys, _ noun: String, _ decode: (inout any UnkeyedDecodingContainer) throws -> Element
    ) throws -> [Element] {
        guard var list = try? keys.nestedUnkeyedContainer(forKey: key), (list.count ?? 0) <= maximumElements else {
            throw AppRegistration.Malformed.wrongType(
                key: key.stringValue, expected: "an array of at most \(maximumElements) \(noun)")
        }
        var elements: [Element] = []
        while !list.isAtEnd {
            guard let element = try? decode(&list) else {
                throw AppRegistration.Malformed.wrongType(key: key.stringValue, expected: "an array of \(noun)")
            }
            elements.append(element)
        }
        return elements
    }

    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }
}

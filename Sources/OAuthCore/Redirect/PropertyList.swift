import Foundation
import Synchronization

/// Only the members of known keys are read. `PropertyListDecoder` reads both formats. `PropertyListSerialization` crashes
/// on damaged binary data.
struct PropertyList {
    /// With `null` in place of what no known key has.
    let value: JSONValue

    /// An `Info.plist` has four levels.
    static let maximumDepth = 16
    /// In binary data, a few bytes can describe a list that contains itself, or billions of values.
    static let maximumValues = 10_000

    init?(parsing bytes: [UInt8]) {
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let decoder = PropertyListDecoder()
        decoder.userInfo[Budget.key] = Budget()
        // Excludes the old text format, which nearly any bytes match.
        guard bytes.starts(with: "bplist".utf8) || Self.looksLikeXML(bytes) && !Self.isTooDeep(bytes),
            let list = try? decoder.decode(PropertyList.self, from: Data(bytes), format: &format), format != .openStep
        else { return nil }
        self = list
    }

    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Whether elements are nested too deeply for the decoder, which recurses without limit.
    private static func isTooDeep(_ bytes: [UInt8]) -> Bool {
        let containers = ["<array", "<dict"].map { Array($0.utf8) }
        let opened = bytes.indices.lazy.filter { place in
            bytes[place] == UInt8(ascii: "<") && containers.contains { bytes[place...].starts(with: $0) }
        }
        return opened.count > 1000
    }
}

/// Counts the values of a list while they are read.
private final class Budget: Sendable {
    // Never nil: Foundation accepts every text.
    static let key = CodingUserInfoKey(rawValue: "budget")!
    let left = Atomic(PropertyList.maximumValues)

    struct Exhausted: Error {}
}

extension PropertyList: Decodable {
    init(from decoder: any Decoder) throws {
        if let budget = decoder.userInfo[Budget.key] as? Budget {
            guard budget.left.subtract(1, ordering: .relaxed).newValue >= 0 else { throw Budget.Exhausted() }
        }
        guard decoder.codingPath.count < Self.maximumDepth else {
            value = .null
            return
        }
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let members = try? decoder.container(keyedBy: InfoPlistKey.self) {
            value = .object(
                try InfoPlistKey.allCases.reduce(into: [:]) { dictionary, key in
                    dictionary[key.rawValue] = try members.decodeIfPresent(PropertyList.self, forKey: key)?.value
                })
        } else {
            do {
                value = .array(try container.decode([PropertyList].self).map(\.value))
            } catch is DecodingError {
                value = .null
            }
        }
    }
}

import Foundation

/// `name: value`, `name = "value"`, `"name": ["a"]`, `--name value`, `<name>value</name>`, a row of a table, or a URL's parameter.
struct WrittenPair {
    let name: String
    let values: [String]
    let isParameter: Bool

    static func all(in line: String) -> [WrittenPair] {
        let bytes = Array(line.utf8)
        return bytes.indices.lazy.filter { isSeparator(bytes, $0) }.prefix(most).compactMap { WrittenPair(bytes, $0) }
            + options(line)
    }

    private static let most = 40

    private static func isSeparator(_ bytes: [UInt8], _ index: Int) -> Bool {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
        let before = index > 0 ? bytes[index - 1] : 0x20
        switch bytes[index] {
        case UInt8(ascii: ":"):
            return next != UInt8(ascii: ":") && before != UInt8(ascii: ":") && next != UInt8(ascii: "/")
        case UInt8(ascii: "="): return next != UInt8(ascii: "=") && !"=!<>".utf8.contains(before)
        case UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "\t"): return true
        default: return false
        }
    }

    private init?(_ bytes: [UInt8], _ separator: Int) {
        let before = bytes[..<separator].reversed().drop { " \"'`)*(".utf8.contains($0) }
        let run = before.prefix(60).prefix { $0.isWordCharacter || ".- ".utf8.contains($0) }
        let name = String(decoding: run.reversed(), as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { return nil }
        let opening = separator - (bytes[..<separator].count - before.count) - run.count - 1
        let sign = opening >= 0 ? bytes[opening] : 0x20
        // Of tags, only the end of `<name>` precedes a value.
        if bytes[separator] == UInt8(ascii: ">"), sign != UInt8(ascii: "<") { return nil }
        isParameter = bytes[separator] == UInt8(ascii: "=") && "?&".utf8.contains(sign)
        self.name = name
        let isProse = bytes[separator] == UInt8(ascii: ":")
        values = Self.values(
            isProse, bytes[(separator + 1)...].drop { " @(".utf8.contains($0) || $0 == UInt8(ascii: "\t") })
    }

    private init(_ name: String, _ value: String) { (self.name, values, isParameter) = (name, [value], false) }

    private static func values(_ isProse: Bool, _ rest: ArraySlice<UInt8>) -> [String] {
        guard let first = rest.first else { return [] }
        if first == UInt8(ascii: "[") {
            let end = rest.firstIndex(of: UInt8(ascii: "]")) ?? rest.endIndex
            return rest[rest.startIndex + 1..<end].split(separator: UInt8(ascii: ",")).prefix(20).compactMap {
                value($0.drop { $0 == 0x20 })
            }
        }
        return [value(rest, isProse)].compactMap(\.self)
    }

    /// - Parameter isProse: whether words without quotation marks can be a sentence.
    private static func value(_ rest: ArraySlice<UInt8>, _ isProse: Bool = false) -> String? {
        guard let first = rest.first else { return nil }
        if "\"'`".utf8.contains(first) {
            let inner = rest.dropFirst()
            return inner.firstIndex(of: first).map { String(decoding: inner[..<$0], as: UTF8.self) }
        }
        let end = rest.firstIndex { $0 <= 0x20 || ",;)]}\"'`<>|&".utf8.contains($0) } ?? rest.endIndex
        let text = String(decoding: rest[..<end], as: UTF8.self)
        let isSentence = isProse && !text.contains("/") && rest[end...].contains { $0.isASCIILetter }
        if isSentence, rest[end...].first == 0x20 { return nil }
        let whole = text.contains("%3A%2F") || text.contains("%3a%2f") ? text.removingPercentEncoding ?? text : text
        return whole.isEmpty ? nil : whole
    }

    /// The options of a command whose values follow a blank.
    private static func options(_ line: String) -> [WrittenPair] {
        guard line.contains("--") else { return [] }
        let words = line.split(separator: " ").prefix(most)
        return zip(words, words.dropFirst()).compactMap { name, value in
            guard name.hasPrefix("--"), !name.contains("="), !value.hasPrefix("-") else { return nil }
            return WrittenPair(String(name.dropFirst(2)), value.trimmingCharacters(in: .init(charactersIn: "\"'")))
        }
    }
}

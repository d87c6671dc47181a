import OAuthCore

/// A text without its escapes (percent-encoding, JSON, JavaScript, HTML), to find a secret in any written form.
struct UnescapedText {
    private let source: [UInt8]
    private var bytes: [UInt8]
    /// What each byte stands for in the source.
    private var places: [Range<Int>]

    /// Nil without an escape.
    init?(_ text: String) {
        source = Array(text.utf8)
        bytes = source
        places = source.indices.map { $0..<$0 + 1 }
        guard undo() else { return nil }
        // A URL in JSON in a page is escaped more than once.
        for _ in 0..<Self.mostLevels where !undo() { break }
    }

    private static let mostLevels = 3

    /// The source with a placeholder for each secret; nil if it has none.
    func hiding(_ secrets: Set<String>) -> String? {
        let found = secrets.flatMap { ranges(of: Array($0.utf8)) }.sorted { $0.lowerBound < $1.lowerBound }
        guard !found.isEmpty else { return nil }
        var (shown, end) = ([UInt8](), 0)
        for range in found where range.upperBound > end {
            if range.lowerBound >= end { shown += source[end..<range.lowerBound] + Secret.placeholder.utf8 }
            end = range.upperBound
        }
        return String(decoding: shown + source[end...], as: UTF8.self)
    }

    private func ranges(of secret: [UInt8]) -> [Range<Int>] {
        var (ranges, rest) = ([Range<Int>](), bytes[...])
        while let found = rest.firstRange(of: secret) {
            ranges.append(places[found.lowerBound].lowerBound..<places[found.upperBound - 1].upperBound)
            rest = rest[found.upperBound...]
        }
        return ranges
    }

    /// Undoes one level; false without an escape.
    private mutating func undo() -> Bool {
        var (plain, from, index) = ([UInt8](), [Range<Int>](), 0)
        while index < bytes.count {
            let escape = Self.escape(bytes[index...])
            let length = escape?.length ?? 1
            let place = places[index].lowerBound..<places[index + length - 1].upperBound
            for byte in escape?.bytes ?? [bytes[index]] {
                plain.append(byte)
                from.append(place)
            }
            index += length
        }
        let hasEscapes = plain.count < bytes.count
        (bytes, places) = (plain, from)
        return hasEscapes
    }

    private static func escape(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let start = text.startIndex
        switch text.first {
        case UInt8(ascii: "%"): return number(text, from: 1, digits: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "\\"):
            switch text.dropFirst().first {
            case UInt8(ascii: "x"): return number(text, from: 2, digits: 2).map { ([UInt8($0)], 4) }
            case UInt8(ascii: "u"):
                guard let unit = number(text, from: 2, digits: 4) else { return nil }
                guard unit & 0xFC00 == 0xD800 else { return (utf8(unit), 6) }
                guard text.dropFirst(6).starts(with: Array("\\u".utf8)), let low = number(text, from: 8, digits: 4)
                else { return nil }
                return (utf8(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF), 12)
            case let sign? where "\"'/\\".utf8.contains(sign): return ([sign], 2)
            default: return nil
            }
        case UInt8(ascii: "&"):
            guard let end = text.prefix(longestEntity).firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let name = String(decoding: text[start + 1..<end], as: UTF8.self)
            let code =
                name.hasPrefix("#x") || name.hasPrefix("#X")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : entities[name]
            return code.map { (utf8($0), end - start + 1) }
        default: return nil
        }
    }

    private static let longestEntity = 12
    private static let entities: [String: UInt32] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

    private static func number(_ text: ArraySlice<UInt8>, from offset: Int, digits: Int) -> UInt32? {
        let part = text.dropFirst(offset).prefix(digits)
        // `init(_:radix:)` also accepts a sign.
        guard part.count == digits, part.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: part, as: UTF8.self), radix: 16)
    }

    private static func utf8(_ code: UInt32) -> [UInt8] { Unicode.Scalar(code).map { Array(String($0).utf8) } ?? [] }
}

/// A name in a line that a value follows: `name: value`, `name = value`, `"name": "value"`, `<name>value</name>`, `--name value`.
struct WrittenName {
    enum Sign {
        case member, equals, element, option
    }

    /// Without quotation marks.
    let range: Range<Int>
    let text: String
    /// Without the prefix of its namespace.
    var local: String { text.lastIndex(of: ":").map { String(text[$0...].dropFirst()) } ?? text }
    let sign: Sign
    /// The quotation mark after it; of two bytes in a text of JSON.
    let mark: Range<Int>
    /// Whether the same mark stands before it.
    let isQuoted: Bool
    /// Where the value starts, with its quotation mark.
    let value: Int

    static func all(in bytes: [UInt8]) -> [WrittenName] {
        // Without a sign there is none.
        guard bytes.contains(where: { ":=>-".utf8.contains($0) }) else { return [] }
        var (names, index): ([WrittenName], Int) = ([], 0)
        while index < bytes.count, names.count & 0xFFF != 0 || !Task.isCancelled {
            let start = index
            while index < bytes.count, isPart(bytes[index]) || isPrefix(start..<index, in: bytes) { index += 1 }
            // The first letter can be that of an escape.
            let isEscape = start > 0 && bytes[start - 1] == UInt8(ascii: "\\") && "rnt".utf8.contains(bytes[start])
            for start in start...(isEscape ? start + 1 : start) where start < index {
                if let name = WrittenName(start..<index, in: bytes) { names.append(name) }
            }
            if index == start { index += 1 }
        }
        return names
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte.isWordCharacter || "-.".utf8.contains(byte) }

    /// Whether a colon is that of a namespace.
    private static func isPrefix(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let next = range.upperBound + 1
        return bytes[range.upperBound] == UInt8(ascii: ":") && next < bytes.count && isPart(bytes[next])
            && CopyVocabulary.namespaces.contains(String(decoding: bytes[range], as: UTF8.self))
    }

    /// The rest of a name whose beginning has been read, as in `grpc.code=Unknown`.
    init?(restAt start: Int, in bytes: [UInt8]) {
        guard start > 0, ".-:".utf8.contains(bytes[start - 1]) else { return nil }
        self.init(start..<(bytes[start...].firstIndex { !Self.isPart($0) } ?? bytes.count), in: bytes)
    }

    private init?(_ range: Range<Int>, in bytes: [UInt8]) {
        func byte(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }
        var index = range.upperBound
        if byte(index) == UInt8(ascii: "\\"), "\"'".utf8.contains(byte(index + 1)) { index += 1 }
        if "\"'`".utf8.contains(byte(index)) { index += 1 }
        mark = range.upperBound..<index
        isQuoted = !mark.isEmpty && bytes[..<range.lowerBound].suffix(mark.count).elementsEqual(bytes[mark])
        while " \t".utf8.contains(byte(index)) { index += 1 }
        switch byte(index) {
        case UInt8(ascii: ":"): sign = .member
        case UInt8(ascii: "="): sign = .equals
        case UInt8(ascii: ">") where byte(range.lowerBound - 1) == UInt8(ascii: "<"): sign = .element
        case _ where byte(range.lowerBound) == UInt8(ascii: "-") && index > mark.upperBound: sign = .option
        default: return nil
        }
        if sign != .option { index += 1 }
        if sign == .member || sign == .equals, "=>".utf8.contains(byte(index)) { index += 1 }
        if sign == .member, byte(index) == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "/") { return nil }
        while " \t".utf8.contains(byte(index)) { index += 1 }
        (self.range, value) = (range, index)
        text = String(decoding: bytes[range], as: UTF8.self)
    }
}

extension JSONValue {
    /// Whether an object somewhere in `bytes` has two members of one name.
    ///
    /// RFC 8259 leaves open which of them counts, and readers differ, so signed texts must not have any (RFC 7515 §4).
    /// `bytes` must be JSON that was parsed already: then a string is a name exactly when a colon follows it.
    package static func hasRepeatedMembers(_ bytes: [UInt8]) -> Bool {
        var namesOfOpenObjects: [Set<String>] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): namesOfOpenObjects.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = namesOfOpenObjects.popLast()
            case UInt8(ascii: "\""):
                let end = endOfString(bytes, from: index)
                let isName = bytes[end...].first { !isWhitespace($0) } == UInt8(ascii: ":")
                if isName, let last = namesOfOpenObjects.indices.last,
                    !namesOfOpenObjects[last].insert(unescaped(bytes[index..<end])).inserted
                {
                    return true
                }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return false
    }

    /// The place behind the quotation mark that ends the string which starts at `start`.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.endIndex)
    }

    /// Two spellings of one name are one name, so escapes are undone first.
    private static func unescaped(_ literal: ArraySlice<UInt8>) -> String {
        if literal.contains(UInt8(ascii: "\\")), let text = try? JSONValue(parsing: Array(literal)).string {
            return text
        }
        return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

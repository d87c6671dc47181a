/// JSON as configuration files have it, with comments and commas before a closing bracket.
package enum JSONComments {
    /// The text with blanks instead of them, so that places stay the same.
    package static func removed(from bytes: [UInt8]) -> [UInt8] {
        var shown = bytes
        var index = 0
        var comma: Int?
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                while index < bytes.count, bytes[index] != byte { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                index = min(index + 1, bytes.count)
                comma = nil
            } else if let end = commentLimit(from: index, in: bytes) {
                for place in index..<end where bytes[place] != UInt8(ascii: "\n") { shown[place] = UInt8(ascii: " ") }
                index = end
            } else {
                if let comma, "]}".utf8.contains(byte) { shown[comma] = UInt8(ascii: " ") }
                if byte == UInt8(ascii: ",") { comma = index } else if !" \t\r\n".utf8.contains(byte) { comma = nil }
                index += 1
            }
        }
        return shown
    }

    private static func commentLimit(from start: Int, in bytes: [UInt8]) -> Int? {
        guard bytes[start] == UInt8(ascii: "/"), start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"): return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        case UInt8(ascii: "*"):
            let end = bytes.indices[(start + 2)...].first {
                bytes[$0] == UInt8(ascii: "/") && $0 > start + 2 && bytes[$0 - 1] == UInt8(ascii: "*")
            }
            return end.map { $0 + 1 } ?? bytes.count
        default: return nil
        }
    }
}

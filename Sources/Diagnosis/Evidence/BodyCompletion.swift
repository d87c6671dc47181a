import Foundation

/// Finds out in one pass over its lines which line completes a body of JSON or HTML.
struct BodyCompletion {
    private var first: Character?
    private var depth = 0
    private var quote: UInt8?
    private var isAfterBackslash = false
    private var isOver = false

    /// Whether the body may be complete with this line. Of an object, the answer is only once yes: where its brace closes.
    mutating func isReached(with line: String) -> Bool {
        first = first ?? line.first { !$0.isWhitespace }
        if first == "<" {
            return line.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().hasSuffix("</html>")
        }
        guard first == "{", !isOver else { return false }
        for byte in line.utf8 { read(byte) }
        isOver = depth <= 0
        return isOver
    }

    /// An object at the start of a text, in JSON or as Python prints it; empty if nothing closes it.
    static func object(_ text: Substring) -> Substring {
        var completion = BodyCompletion()
        return text.utf8.indices.first {
            completion.read(text.utf8[$0])
            return completion.depth == 0
        }.map { text[...$0] } ?? ""
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case _ where isAfterBackslash: isAfterBackslash = false
        case UInt8(ascii: "\\") where quote != nil: isAfterBackslash = true
        case _ where quote != nil: if byte == quote { quote = nil }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
}

import Foundation

/// Finds out in one pass over its lines which line completes a body of JSON or HTML.
struct BodyCompletion {
    private enum Form { case object, page, other }

    private var form: Form?
    private var depth = 0
    private var isInString = false
    private var isAfterBackslash = false
    /// Whether no further line can complete the body.
    private var isOver = false

    /// Whether the body may be complete with this line. Of an object, the answer is only once yes: where its brace closes.
    mutating func isReached(with line: String) -> Bool {
        if form == nil { form = Self.form(of: line) }
        switch form {
        case .page: return line.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().hasSuffix("</html>")
        case .object where !isOver:
            for byte in line.utf8 { read(byte) }
            isOver = depth <= 0
            return isOver
        case .object, .other, nil: return false
        }
    }

    private static func form(of line: String) -> Form? {
        switch line.first(where: { !$0.isWhitespace }) {
        case "{": .object
        case "<": .page
        case nil: nil
        default: .other
        }
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case _ where isAfterBackslash: isAfterBackslash = false
        case UInt8(ascii: "\\") where isInString: isAfterBackslash = true
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
        case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
        default: break
        }
    }
}

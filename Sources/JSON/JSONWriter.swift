/// Writes JSON values as text, with members sorted by the bytes of their names, so that equal values have equal bytes.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    private let isIndented: Bool
    /// Whether to escape control characters and bidirectional marks. Those below a space are always escaped.
    private let escapesInvisible: Bool

    init(isIndented: Bool, escapesInvisible: Bool) {
        (self.isIndented, self.escapesInvisible) = (isIndented, escapesInvisible)
    }

    /// To write a long text in parts.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .large(let value): append(value.description)
        case .number(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements): write(elements, in: ("[", "]")) { writer, element in writer.write(element) }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            write(sorted, in: ("{", "}")) { writer, member in
                writer.write(member.key)
                writer.append(writer.isIndented ? " : " : ":")
                writer.write(member.value)
            }
        }
    }

    mutating func write<Element, Failure>(
        _ elements: [Element], in brackets: (open: String, close: String),
        element: (inout JSONWriter, Element) throws(Failure) -> Void
    ) throws(Failure) {
        append(brackets.open)
        depth += 1
        var separator = ""
        for value in elements {
            append(separator)
            separator = ","
            startLine()
            try element(&self, value)
        }
        if elements.isEmpty, isIndented { append("\n") }
        depth -= 1
        startLine()
        append(brackets.close)
    }

    private mutating func startLine() {
        guard isIndented else { return }
        append("\n")
        for _ in 0..<depth { append("  ") }
    }

    /// A number that isn't JSON, which no reader returns, as a string.
    private mutating func write(_ number: Double) {
        guard number.isFinite else { return write(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity") }
        let text = number.description
        append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    private mutating func write(_ text: String) {
        append("\"")
        defer { append("\"") }
        guard escapesInvisible, text.utf8.contains(where: { $0 > 0x7E }) else { return appendEscaped(text) }
        for scalar in text.unicodeScalars {
            if Self.isInvisible(scalar) {
                for unit in scalar.utf16 { append(Self.escape(unit)) }
            } else {
                appendEscaped(String(scalar))
            }
        }
    }

    private mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { text in
            var start = text.startIndex
            while true {
                let limit = JSONReader.plainTextLimit(in: text, from: start)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<limit]))
                guard limit < text.endIndex else { break }
                append(Self.escape(UInt16(text[limit])))
                start = limit + 1
            }
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x7E else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The escape sequence of a UTF-16 unit (RFC 8259 §7).
    private static func escape(_ unit: UInt16) -> String {
        switch Unicode.Scalar(unit) {
        case "\u{8}": return "\\b"
        case "\t": return "\\t"
        case "\n": return "\\n"
        case "\u{C}": return "\\f"
        case "\r": return "\\r"
        case "\"": return "\\\""
        case "\\": return "\\\\"
        default:
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Four times as fast as appending the text's UTF-8 view.
    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }
}

extension JSONValue {
    package var serialized: String { text(isIndented: false) }

    package var prettyPrinted: String { text(isIndented: true) }

    /// Indented JSON with a line end, for output: without invisible characters, as values come from servers.
    package var document: String { text(isIndented: true, escapesInvisible: true) + "\n" }

    /// JSON on one line with a line end, for output.
    package var line: String { text(isIndented: false, escapesInvisible: true) + "\n" }

    private func text(isIndented: Bool, escapesInvisible: Bool = false) -> String {
        var writer = JSONWriter(isIndented: isIndented, escapesInvisible: escapesInvisible)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Writes an array as ``document``, in parts, because new memory for a long text takes as long as the rest.
    package static func writeDocument<Element, Failure>(
        of elements: [Element], to output: (String) throws(Failure) -> Void, value: (Element) -> JSONValue
    ) throws(Failure) {
        var writer = JSONWriter(isIndented: true, escapesInvisible: true)
        try writer.write(elements, in: ("[", "]")) { (writer, element) throws(Failure) in
            writer.write(value(element))
            guard writer.bytes.count > 1 << 15 else { return }
            try output(String(decoding: writer.bytes, as: UTF8.self))
            writer.clear()
        }
        try output(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
}

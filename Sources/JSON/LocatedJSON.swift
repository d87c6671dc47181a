/// JSON with the place of each part, in order and with repeated members: for errors, and for texts that are changed in
/// part.
package struct LocatedJSON: Sendable, Equatable {
    /// The place in bytes.
    package var offset: Int
    package var content: Content

    package indirect enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        /// The number as written.
        case number(String)
        case string(String)
        case array([LocatedJSON])
        case object([Member])
    }

    package struct Member: Sendable, Equatable {
        package var key: String
        /// The place of the key.
        package var offset: Int
        package var value: LocatedJSON

        package init(key: String, offset: Int, value: LocatedJSON) {
            self.key = key
            self.offset = offset
            self.value = value
        }
    }

    package init(offset: Int, content: Content) {
        self.offset = offset
        self.content = content
    }
}

extension JSONReader {
    mutating func located() throws(JSONValue.Malformed) -> LocatedJSON {
        let start = index
        let content: LocatedJSON.Content
        switch next {
        case UInt8(ascii: "{"):
            var members: [LocatedJSON.Member] = []
            try eachMember { (reader, name, offset) throws(JSONValue.Malformed) in
                members.append(.init(key: name, offset: offset, value: try reader.located()))
            }
            content = .object(members)
        case UInt8(ascii: "["):
            var elements: [LocatedJSON] = []
            try list(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader throws(JSONValue.Malformed) in
                elements.append(try reader.located())
            }
            content = .array(elements)
        case UInt8(ascii: "\""): content = .string(try unescaped(try string(isWanted: true)))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): content = .bool(try word(isWanted: false) == .bool(true))
        case let first:
            _ = try word(isWanted: false)
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            content = first == UInt8(ascii: "n") ? .null : .number(text)
        }
        return LocatedJSON(offset: start, content: content)
    }
}

extension LocatedJSON {
    /// Formatted JSON with a line end: one member per line, arrays of simple values on one line.
    package var text: String { content.text(indent: "") + "\n" }
}

extension LocatedJSON.Content {
    fileprivate func text(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return JSONValue.string(text).serialized
        case .array(let elements) where elements.allSatisfy(\.content.isWord):
            return "[" + elements.map { $0.content.text(indent: "") }.joined(separator: ", ") + "]"
        case .array(let elements):
            let lines = elements.map { deeper + $0.content.text(indent: deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let lines = members.map {
                "\(deeper)\(JSONValue.string($0.key).serialized): \($0.value.content.text(indent: deeper))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    /// Whether the value is simple.
    private var isWord: Bool {
        switch self {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }
}

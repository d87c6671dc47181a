/// JSON with the place of each part, in order and with repeated members: for errors, and for texts that are changed in part.
package struct LocatedJSON: Sendable, Equatable {
    /// In bytes.
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
        package var offset: Int
        package var value: LocatedJSON

        package init(key: String, offset: Int, value: LocatedJSON) {
            (self.key, self.offset, self.value) = (key, offset, value)
        }
    }

    package init(offset: Int, content: Content) { (self.offset, self.content) = (offset, content) }
}

extension JSONReader {
    mutating func located() throws(Malformed) -> LocatedJSON {
        let start = index
        let content: LocatedJSON.Content
        switch next {
        case UInt8(ascii: "{"):
            var members: [LocatedJSON.Member] = []
            try eachMember { (reader, name, offset) throws(Malformed) in
                members.append(.init(key: name, offset: offset, value: try reader.located()))
            }
            content = .object(members)
        case UInt8(ascii: "["):
            var elements: [LocatedJSON] = []
            try list(from: "[", to: "]") { reader throws(Malformed) in
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

extension LocatedJSON.Member {
    fileprivate func text(indent: String) -> String {
        "\(JSONValue.string(key).serialized): \(value.content.text(indent: indent))"
    }
}

extension LocatedJSON.Content {
    fileprivate func text(indent: String) -> String {
        let deeper = indent + "  "
        func list(_ lines: [String]) -> String { "\n" + lines.joined(separator: ",\n") + "\n\(indent)" }
        return switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): JSONValue.string(text).serialized
        case .array(let elements) where elements.allSatisfy(\.content.isWord):
            "[" + elements.map { $0.content.text(indent: "") }.joined(separator: ", ") + "]"
        case .array(let elements): "[" + list(elements.map { deeper + $0.content.text(indent: deeper) }) + "]"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members): "{" + list(members.map { deeper + $0.text(indent: deeper) }) + "}"
        }
    }

    private var isWord: Bool {
        switch self {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }
}

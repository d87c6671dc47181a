/// JSON text (RFC 8259) that remembers on which line each thing stands, so that a mistake in a file can be shown there.
package struct LocatedJSON: Sendable, Equatable {
    package var line: Int
    package var content: Content

    package indirect enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([LocatedJSON])
        case object([Member])
    }

    package struct Member: Sendable, Equatable {
        package var key: String
        /// Where the key stands.
        package var line: Int
        package var value: LocatedJSON
    }

    /// Where the text stops being JSON, and what would have been.
    package struct Malformed: Error, Sendable, Equatable {
        package var line: Int
        package var column: Int
        package var problem: String
        package var remedy: String
    }

    package init(line: Int, content: Content) {
        self.line = line
        self.content = content
    }

    package init(parsing text: String) throws(Malformed) {
        var reader = LocatedJSONReader(text)
        self = try reader.document()
    }

    /// What it is, in the words of a message.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

import Foundation

/// JSON with sorted keys, so that equal results are equal bytes.
enum JSONText {
    /// Indented, with a line end.
    static func document(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// Writes an array of objects with texts and lists of texts, as ``document(_:)`` prints them. The encoder takes ten
    /// times as long, which shows in a list of thousands of accounts.
    ///
    /// - Parameters:
    ///   - write: called with the parts of the text.
    ///   - members: adds the members of an object in order.
    static func list<Element, Failure>(
        _ elements: [Element], write: (String) throws(Failure) -> Void,
        members: (Element, inout Object) -> Void
    ) throws(Failure) {
        guard !elements.isEmpty else { return try write(document([String]())) }
        // Bytes, because a string grows slowly; and parts, because new memory for the whole text takes as long as the rest.
        var object = Object()
        append("[", to: &object.text)
        var separator = "\n  {"
        for element in elements {
            append(separator, to: &object.text)
            separator = ",\n  {"
            object.isEmpty = true
            members(element, &object)
            append("\n  }", to: &object.text)
            guard object.text.count > 1 << 15 else { continue }
            try write(String(decoding: object.text, as: UTF8.self))
            object.text.removeAll(keepingCapacity: true)
        }
        append("\n]\n", to: &object.text)
        try write(String(decoding: object.text, as: UTF8.self))
    }

    /// An object in a list, with the text before it.
    struct Object {
        fileprivate var text: [UInt8] = []
        fileprivate var isEmpty = true

        mutating func add(_ name: String, _ value: String?) {
            guard let value else { return }
            add(name)
            JSONText.append(value: value, to: &text)
        }

        /// - Parameter values: not empty.
        mutating func add(_ name: String, _ values: [String]?) {
            guard let values else { return }
            add(name)
            var separator = "[\n      "
            for value in values {
                JSONText.append(separator, to: &text)
                separator = ",\n      "
                JSONText.append(value: value, to: &text)
            }
            JSONText.append("\n    ]", to: &text)
        }

        private mutating func add(_ name: String) {
            JSONText.append(isEmpty ? "\n    \"" : ",\n    \"", to: &text)
            isEmpty = false
            JSONText.append(name, to: &text)
            JSONText.append("\" : ", to: &text)
        }
    }

    private static func append(value: String, to text: inout [UInt8]) {
        let isPlain = value.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy {
                (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
        }
        guard isPlain == true else { return text += line(value).utf8.dropLast() }
        append("\"", to: &text)
        append(value, to: &text)
        append("\"", to: &text)
    }

    /// Four times as fast as appending the text's UTF-8 view.
    private static func append(_ json: String, to text: inout [UInt8]) {
        var json = json
        json.withUTF8 { text.append(contentsOf: $0) }
    }

    /// An object of members that are indented JSON texts themselves, with a line end. Omits members without a value.
    static func document(members: [String: String?]) -> String {
        let lines = members.sorted { $0.key < $1.key }.compactMap { name, json in
            json.map { "  \"\(name)\" : " + $0.split(separator: "\n").joined(separator: "\n  ") }
        }
        return text(of: Data("{\n\(lines.joined(separator: ",\n"))\n}".utf8))
    }

    /// On one line, with a line end.
    static func line(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        // The values are this program's own and always encodable.
        guard let data = try? encoder.encode(value) else { return "null\n" }
        return text(of: data)
    }

    /// The JSON with a line end. Escapes control characters and bidirectional marks, as values come from servers
    /// (RFC 8259 §7).
    static func text(of data: Data) -> String {
        let json = String(decoding: data, as: UTF8.self)
        // Fast path for ASCII.
        if json.utf8.allSatisfy({ $0 < 0x7F }) { return json + "\n" }
        var text = ""
        for scalar in json.unicodeScalars {
            if isInvisible(scalar) {
                for unit in String(scalar).utf16 { text += String(format: "\\u%04x", Int(unit)) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\n"
    }

    /// Whether to escape a character. The encoder already escapes those below a space.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x7E else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

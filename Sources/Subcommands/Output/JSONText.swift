import Foundation

/// JSON with sorted keys, so that equal results are equal bytes.
enum JSONText {
    /// Indented, with a line end.
    static func document(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// An array of objects with texts and lists of texts, as ``document(_:)`` prints them. The encoder takes five times
    /// as long, which shows in a list of thousands of accounts.
    ///
    /// - Parameter objects: the members of each object in order. Omits those without a value.
    static func list(_ objects: some Collection<[(name: String, value: Value?)]>) -> String {
        guard !objects.isEmpty else { return document([String]()) }
        var text = "["
        text.reserveCapacity(objects.count * 256)
        for (number, members) in objects.enumerated() {
            text += number == 0 ? "\n  {" : ",\n  {"
            var isFirst = true
            for case (let name, let value?) in members {
                text += isFirst ? "\n    \"" : ",\n    \""
                isFirst = false
                text += name
                text += "\" : "
                switch value {
                case .text(let value): append(value, to: &text)
                case .texts(let values): append(values, to: &text)
                }
            }
            text += "\n  }"
        }
        return text + "\n]\n"
    }

    enum Value {
        case text(String)
        /// Not empty.
        case texts([String])
    }

    private static func append(_ values: [String], to text: inout String) {
        for (number, value) in values.enumerated() {
            text += number == 0 ? "[\n      " : ",\n      "
            append(value, to: &text)
        }
        text += "\n    ]"
    }

    private static func append(_ value: String, to text: inout String) {
        let isPlain = value.utf8.allSatisfy {
            (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard isPlain else { return text += line(value).dropLast() }
        text += "\""
        text += value
        text += "\""
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

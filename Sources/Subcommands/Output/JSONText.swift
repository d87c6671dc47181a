import Foundation

/// JSON for other programs: members sorted by name, so that equal results are equal bytes.
enum JSONText {
    /// Indented, with a line end.
    static func document(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// On one line, with a line end.
    static func line(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        // The values are texts, numbers and lists of this program's own: nothing in them can fail to encode.
        guard let data = try? encoder.encode(value) else { return "null\n" }
        return text(of: data)
    }

    /// The same JSON with a line end, in which nothing is left that a terminal would obey or that reorders what is read:
    /// the values come from servers. Such characters stand in texts only, so they can be escaped (RFC 8259 §7).
    static func text(of data: Data) -> String {
        let json = String(decoding: data, as: UTF8.self)
        // Most of it is ASCII, and may be long.
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

    /// The encoder escapes those below a space itself; the line ends among them are its own.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x7E else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

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
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

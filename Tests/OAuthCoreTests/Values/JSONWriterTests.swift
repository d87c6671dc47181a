import Foundation
import JSON
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    private static let texts = [
        "", "plain ~", "é王😀", String(String.UnicodeScalarView((0...0xA0).compactMap { Unicode.Scalar($0) })),
        "12345678\"12345678\\\n", "\u{202E}\u{2028}", "/", "\u{E0041}",
    ]

    private static let values: [JSONValue] = [
        .null, true, false, 0, .integer(.min), .integer(.max), .number(1.5), .number(-0.0), .number(1e16),
        .number(.leastNonzeroMagnitude),
        .number(-1e300), .number(1_000_000), .number(.nan), .number(-.infinity), "a", [], [:], [[], [:]], ["a": []],
        .large(Decimal(string: "-99999999999999999999999999999999999999") ?? 0),
        ["a": ["b": [1, ["c": [:]]]], "B": 2],
        .object(Dictionary(uniqueKeysWithValues: texts.map { ($0, .string($0)) })), .array(texts.map { .string($0) }),
        [
            "10": 1, "9": 2, "B": 3, "a": 4, "e\u{301}": 5, "f": 6, "é": 7, "\u{FFFF}": 8, "\u{10000}": 9,
            "A\u{30A}": 10,
        ],
    ]

    @Test("Values are written as Foundation writes them", arguments: values)
    func foundation(value: JSONValue) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(value.serialized == String(decoding: try encoder.encode(Encoded(value)), as: UTF8.self))
        encoder.outputFormatting.insert(.prettyPrinted)
        #expect(value.prettyPrinted == String(decoding: try encoder.encode(Encoded(value)), as: UTF8.self))
    }

    @Test("A list in parts is the same text")
    func list() {
        let long = JSONValue.object(["names": JSONValue([String](repeating: "c", count: 4000))])
        for elements in [[], Self.values, [long, long, long]] {
            var parts: [String] = []
            JSONValue.writeDocument(of: elements, to: { parts.append($0) }, value: { $0 })
            #expect(parts.joined() == JSONValue.array(elements).document)
            #expect(parts.count <= 1 || elements == [long, long, long])
        }
    }

    @Test("Outputs keep their values and lose escape sequences")
    func visible() throws {
        let value: JSONValue = ["é王", "a\u{1B}[2J", "b\u{9B}2J", "c\u{202E}d", "\u{2028}", "\u{E0041}", "\n", "\u{7F}"]
        for text in [value.line, value.document] {
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            #expect(!text.unicodeScalars.contains("\u{202E}"))
            #expect(text.contains("é王"))
            #expect(try JSONValue(parsing: text) == value)
        }
    }
}

private struct Encoded: Encodable {
    var value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .large(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements.map(Encoded.init))
        case .object(let members): try container.encode(members.mapValues(Encoded.init))
        }
    }
}

import OAuthCore
import Testing

@Suite("Strings in JSON")
struct JSONStringTests {
    @Test("A byte has the same meaning at each place of a string", arguments: 0..<20)
    func places(before: Int) throws {
        for after in 0..<20 {
            let (start, end) = (String(repeating: "~", count: before), String(repeating: "é", count: after))
            for byte in UInt8(0)..<0x80 {
                let character = String(Unicode.Scalar(byte))
                let value = try? JSONValue(parsing: "\"\(start)\(character)\(end)\"").string
                let isPlain = byte >= 0x20 && character != "\"" && character != "\\"
                #expect(value == (isPlain ? start + character + end : nil))
            }
            #expect(try JSONValue(parsing: "\"\(start)\\\"\(end)\"").string == "\(start)\"\(end)")
        }
    }
}

import Testing

@testable import MSAL

@Suite("Secrets in escaped texts")
struct UnescapedTextTests {
    private static let secret = "s3cret/of<&\"'é🙂+x y"

    private static func escaped(_ name: String) -> String {
        func hex(_ number: some BinaryInteger, _ digits: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let percent = secret.utf8.map { "%" + hex($0, 2) }.joined()
        return switch name {
        case "each byte": percent
        case "each byte, in capitals": percent.uppercased()
        case "twice": percent.utf8.map { "%" + hex($0, 2) }.joined()
        case "escapes escaped": percent.replacing("%", with: "%25")
        case "UTF-16": secret.utf16.map { "\\u" + hex($0, 4) }.joined()
        case "UTF-16 in a string": secret.utf16.map { "\\\\u" + hex($0, 4) }.joined()
        case "bytes of a string": secret.utf8.map { "\\x" + hex($0, 2) }.joined()
        case "numbers": secret.unicodeScalars.map { "&#\($0.value);" }.joined()
        case "hexadecimal numbers": secret.unicodeScalars.map { "&#x\(hex($0.value, 4));" }.joined()
        case "entities":
            secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        case "a string": secret.replacing("/", with: "\\/").replacing("\"", with: "\\\"")
        case "a form": percent.replacing("%20", with: "+")
        case "one byte": secret.replacing("3", with: "%33")
        default: secret
        }
    }

    @Test(
        "An echoed secret is masked, whatever is escaped",
        arguments: [
            "nothing", "each byte", "each byte, in capitals", "twice", "escapes escaped", "UTF-16",
            "UTF-16 in a string",
            "bytes of a string", "numbers", "hexadecimal numbers", "entities", "a string", "a form", "one byte",
        ])
    func masked(form: String) {
        let privacy = Privacy(hiding: [Self.secret])
        #expect(privacy.redacted("é%41: \(Self.escaped(form)), 100%") == "é%41: ‹redacted›, 100%")
    }

    @Test(
        "A text without a secret stays as it is",
        arguments: [
            "", "%", "%4", "%zz %+1", "\\", "\\u00", "\\ud83d", "\\ud83d\\u0041", "&", "&;", "&#;", "&#x110000;",
            "&nothing;", "a%20b",
        ])
    func untouched(text: String) {
        #expect(Privacy(hiding: [Self.secret]).redacted(text) == text)
    }
}

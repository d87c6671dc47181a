import Foundation
import OAuthCore
import Testing

@Suite("The application's registration")
struct AppRegistrationTests {
    static func xml(_ inner: String) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\">\(inner)</plist>".utf8)
    }

    static let keys = """
        <dict>
          <key>CFBundleIdentifier</key><string>org.example.app</string>
          <key>CFBundleName</key><string>Example</string>
          <key>CFBundleShortVersionString</key><string>1.2</string>
          <key>CFBundleURLTypes</key><array>
            <dict><key>CFBundleURLSchemes</key><array><string>msauth.org.example.app</string></array></dict>
            <dict><key>CFBundleTypeRole</key><string>Editor</string></dict>
            <dict><key>CFBundleURLSchemes</key><array><string>one</string><string>two</string></array></dict>
          </array>
          <key>LSApplicationQueriesSchemes</key><array><string>msauthv2</string><string>msauthv3</string></array>
        </dict>
        """

    static let expected = AppRegistration(
        bundleIdentifier: "org.example.app", displayName: "Example", version: "1.2",
        urlSchemes: ["msauth.org.example.app", "one", "two"], querySchemes: ["msauthv2", "msauthv3"])

    @Test("is read from XML")
    func readsXML() throws {
        #expect(try AppRegistration(infoPlist: Self.xml(Self.keys)) == Self.expected)
    }

    @Test("is read from XML after a byte order mark")
    func readsMarkedXML() throws {
        #expect(try AppRegistration(infoPlist: [0xEF, 0xBB, 0xBF] + Self.xml(Self.keys)) == Self.expected)
    }

    @Test("is read from the binary form")
    func readsBinary() throws {
        #expect(try AppRegistration(infoPlist: Self.binary()) == Self.expected)
    }

    static func binary() throws -> [UInt8] {
        let list = try PropertyListSerialization.propertyList(from: Data(xml(keys)), format: nil)
        return Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var failure: AppRegistration.Malformed
    }

    static let rows: [Row] = [
        Row(testDescription: "nothing", bytes: [], failure: .notPropertyList),
        Row(testDescription: "text", bytes: Array("hello".utf8), failure: .notPropertyList),
        Row(
            testDescription: "the old text form", bytes: Array("{ CFBundleIdentifier = a; }".utf8),
            failure: .notPropertyList),
        Row(testDescription: "cut off", bytes: Array(xml(keys).prefix(120)), failure: .notPropertyList),
        Row(testDescription: "an array", bytes: xml("<array/>"), failure: .notDictionary),
        Row(testDescription: "no identifier", bytes: xml("<dict/>"), failure: .missing(key: "CFBundleIdentifier")),
        Row(
            testDescription: "a blank identifier",
            bytes: xml("<dict><key>CFBundleIdentifier</key><string> </string></dict>"),
            failure: .missing(key: "CFBundleIdentifier")),
        Row(
            testDescription: "an identifier that is a number",
            bytes: xml("<dict><key>CFBundleIdentifier</key><integer>1</integer></dict>"),
            failure: .wrongType(key: "CFBundleIdentifier", expected: "a string")),
        Row(
            testDescription: "schemes that are one string",
            bytes: xml(
                "<dict><key>CFBundleIdentifier</key><string>a</string><key>CFBundleURLTypes</key><array><dict>"
                    + "<key>CFBundleURLSchemes</key><string>a</string></dict></array></dict>"),
            failure: .wrongType(key: "CFBundleURLSchemes", expected: "an array of at most 256 strings")),
        Row(
            testDescription: "types that are a dictionary",
            bytes: xml(
                "<dict><key>CFBundleIdentifier</key><string>a</string><key>CFBundleURLTypes</key><dict/></dict>"),
            failure: .wrongType(key: "CFBundleURLTypes", expected: "an array of at most 256 dictionaries")),
        Row(
            testDescription: "too large", bytes: [UInt8](repeating: 0x20, count: AppRegistration.maximumBytes + 1),
            failure: .tooLarge(limit: AppRegistration.maximumBytes)),
    ]

    @Test("refuses what is not one, and says why", arguments: rows)
    func refuses(row: Row) {
        #expect(throws: row.failure) { try AppRegistration(infoPlist: row.bytes) }
        #expect(row.failure.reason.hasSuffix("."))
    }

    /// Object markers and references of the binary form (a set, an array, a dictionary, the list itself, the far end of
    /// the table), each put everywhere. Some give a list that holds itself.
    @Test(
        "a binary list with a wrong marker or reference is refused or read, and nothing else",
        arguments: [UInt8]([0x00, 0x01, 0x0F, 0x13, 0x4F, 0x5F, 0x80, 0xA1, 0xAF, 0xC3, 0xCF, 0xD1, 0xDF, 0xFF]))
    func markers(marker: UInt8) throws {
        let example = try Self.binary()
        var identifiers: Set<String> = []
        for index in example.indices {
            var bytes = example
            bytes[index] = marker
            if let read = try? AppRegistration(infoPlist: bytes) { identifiers.insert(read.bundleIdentifier) }
        }
        // A byte that means nothing leaves the list as it was.
        #expect(identifiers.contains("org.example.app"))
        #expect(!identifiers.contains(""))
    }

    @Test("a list of more schemes than anyone registers is refused")
    func manySchemes() {
        let schemes = String(repeating: "<string>a</string>", count: 257)
        let bytes = Self.xml(
            "<dict><key>CFBundleIdentifier</key><string>a</string><key>LSApplicationQueriesSchemes</key><array>"
                + "\(schemes)</array></dict>")
        #expect(
            throws: AppRegistration.Malformed.wrongType(
                key: "LSApplicationQueriesSchemes", expected: "an array of at most 256 strings")
        ) { try AppRegistration(infoPlist: bytes) }
    }
}

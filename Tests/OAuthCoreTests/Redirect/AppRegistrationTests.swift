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

    @Test("Is read from XML")
    func readsXML() throws {
        #expect(try AppRegistration(infoPlist: Self.xml(Self.keys)) == Self.expected)
    }

    @Test("Another identifier replaces the build setting in the schemes too")
    func replacedBuildSetting() throws {
        let keys = Self.keys.replacing("org.example.app", with: "$(PRODUCT_BUNDLE_IDENTIFIER)")
        let registration = try AppRegistration(infoPlist: Self.xml(keys), bundleIdentifier: "org.example.app")
        #expect(registration == Self.expected)
        #expect(try AppRegistration(infoPlist: Self.xml(keys)).hasBuildSetting)
    }

    @Test(
        "Is for iOS or macOS if its file says so",
        arguments: [
            "<key>LSRequiresIPhoneOS</key><true/>", "<key>UIDeviceFamily</key><array><integer>1</integer></array>",
            "<key>LSMinimumSystemVersion</key><string>14.0</string>",
            "<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict/></dict>",
        ])
    func apple(key: String) throws {
        let keys = Self.keys.replacing("<key>CFBundleName</key>", with: "\(key)<key>CFBundleName</key>")
        #expect(try AppRegistration(infoPlist: Self.xml(keys)).isForApple)
        #expect(!Self.expected.isForApple)
    }

    @Test("Is read from XML after a byte order mark")
    func readsMarkedXML() throws {
        #expect(try AppRegistration(infoPlist: [0xEF, 0xBB, 0xBF] + Self.xml(Self.keys)) == Self.expected)
    }

    @Test("Is read from the binary format")
    func readsBinary() throws {
        #expect(try AppRegistration(infoPlist: Self.binary) == Self.expected)
    }

    /// The same keys as written by Python's plistlib: fixed bytes, which the tests damage one by one.
    static let binary = Array(
        Data(
            base64Encoded: """
                YnBsaXN0MDDVAQIDBAUGBwgJFV8QEkNGQnVuZGxlSWRlbnRpZmllclxDRkJ1bmRsZU5hbWVfEBpDRkJ1bmRsZVNob3J0VmVyc2lv\
                blN0cmluZ18QEENGQnVuZGxlVVJMVHlwZXNfEBtMU0FwcGxpY2F0aW9uUXVlcmllc1NjaGVtZXNfEA9vcmcuZXhhbXBsZS5hcHBX\
                RXhhbXBsZVMxLjKjCg4R0QsMXxASQ0ZCdW5kbGVVUkxTY2hlbWVzoQ1fEBZtc2F1dGgub3JnLmV4YW1wbGUuYXBw0Q8QXxAQQ0ZC\
                dW5kbGVUeXBlUm9sZVZFZGl0b3LRCxKiExRTb25lU3R3b6IWF1htc2F1dGh2Mlhtc2F1dGh2MwAIABMAKAA1AFIAZQCDAJUAnQCh\
                AKUAqAC9AL8A2ADbAO4A9QD4APsA/wEDAQYBDwAAAAAAAAIBAAAAAAAAABgAAAAAAAAAAAAAAAAAAAEY
                """) ?? Data())

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
        Row(
            testDescription: "the old text form that begins as a binary list", bytes: Array("bplist00".utf8),
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
            failure: .wrongType(key: "CFBundleURLSchemes", expected: "an array of strings")),
        Row(
            testDescription: "types that are a dictionary",
            bytes: xml(
                "<dict><key>CFBundleIdentifier</key><string>a</string><key>CFBundleURLTypes</key><dict/></dict>"),
            failure: .wrongType(key: "CFBundleURLTypes", expected: "an array of dictionaries")),
        Row(
            testDescription: "too large", bytes: [UInt8](repeating: 0x20, count: AppRegistration.maximumBytes + 1),
            failure: .tooLarge(limit: AppRegistration.maximumBytes)),
    ]

    @Test("Rejects invalid files with the reason", arguments: rows)
    func rejects(row: Row) {
        #expect(throws: row.failure) { try AppRegistration(infoPlist: row.bytes) }
        #expect(row.failure.reason.hasSuffix("."))
    }

    /// Object markers and references of the binary format (a set, an array, a dictionary, the list itself, the end of
    /// the table), each written to every place. Some make a list that contains itself.
    @Test(
        "A binary list with a wrong marker or reference is rejected or read, and never crashes the reader",
        arguments: [UInt8]([0x00, 0x01, 0x0F, 0x13, 0x4F, 0x5F, 0x80, 0xA1, 0xAF, 0xC3, 0xCF, 0xD1, 0xDF, 0xFF]))
    func markers(marker: UInt8) throws {
        let example = Self.binary
        var identifiers: Set<String> = []
        for index in example.indices {
            var bytes = example
            bytes[index] = marker
            if let read = try? AppRegistration(infoPlist: bytes) { identifiers.insert(read.bundleIdentifier) }
        }
        // An unused byte leaves the list unchanged.
        #expect(identifiers.contains("org.example.app"))
        #expect(!identifiers.contains(""))
    }

    @Test("A list that contains itself is rejected")
    func holdsItself() {
        // One dictionary: its only key is object 1, its only value is object 0, the dictionary itself.
        let objects: [UInt8] = [0xD1, 0x01, 0x00, 0x51, 0x61]
        let table: [UInt8] = [8, 11]
        let trailer = [UInt8](repeating: 0, count: 6) + [1, 1] + [2, 0, 13].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
        let bytes = Array("bplist00".utf8) + objects + table + trailer
        #expect(throws: AppRegistration.Malformed.missing(key: "CFBundleIdentifier")) {
            try AppRegistration(infoPlist: bytes)
        }
    }

    @Test("Lists that multiply their elements are rejected")
    func multiplies() {
        // Object n is a list of ten times object n + 1: ten to the power of eight in all.
        var objects: [UInt8] = []
        var table: [UInt8] = []
        for index in UInt8(0)..<8 {
            table.append(UInt8(8 + objects.count))
            objects += [0xAA] + [UInt8](repeating: index + 1, count: 10)
        }
        table.append(UInt8(8 + objects.count))
        objects.append(0x50)
        let numbers: [UInt8] = [9, 0, UInt8(8 + objects.count)]
        let trailer = [UInt8](repeating: 0, count: 6) + [1, 1] + numbers.flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
        #expect(throws: AppRegistration.Malformed.notPropertyList) {
            try AppRegistration(infoPlist: Array("bplist00".utf8) + objects + table + trailer)
        }
    }

    @Test("Both formats have at most 10,000 values", arguments: [9_000, 10_000], [true, false])
    func values(count: Int, isBinary: Bool) throws {
        let list: [String: Any] = [
            "CFBundleIdentifier": "a", "LSApplicationQueriesSchemes": Array(repeating: "b", count: count),
        ]
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: list, format: isBinary ? .binary : .xml, options: 0)
        let registration = try? AppRegistration(infoPlist: Array(bytes))
        #expect(registration?.querySchemes.count == (count < 10_000 ? count : nil))
    }

    @Test("Deeply nested elements are rejected without recursion")
    func tower() {
        let tower = String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 40_000)
        #expect(throws: AppRegistration.Malformed.notPropertyList) { try AppRegistration(infoPlist: Self.xml(tower)) }
    }

    @Test("Text beyond ASCII is read from both formats")
    func unicode() throws {
        let xml = Self.xml("<dict><key>CFBundleIdentifier</key><string>é語🔑</string></dict>")
        let list = try PropertyListSerialization.propertyList(from: Data(xml), format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        #expect(try AppRegistration(infoPlist: xml).bundleIdentifier == "é語🔑")
        #expect(try AppRegistration(infoPlist: Array(binary)).bundleIdentifier == "é語🔑")
    }
}

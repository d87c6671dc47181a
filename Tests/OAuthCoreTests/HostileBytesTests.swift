import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

/// SplitMix64: the same bytes in every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}

/// Every reader of outside bytes. Each may reject its input; none may crash, and accepted values are valid.
@Suite("Hostile bytes")
struct HostileBytesTests {
    enum Reader: String, Sendable, CaseIterable {
        case json, jwt, keySet, configuration, tokens, discovery, callback, infoPlist, clientInfo, parameters

        /// A well-formed example, which the tests then damage.
        var example: [UInt8] {
            switch self {
            case .json: Array(#"{"a":[1,2.5,null,{"b":"\u00e9"}]}"#.utf8)
            case .jwt: Array(JWTTests.published.utf8)
            case .keySet: Array(JWKSetTests.published.utf8)
            case .configuration:
                Array(
                    #"{"issuer":"https://a","authorization_endpoint":"https://a/","token_endpoint":"https://a/","jwks_uri":"https://a/"}"#
                        .utf8)
            case .tokens: Array(#"{"access_token":"a","token_type":"Bearer","expires_in":1,"scope":"a b"}"#.utf8)
            case .discovery: Array(InstanceDiscoveryTests.answer.utf8)
            case .callback: Array("a://b?code=x&state=s&iss=y#z=1".utf8)
            case .infoPlist: AppRegistrationTests.binary
            case .clientInfo: Array(ClientInfo(uid: "u", utid: "t").raw.utf8)
            case .parameters: Array("a=%20&b=+&c".utf8)
            }
        }

        /// Returns whether the bytes were accepted, and checks each accepted value.
        func accepts(_ bytes: [UInt8]) -> Bool {
            let text = String(decoding: bytes, as: UTF8.self)
            switch self {
            case .json:
                guard let value = try? JSONValue(parsing: bytes) else { return false }
                return (try? JSONValue(parsing: value.serialized)) != nil
            case .jwt: return (try? JWT(parsing: text)) != nil
            case .keySet: return (try? JWKSet(parsing: bytes)).map { $0.keys.count <= JWKSet.maximumKeys } ?? false
            case .configuration:
                return (try? OpenIDConfiguration(parsing: bytes)).map { $0.tokenEndpoint.isSecureEndpoint } ?? false
            case .tokens:
                let response = try? TokenResponse(parsing: HTTPResponse(status: 200, body: bytes))
                return response.map { (0...TokenResponse.maximumLifetime).contains($0.expiresIn) } ?? false
            case .discovery:
                return (try? InstanceDiscovery(parsing: HTTPResponse(status: 200, body: bytes))) != nil
            case .callback:
                guard let url = URL(string: text) else { return false }
                return (try? AuthorizationResponse(callback: url, expecting: .init(state: "s"))) != nil
            case .infoPlist: return (try? AppRegistration(infoPlist: bytes)) != nil
            case .clientInfo: return (try? ClientInfo(parsing: text)) != nil
            case .parameters:
                let parameters = Parameters(formEncoded: text)
                return Parameters(formEncoded: parameters.formEncoded) == parameters
            }
        }
    }

    @Test("The examples are accepted", arguments: Reader.allCases)
    func examples(reader: Reader) {
        #expect(reader.accepts(reader.example))
    }

    @Test("Random bytes are rejected", arguments: Reader.allCases.filter { $0 != .parameters })
    func noise(reader: Reader) {
        var generator = SeededGenerator(state: 1)
        let accepted = (0..<300).count { length in reader.accepts([0xFF] + generator.bytes(length)) }
        #expect(accepted == 0)
    }

    @Test("Any bytes are parameters")
    func parameterNoise() {
        var generator = SeededGenerator(state: 2)
        let accepted = (0..<300).count { length in Reader.parameters.accepts(generator.bytes(length)) }
        #expect(accepted == 300)
    }

    @Test("Truncated anywhere", arguments: [Reader.json, .keySet, .configuration, .tokens, .discovery, .infoPlist])
    func truncated(reader: Reader) {
        let example = reader.example
        let accepted = (0..<example.count).filter { reader.accepts(Array(example.prefix($0))) }
        #expect(accepted.isEmpty)
    }

    /// A text with one changed byte may still be readable: the reader must not crash, and accepted values must be
    /// valid.
    @Test("A changed byte never crashes a reader", arguments: Reader.allCases)
    func mutated(reader: Reader) {
        var generator = SeededGenerator(state: 3)
        let example = reader.example
        var rejected = 0
        for index in example.indices {
            var bytes = example
            bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            if !reader.accepts(bytes) { rejected += 1 }
        }
        #expect(rejected > 0 || reader == .parameters)
    }

    @Test("Deep nesting is rejected", arguments: [Reader.json, .keySet, .configuration, .tokens, .discovery])
    func nested(reader: Reader) {
        let depth = 50_000
        let open = String(repeating: #"{"keys":["#, count: depth)
        #expect(!reader.accepts(Array(open.utf8)))
        #expect(!reader.accepts(Array((open + "1" + String(repeating: "]}", count: depth)).utf8)))
    }

    @Test(
        "JSON that other readers reject is rejected",
        arguments: [
            "{\"a\":1,}", "[1,]", "{\"a\":01}", "{'a':1}", "{\"a\":1} x", "\u{FEFF}\u{FEFF}{}", "[NaN]",
            "{\"a\":\"\t\"}",
        ])
    func lax(text: String) {
        #expect(throws: JSONValue.Malformed.self) { try JSONValue(parsing: text) }
    }

    /// The check for repeated members reads bytes, so other encodings must not bypass it.
    @Test("JSON in an encoding other than UTF-8 is rejected")
    func encodings() throws {
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
            let bytes = try #require("{\"a\":1,\"a\":2}".data(using: encoding))
            #expect(throws: JSONValue.Malformed.self) { try JSONValue(parsing: Array(bytes)) }
        }
        #expect(try JSONValue(parsing: "\u{FEFF}{\"a\":1}") == ["a": 1])
    }

    @Test("Control characters in an error are kept as data")
    func controlCharacters() throws {
        let url = try #require(URL(string: "a://b?error=%1B%5B2J&error_description=%E2%80%AE%00&state=s"))
        let response = try AuthorizationResponse(callback: url, expecting: .init(state: "s"))
        #expect(response == .rejected(OAuthErrorResponse("\u{1B}[2J", description: "\u{202E}\u{0}")))
    }
}

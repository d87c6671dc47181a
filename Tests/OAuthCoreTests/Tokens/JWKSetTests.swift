import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@Suite("Key sets")
struct JWKSetTests {
    /// RFC 7517 appendix A.1, an elliptic and an RSA key; the elliptic one is for encryption there.
    static let published = #"""
        {"keys":[
          {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
           "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"enc","kid":"1"},
          {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
           "e":"AQAB","alg":"RS256","kid":"2011-04-29"}]}
        """#

    @Test("The RFC's set keeps the signature key and explains why the other is left out")
    func example() throws {
        let set = try JWKSet(parsing: Array(Self.published.utf8))
        #expect(set.keys.map(\.keyID) == ["2011-04-29"])
        #expect(set.skipped.map(\.reason) == [.notForSignatures])
        guard case .rsa(let modulus, let exponent) = set.keys[0].publicKey else {
            Issue.record("not RSA")
            return
        }
        #expect(modulus.count == 256)
        #expect(exponent == [1, 0, 1])
    }

    static let ellipticX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    static let ellipticY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    static let edwardsX = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    static let zeros2048 = Base64URL.encode([0x80] + [UInt8](repeating: 0, count: 254) + [1])

    static let unusable: [(JSONValue, JWK.Unusable)] = [
        ("text", .notAnObject),
        ([:], .unknownType(nil)),
        (["kty": "oct", "k": "AAAA"], .unknownType("oct")),
        (["kty": "EC", "crv": "secp256k1"], .unknownCurve("secp256k1")),
        (["kty": "OKP", "crv": "X25519"], .unknownCurve("X25519")),
        (["kty": "RSA", "e": "AQAB"], .badMember("n")),
        (["kty": "RSA", "n": "AQAB", "e": "AQAB"], .keySize(bits: 17)),
        (["kty": "RSA", "n": "not base64!", "e": "AQAB"], .badMember("n")),
        (["kty": "RSA", "n": .string(zeros2048), "e": "AQ"], .badMember("e")),
        (["kty": "RSA", "n": .string(zeros2048), "e": "Ag"], .badMember("e")),
        (["kty": "EC", "crv": "P-256", "x": "AQ", "y": .string(ellipticY)], .badMember("x")),
        (["kty": "EC", "crv": "P-256", "x": .string(ellipticX)], .badMember("y")),
        (["kty": "OKP", "crv": "Ed25519", "x": "AQ"], .badMember("x")),
        (["kty": "OKP", "crv": "Ed25519", "x": .string(edwardsX), "key_ops": ["sign"]], .notForSignatures),
    ]

    @Test("Keys that cannot verify are left out, with the reason", arguments: unusable)
    func skips(value: JSONValue, reason: JWK.Unusable) throws {
        #expect(throws: reason) { try JWK(value) }
        let good: JSONValue = ["kty": "OKP", "crv": "Ed25519", "x": .string(Self.edwardsX)]
        let set: JSONValue = ["keys": [value, good]]
        let parsed = try JWKSet(parsing: Array(set.serialized.utf8))
        #expect(parsed.keys.count == 1)
        #expect(parsed.skipped.map(\.reason) == [reason])
    }

    static let sets: [(String, JWKSet.Malformed)] = [
        ("", .notJSON), ("{}", .noKeysMember), (#"{"keys":{}}"#, .noKeysMember), ("[]", .noKeysMember),
        (#"{"keys":[\#(String(repeating: "1,", count: 256))1]}"#, .tooManyKeys(limit: 256)),
        (String(repeating: " ", count: JWKSet.maximumBytes + 1), .tooLarge(limit: JWKSet.maximumBytes)),
    ]

    @Test("Anything else is rejected", arguments: sets)
    func rejects(text: String, failure: JWKSet.Malformed) {
        #expect(throws: failure) { try JWKSet(parsing: Array(text.utf8)) }
    }

    @Test("A repeated key counts once; two keys with one kid are both kept")
    func duplicates() throws {
        let one = JWK(.ed25519([UInt8](repeating: 1, count: 32)), keyID: "a")
        let two = JWK(.ed25519([UInt8](repeating: 2, count: 32)), keyID: "a")
        let set = try JWKSet(parsing: Array(JWKSet(keys: [one, one, two]).json.serialized.utf8))
        #expect(set.keys == [one, two])
        #expect(set.keys(for: "a", algorithm: .eddsa) == [one, two])
    }

    @Test("Encoding and decoding returns the same set")
    func roundTrip() throws {
        let x = try #require(Base64URL.decode(Self.ellipticX))
        let y = try #require(Base64URL.decode(Self.ellipticY))
        let set = JWKSet(keys: [
            JWK(.elliptic(.p256, x: x, y: y), keyID: "ec", algorithm: "ES256", issuer: "https://a/{tenantid}"),
            JWK(.rsa(modulus: [0x80] + [UInt8](repeating: 7, count: 255), exponent: [1, 0, 1]), keyID: nil),
        ])
        #expect(try JWKSet(parsing: Array(set.json.serialized.utf8)) == set)
    }

    @Test("Keys are found by kid and by their possible algorithms")
    func finding() {
        let edwards = JWK(.ed25519([UInt8](repeating: 1, count: 32)), keyID: "ed")
        let rsa = JWK(.rsa(modulus: [1], exponent: [3]), keyID: "rsa", algorithm: "RS256")
        let set = JWKSet(keys: [edwards, rsa])
        #expect(set.keys(for: "ed", algorithm: .eddsa) == [edwards])
        #expect(set.keys(for: nil, algorithm: .rs256) == [rsa])
        #expect(set.keys(for: "rsa", algorithm: .ps256).isEmpty)
        #expect(set.keys(for: "rsa", algorithm: .eddsa).isEmpty)
        #expect(set.keys(for: "unknown", algorithm: .eddsa).isEmpty)
    }
}

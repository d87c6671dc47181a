import KeyturnCrypto
import Testing

@Suite("base64url")
struct Base64URLTests {
    /// RFC 4648 §10, without the padding.
    @Test(
        "Encodes and decodes",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test("Uses the URL-safe letters (RFC 7515 appendix C)")
    func alphabet() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
    }

    /// RFC 7636 appendix B.
    @Test("Returns the verifier and challenge of the PKCE example")
    func pkce() {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let verifier = Base64URL.encode(octets)
        #expect(verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(
            Base64URL.encode(SHA2.sha256(Array(verifier.utf8))) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("Every byte reads back, at every place of a group")
    func roundTrip() {
        for length in 0...3 {
            for byte in UInt8.min...UInt8.max {
                let input = [UInt8](repeating: 0xA5, count: length) + [byte]
                #expect(Base64URL.decode(Base64URL.encode(input)) == input)
            }
        }
    }

    @Test(
        "Rejects text that no encoder produces",
        arguments: [
            "Zg==", "Zg=", "A", "Zm9vA", "Zh", "Zm9", "A+z/4ME", "Zm 9v", "Zm9v\n", "Zm9v\0", "Zmé", "Zm9v.",
        ])
    func rejects(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}

import Foundation
import KeyturnCrypto
import Testing

@Suite("JWS signatures")
struct SignatureTests {
    @Test("Accepts the published signatures", arguments: PublishedSignature.all)
    func published(example: PublishedSignature) throws {
        #expect(example.isValid())
    }

    @Test("Rejects each of them with a change", arguments: PublishedSignature.all)
    func changed(example: PublishedSignature) throws {
        var other = example
        other.message[0] ^= 1
        #expect(!other.isValid(), "message")
        for index in example.signature.indices {
            other = example
            other.signature[index] ^= 0x10
            #expect(!other.isValid(), "signature byte \(index)")
        }
        other = example
        other.signature.removeLast()
        #expect(!other.isValid(), "cut short")
        other.signature = example.signature + [0]
        #expect(!other.isValid(), "one byte more")
        other.signature = []
        #expect(!other.isValid(), "none")
    }

    @Test("Rejects each of them under any other algorithm", arguments: PublishedSignature.all)
    func confusedAlgorithm(example: PublishedSignature) {
        for algorithm in SignatureAlgorithm.allCases where algorithm != example.algorithm {
            #expect(!example.key.isValidSignature(example.signature, of: example.message, algorithm: algorithm))
        }
    }

    @Test("Rejects each of them under another's key", arguments: PublishedSignature.all)
    func otherKey(example: PublishedSignature) {
        for other in PublishedSignature.all where other.key != example.key {
            #expect(!other.key.isValidSignature(example.signature, of: example.message, algorithm: example.algorithm))
        }
    }

    @Test("r = s = 0 is not a signature", arguments: [EllipticCurve.p256, .p384, .p521])
    func nothing(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(.elliptic(curve)).publicKey
        let zeros = [UInt8](repeating: 0, count: curve.coordinateLength * 2)
        for algorithm in SignatureAlgorithm.allCases {
            #expect(!key.isValidSignature(zeros, of: [1], algorithm: algorithm))
        }
    }

    @Test("Rejects a short RSA key, a point off the curve and invalid keys")
    func badKeys() throws {
        let signature = [UInt8](repeating: 1, count: 128)
        let odd = [UInt8](repeating: 0xFF, count: 127)
        let short = PublicKey.rsa(modulus: [0x80] + odd, exponent: [1, 0, 1])
        #expect(!short.isValidSignature(signature, of: [1], algorithm: .rs256))
        // Leading zeros do not make it longer.
        let padded = PublicKey.rsa(modulus: [UInt8](repeating: 0, count: 256) + odd, exponent: [1, 0, 1])
        #expect(!padded.isValidSignature(signature, of: [1], algorithm: .rs256))
        let off = PublicKey.elliptic(
            .p256, x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 1, count: 32))
        #expect(!off.isValidSignature([UInt8](repeating: 1, count: 64), of: [1], algorithm: .es256))
        let wide = PublicKey.elliptic(.p256, x: [], y: [UInt8](repeating: 1, count: 64))
        #expect(!wide.isValidSignature([UInt8](repeating: 1, count: 64), of: [1], algorithm: .es256))
        #expect(!PublicKey.ed25519([1]).isValidSignature([1], of: [1], algorithm: .eddsa))
        #expect(!PublicKey.rsa(modulus: [], exponent: []).isValidSignature([], of: [], algorithm: .rs256))
    }
}

@Suite("Private keys")
struct PrivateKeyTests {
    static let algorithms: [(PrivateKey.Kind, [SignatureAlgorithm])] = [
        (.rsa(bits: 2048), [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
        (.elliptic(.p256), [.es256]), (.elliptic(.p384), [.es384]), (.elliptic(.p521), [.es512]),
        (.ed25519, [.eddsa]),
    ]

    @Test("Signatures verify with the public half, also after a round trip through PEM", arguments: algorithms)
    func roundTrip(kind: PrivateKey.Kind, algorithms: [SignatureAlgorithm]) throws {
        let message = Array("header.payload".utf8)
        let key = try PrivateKey.generate(kind)
        let again = try PrivateKey(pem: key.pem)
        #expect(again.publicKey == key.publicKey)
        for algorithm in SignatureAlgorithm.allCases {
            guard algorithms.contains(algorithm) else {
                #expect(throws: CryptoFailure.algorithmMismatch) { try key.sign(message, algorithm: algorithm) }
                continue
            }
            let signature = try again.sign(message, algorithm: algorithm)
            #expect(key.publicKey.isValidSignature(signature, of: message, algorithm: algorithm))
            #expect(!key.publicKey.isValidSignature(signature, of: message + [0], algorithm: algorithm))
        }
    }

    /// RFC 8037 appendices A.1, A.2 and A.4; the PKCS #8 wrapping is RFC 8410 §7.
    @Test("Ed25519 returns the published public key and signature")
    func ed25519() throws {
        let example = PublishedSignature.ed25519
        let secret = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let der = Data(bytes(hex: "302e020100300506032b657004220420") + secret)
        let key = try PrivateKey(
            pem: "-----BEGIN PRIVATE KEY-----\n\(der.base64EncodedString())\n-----END PRIVATE KEY-----\n")
        #expect(key.publicKey == example.key)
        #expect(try key.sign(example.message, algorithm: .eddsa) == example.signature)
    }

    @Test("Text without a key is rejected, and an encrypted key without a prompt for its passphrase")
    func malformed() {
        let encrypted = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg1tmFV1I7wKgICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECbW9QoABzUrlX40H/R2pB0EQIYT
            WRbZJEBMKAit7Ty9Ghx8CPs5KzA8h9YMx8pmsx2FaSO7sL4LCd7PugIJdFLjqkXk
            sxAdkiLZy6OYwtjUNtk=
            -----END ENCRYPTED PRIVATE KEY-----
            """
        for pem in ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", encrypted] {
            #expect(throws: CryptoFailure.malformedKey) { try PrivateKey(pem: pem) }
        }
    }

    @Test("Keys have a minimum size")
    func short() {
        #expect(throws: CryptoFailure.unavailable) { try PrivateKey.generate(.rsa(bits: 1024)) }
    }

    @Test("Print as redacted")
    func redacted() throws {
        let key = try PrivateKey.generate(.ed25519)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains("PRIVATE KEY")) }
    }
}

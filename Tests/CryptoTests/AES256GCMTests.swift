import KeyturnCrypto
import Testing

@Suite("AES-256-GCM")
struct AES256GCMTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var key: [UInt8]
        var nonce: [UInt8]
        var associated: [UInt8]
        var plaintext: [UInt8]
        var encrypted: [UInt8]
    }

    /// Test cases 13, 14 and 16 of the GCM proposal to NIST (McGrew and Viega, appendix B).
    static let vectors = [
        Vector(
            testDescription: "13: nothing", key: [UInt8](repeating: 0, count: 32),
            nonce: [UInt8](repeating: 0, count: 12), associated: [], plaintext: [],
            encrypted: bytes(hex: "530f8afbc74536b9a963b4f1c4cb738b")),
        Vector(
            testDescription: "14: one block", key: [UInt8](repeating: 0, count: 32),
            nonce: [UInt8](repeating: 0, count: 12), associated: [], plaintext: [UInt8](repeating: 0, count: 16),
            encrypted: bytes(hex: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")),
        Vector(
            testDescription: "16: broken blocks and associated data",
            key: bytes(hex: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"),
            nonce: bytes(hex: "cafebabefacedbaddecaf888"),
            associated: bytes(hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2"),
            plaintext: bytes(
                hex: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"),
            encrypted: bytes(
                hex: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                    + "76fc6ece0f4e1768cddf8853bb2d551b")),
    ]

    @Test("Encrypts and decrypts the published cases", arguments: vectors)
    func published(vector: Vector) throws {
        #expect(
            try AES256GCM.encrypt(
                vector.plaintext, key: vector.key, nonce: vector.nonce, authenticating: vector.associated)
                == vector.encrypted)
        #expect(
            try AES256GCM.decrypt(
                vector.encrypted, key: vector.key, nonce: vector.nonce, authenticating: vector.associated)
                == vector.plaintext)
    }

    @Test("Detects every flipped bit of text, tag, nonce, key and associated data")
    func flippedBits() throws {
        let vector = Self.vectors[2]
        func rejects(_ change: (inout Vector) -> Void) {
            var changed = vector
            change(&changed)
            #expect(throws: CryptoFailure.notAuthentic) {
                try AES256GCM.decrypt(
                    changed.encrypted, key: changed.key, nonce: changed.nonce, authenticating: changed.associated)
            }
        }
        for part in [\Vector.encrypted, \.key, \.nonce, \.associated] {
            for bit in 0..<vector[keyPath: part].count * 8 {
                rejects { $0[keyPath: part][bit / 8] ^= 1 << (bit % 8) }
            }
            rejects { $0[keyPath: part] = part == \.key || part == \.nonce ? $0[keyPath: part].reversed() : [] }
        }
    }

    @Test("Rejects keys and nonces of other lengths", arguments: [(31, 12), (16, 12), (32, 0), (32, 13)])
    func lengths(key: Int, nonce: Int) {
        #expect(throws: CryptoFailure.malformedKey) {
            try AES256GCM.encrypt(
                [1], key: [UInt8](repeating: 1, count: key), nonce: [UInt8](repeating: 1, count: nonce),
                authenticating: [])
        }
    }
}

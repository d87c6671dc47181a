import KeyturnCrypto
import Testing

@Suite("SHA-2")
struct SHA2Tests {
    /// FIPS 180-4 examples, one block and two.
    @Test(
        "Returns the published hashes",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, hash: String) {
        #expect(SHA2.sha256(Array(text.utf8)) == bytes(hex: hash))
    }

    @Test("SHA-384 and SHA-512 of abc")
    func longer() {
        #expect(
            SHA2.sha384(Array("abc".utf8))
                == bytes(
                    hex: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                        + "8086072ba1e7cc2358baeca134c825a7"))
        #expect(
            SHA2.sha512(Array("abc".utf8))
                == bytes(
                    hex: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"))
    }
}

@Suite("Constant-time equality")
struct ConstantTimeEqualTests {
    @Test(
        "Equals ==",
        arguments: [
            ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1], [1, 0], false), ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)])
    func equality(left: [UInt8], right: [UInt8], equal: Bool) {
        #expect(constantTimeEqual(left, right) == equal)
    }
}

import KeyturnCrypto
import Testing

@Suite("scrypt")
struct ScryptTests {
    /// RFC 7914 section 12; the fourth there takes a gigabyte.
    @Test(
        "Returns the published keys",
        arguments: [
            (
                "", "", 16, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                    + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ])
    func published(passphrase: String, salt: String, n: Int, r: Int, p: Int, key: String) throws {
        let cost = try #require(Scrypt.Cost(n: n, r: r, p: p))
        let derived = try Scrypt.key(
            passphrase: Array(passphrase.utf8), salt: Array(salt.utf8), cost: cost, length: 64)
        #expect(derived == bytes(hex: key))
    }

    @Test(
        "Has no cost of zero, or above this program's limit",
        arguments: [
            (0, 8, 1), (1, 8, 1), (3, 8, 1), (16, 0, 1), (16, 1, 0), (16, 33, 1), (16, 1, 17), (1 << 21, 1, 1),
            (1 << 19, 8, 1), (-16, 8, 1), (Int.min, 1, 1),
        ])
    func rejectedCost(n: Int, r: Int, p: Int) {
        #expect(Scrypt.Cost(n: n, r: r, p: p) == nil)
    }

    @Test("The usual cost fits in a small program's memory")
    func usual() {
        #expect(Scrypt.Cost.interactive.memory < 40 << 20)
        let usual = Scrypt.Cost.interactive
        #expect(Scrypt.Cost(n: usual.n, r: usual.r, p: usual.p) == usual)
    }
}

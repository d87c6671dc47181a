import Testing

@testable import MSAL

@Suite("Rows of the encrypted store")
struct EncryptedRowTests {
    private func associated(_ identity: [String]) -> [UInt8] {
        EncryptedRow(identity: identity, nonce: [], encrypted: []).associated
    }

    @Test(
        "Rows with different keys never have the same associated data",
        arguments: [
            (["ab", "c"], ["a", "bc"]), (["", "a"], ["a", ""]), (["1:a", ""], ["1", ":a"]), (["a", "b"], ["b", "a"]),
            (["a1:b", "c"], ["a", "b1:c"]), (["é", ""], ["e", "\u{301}"]), (["a:1", "b"], ["a", "1:b"]),
        ])
    func associated(left: [String], right: [String]) {
        let kinds = ["RefreshToken", "", "", ""]
        #expect(associated(left + kinds) != associated(right + kinds))
        #expect(associated(kinds + left) != associated(kinds + right))
    }
}

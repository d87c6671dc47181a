import Foundation
import KeyturnCrypto
import MSAL
import OAuthCore
import Testing

@Suite("Passphrase")
struct PassphraseKeyVaultTests {
    private struct Silence: Error {}

    private func vault(_ text: String) throws -> PassphraseKeyVault {
        PassphraseKeyVault(.provider { text }, cost: try #require(.least))
    }

    private func failure(_ vault: PassphraseKeyVault, _ record: DataKeyRecord) -> KeyVaultFailure.Kind? {
        #expect(throws: KeyVaultFailure.self) { try vault.dataKey(of: record) }?.kind
    }

    @Test("The same passphrase unwraps the key, another does not; the record contains cost and salt, not the key")
    func round() throws {
        let kept = try vault("correct horse").make()
        #expect(try vault("correct horse").dataKey(of: kept.record) == kept.key)
        #expect(try failure(vault("Correct horse"), kept.record) == .wrongPassphrase)
        #expect(kept.record.parameters["kdf"] == "scrypt" && kept.record.parameters["n"] == 2)
        #expect(kept.record.parameters["salt"] != (try vault("correct horse").make()).record.parameters["salt"])
        let text = JSONValue.object(kept.record.parameters).serialized
        #expect(!text.contains(Base64URL.encode(kept.key)) && !text.contains("horse"))
    }

    static let changes: [(name: String, value: JSONValue, kind: KeyVaultFailure.Kind)] = [
        ("n", 3, .malformed), ("n", .integer(1 << 40), .malformed), ("r", 0, .malformed), ("p", "x", .malformed),
        ("salt", "", .malformed), ("kdf", "none", .malformed), ("nonce", "AAAA", .wrongPassphrase),
        ("wrapped", "", .wrongPassphrase), ("n", 4, .wrongPassphrase),
    ]

    @Test("A modified record returns no key", arguments: changes)
    func changed(name: String, value: JSONValue, kind: KeyVaultFailure.Kind) throws {
        let vault = try vault("correct horse")
        var record = try vault.make().record
        record.parameters[name] = value
        #expect(failure(vault, record) == kind)
    }

    @Test("Rejects a missing and an empty passphrase")
    func none() throws {
        let least = try #require(Scrypt.Cost.least)
        for vault in [try vault(""), PassphraseKeyVault(.provider { throw Silence() }, cost: least)] {
            let failure = #expect(throws: KeyVaultFailure.self) { try vault.make() }
            #expect(failure?.kind == .missing)
        }
    }

    @Test("Is the first line of a file that only its owner can read")
    func file() throws {
        let folder = try TemporaryFolder()
        let least = try #require(Scrypt.Cost.least)
        let vault = PassphraseKeyVault(.file(folder.file("passphrase")), cost: least)
        let kept = try self.vault("correct horse").make()
        #expect(self.failure(vault, kept.record) == .missing)
        try folder.place("passphrase", Data("correct horse\nbattery".utf8))
        #expect(try vault.dataKey(of: kept.record) == kept.key)
        let path = folder.file("passphrase").path
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let failure = #expect(throws: CredentialStoreFailure.self) { try vault.dataKey(of: kept.record) }
        #expect(failure?.kind == .unsafePermissions)
        try folder.place("passphrase", Data([0xFF, 0xFE]))
        #expect(self.failure(vault, kept.record) == .malformed)
    }
}

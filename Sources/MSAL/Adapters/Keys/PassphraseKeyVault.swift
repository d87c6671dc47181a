import Foundation
import KeyturnCrypto
import OAuthCore

/// Stores a key in its record, encrypted with AES-256-GCM under a key that scrypt (RFC 7914) derives from a passphrase.
package struct PassphraseKeyVault: KeyVault {
    private let passphrase: MSALCachePassphrase
    private let cost: Scrypt.Cost

    package init(_ passphrase: MSALCachePassphrase, cost: Scrypt.Cost = .interactive) {
        (self.passphrase, self.cost) = (passphrase, cost)
    }

    package func make() throws -> StoredDataKey {
        var new = StoredDataKey.new(.passphrase)
        let random = SystemRandom()
        var wrapped = WrappedDataKey(
            cost: cost, salt: random.bytes(WrappedDataKey.saltLength), nonce: random.bytes(AES256GCM.nonceLength),
            encrypted: [])
        var wrappingKey = try wrappingKey(of: wrapped)
        defer { wrappingKey.erase() }
        do {
            wrapped.encrypted = try AES256GCM.encrypt(
                new.key, key: wrappingKey, nonce: wrapped.nonce, authenticating: Array(new.record.id.utf8))
        } catch { throw KeyVaultFailure(.io, reason: "Can't encrypt the data key: OpenSSL failed.") }
        new.record.parameters = wrapped.parameters
        return new
    }

    package func dataKey(of record: DataKeyRecord) throws -> [UInt8] {
        guard let wrapped = WrappedDataKey(record.parameters) else {
            throw KeyVaultFailure(
                .malformed, reason: "The cache's encrypted key is damaged.", remedy: KeyVaultFailure.startAgain)
        }
        var wrappingKey = try wrappingKey(of: wrapped)
        defer { wrappingKey.erase() }
        do {
            return try AES256GCM.decrypt(
                wrapped.encrypted, key: wrappingKey, nonce: wrapped.nonce, authenticating: Array(record.id.utf8))
        } catch {
            throw KeyVaultFailure(
                .wrongPassphrase, reason: "The passphrase doesn't decrypt the token cache.",
                remedy: "Use the original one. To change it, configure the original as the previous passphrase. If it "
                    + "is lost, move all cache files away and sign in again.")
        }
    }

    /// Does nothing, because the key is in the deleted record.
    package func discard(_ record: DataKeyRecord) throws {}

    private func wrappingKey(of wrapped: WrappedDataKey) throws -> [UInt8] {
        var text = Array(try passphrase.text().reveal().utf8)
        defer { text.erase() }
        guard !text.isEmpty else {
            throw KeyVaultFailure(
                .missing, reason: "The passphrase of the token cache is empty.", remedy: KeyVaultFailure.configureOne)
        }
        do {
            return try Scrypt.key(passphrase: text, salt: wrapped.salt, cost: wrapped.cost, length: AES256GCM.keyLength)
        } catch {
            throw KeyVaultFailure(
                .io, reason: "Can't derive a key from the passphrase: it needs \(wrapped.cost.memory >> 20) MiB.")
        }
    }
}

struct WrappedDataKey {
    static let saltLength = 16

    var cost: Scrypt.Cost
    var salt: [UInt8]
    var nonce: [UInt8]
    var encrypted: [UInt8]

    var parameters: [String: JSONValue] {
        [
            "kdf": "scrypt", "n": .integer(Int64(cost.n)), "r": .integer(Int64(cost.r)), "p": .integer(Int64(cost.p)),
            "salt": .string(Base64URL.encode(salt)), "nonce": .string(Base64URL.encode(nonce)),
            "wrapped": .string(Base64URL.encode(encrypted)),
        ]
    }
}

extension WrappedDataKey {
    init?(_ parameters: [String: JSONValue]) {
        func bytes(_ name: String) -> [UInt8]? { parameters[name]?.string.flatMap { Base64URL.decode($0) } }
        func number(_ name: String) -> Int? { parameters[name]?.double.flatMap { Int(exactly: $0) } }
        guard parameters["kdf"]?.string == "scrypt", let n = number("n"), let r = number("r"), let p = number("p"),
            let cost = Scrypt.Cost(n: n, r: r, p: p), let salt = bytes("salt"), salt.count == Self.saltLength,
            let nonce = bytes("nonce"), let encrypted = bytes("wrapped")
        else { return nil }
        self.init(cost: cost, salt: salt, nonce: nonce, encrypted: encrypted)
    }
}

extension MSALCachePassphrase {
    fileprivate func text() throws -> Secret {
        switch self {
        case .file(let file): return try SecretFile.firstLine(of: file.path, named: "passphrase file")
        case .provider(let provide):
            do { return Secret(try provide()) } catch {
                throw KeyVaultFailure(
                    .missing, reason: "The program did not provide the token cache's passphrase (\(type(of: error))).")
            }
        }
    }
}

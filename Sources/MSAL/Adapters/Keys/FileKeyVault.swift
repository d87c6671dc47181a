import Foundation
import Glibc
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

/// Stores each key in a file beside the store, `STORE.ID.key`, which only its owner can read.
///
/// One file per key, so that a process that removes an old key can't remove another process's new one.
package struct FileKeyVault: KeyVault {
    private let store: String
    private let random: any RandomBytes

    package init(store: URL, random: any RandomBytes = SystemRandom()) {
        self.store = store.path(percentEncoded: false)
        self.random = random
    }

    /// The record for the single key file of store version 1.
    package static func firstVersionRecord(store: String, id: String) -> DataKeyRecord {
        DataKeyRecord(place: .keyFile, id: id, parameters: ["file": .string(store.fileName + ".key")])
    }

    /// The possible records of a key whose ID alone is known.
    static func records(store: String, id: String) -> [DataKeyRecord] {
        [
            DataKeyRecord(place: .keyFile, id: id, parameters: parameters(store: store, id: id)),
            firstVersionRecord(store: store, id: id),
        ]
    }

    private static func parameters(store: String, id: String) -> [String: JSONValue] {
        ["file": .string("\(store.fileName).\(id).key")]
    }

    package func make() throws -> StoredDataKey {
        let key = random.bytes(AES256GCM.keyLength)
        let id = Base64URL.encode(random.bytes(12))
        let path = "\(store).\(id).key"
        try PrivateFile.prepareFolder(folder)
        try PrivateFile.write(key, to: path, replaces: false, of: store)
        return StoredDataKey(
            key: key, record: DataKeyRecord(place: .keyFile, id: id, parameters: Self.parameters(store: store, id: id)))
    }

    package func dataKey(of record: DataKeyRecord) throws -> [UInt8] {
        let path = try path(of: record)
        guard let key = try PrivateFile.read(path, atMost: AES256GCM.keyLength) else {
            throw KeyVaultFailure(.missing, reason: "The key file \(path) is missing.")
        }
        guard key.count == AES256GCM.keyLength else {
            throw KeyVaultFailure(
                .malformed, reason: "\(path) does not contain a key of \(AES256GCM.keyLength) bytes.")
        }
        return key
    }

    package func discard(_ record: DataKeyRecord) throws {
        let path = try path(of: record)
        guard unlink(path) == 0 || errno == ENOENT else {
            throw PrivateFile.failure("remove", path)
        }
    }

    private var folder: String { store.parentFolder }

    /// The path of a key file. Must be in the store's folder, because the record isn't protected.
    private func path(of record: DataKeyRecord) throws -> String {
        guard let name = record.parameters["file"]?.string, !name.isEmpty, !name.contains("/"), name.hasSuffix(".key")
        else {
            throw KeyVaultFailure(
                .malformed, reason: "\(store) doesn't name its key file.", remedy: KeyVaultFailure.startAgain)
        }
        return (folder as NSString).appendingPathComponent(name)
    }
}

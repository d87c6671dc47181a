import Foundation
import Glibc
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

/// Stores each key in a file beside the store, `STORE.ID.key`, which only its owner can read. One file per key, so that
/// a process that removes an old key can't remove another process's new one.
package struct FileKeyVault: KeyVault {
    private let store: String

    package init(store: URL) { self.store = store.path(percentEncoded: false) }

    /// The record for the single key file of store version 1.
    package static func firstVersionRecord(store: String, id: String) -> DataKeyRecord {
        record(id, file: "\(store.fileName).key")
    }

    /// The possible records of a key whose ID alone is known.
    static func records(store: String, id: String) -> [DataKeyRecord] {
        [record(id, file: "\(store.fileName).\(id).key"), firstVersionRecord(store: store, id: id)]
    }

    private static func record(_ id: String, file: String) -> DataKeyRecord {
        DataKeyRecord(place: .keyFile, id: id, parameters: ["file": .string(file)])
    }

    package func make() throws -> StoredDataKey {
        var new = StoredDataKey.new(.keyFile)
        let path = "\(store).\(new.record.id).key"
        new.record = Self.record(new.record.id, file: path.fileName)
        try PrivateFile.prepareFolder(store.parentFolder)
        try PrivateFile.write(new.key, to: path, replaces: false, of: store)
        return new
    }

    package func dataKey(of record: DataKeyRecord) throws -> [UInt8] {
        let path = try path(of: record)
        guard let key = try PrivateFile.read(path, atMost: AES256GCM.keyLength) else {
            throw KeyVaultFailure(.missing, reason: "The key file \(path) is missing.")
        }
        guard key.count == AES256GCM.keyLength else {
            throw KeyVaultFailure(.malformed, reason: "\(path) does not contain a key of \(AES256GCM.keyLength) bytes.")
        }
        return key
    }

    package func discard(_ record: DataKeyRecord) throws {
        let path = try path(of: record)
        guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFile.failure("remove", path) }
    }

    /// The path of a key file. Must be in the store's folder, because the record isn't protected.
    private func path(of record: DataKeyRecord) throws -> String {
        guard let name = record.parameters["file"]?.string, !name.isEmpty, !name.contains("/"), name.hasSuffix(".key")
        else {
            throw KeyVaultFailure(
                .malformed, reason: "\(store) doesn't name its key file.", remedy: KeyVaultFailure.startAgain)
        }
        return (store.parentFolder as NSString).appendingPathComponent(name)
    }
}

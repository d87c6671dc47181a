import Foundation
import KeyturnSystem

/// Credentials in an SQLite file that several processes share: one encrypted row each, in a folder that only its owner
/// can access. An unusable file is renamed and reported, and damaged rows are set aside in the file and reported; the
/// next call continues. A read-only store only reports both, each time. Reading a missing store creates no file.
package final class SQLiteCredentialStore: CredentialStore {
    let path: String
    let vaults: DataKeyVaults
    private let random: any RandomBytes
    private let busyMilliseconds: Int32
    let access: CredentialStoreAccess
    private let database = Locked<CredentialDatabase?>(nil)

    package init(
        file: URL, keys: DataKeyVaults, random: any RandomBytes = SystemRandom(), busySeconds: Double = 5,
        access: CredentialStoreAccess = .full
    ) {
        path = file.path(percentEncoded: false)
        vaults = keys
        self.random = random
        busyMilliseconds = Int32(clamping: Int(busySeconds * 1000))
        self.access = access
    }

    package func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        try withDatabase(mends: query.mendsDamage) { try $0.records(matching: query) }
    }

    package func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        try withDatabase { try $0.digests(in: form) }
    }

    package func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        try withDatabase(creates: true) { try $0.update(matching: query, decide) }
    }

    package func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try PrivateFile.prepareFolder(path.parentFolder)
        return try RefreshLease(key, path: "\(path).lock")
    }

    package func leaseHolder(_ key: CredentialKey) -> TurnHolder? { RefreshLease.holder(of: key, path: "\(path).lock") }

    package func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try withDatabase(creates: true) { try $0.reserveRoom() }
        return nil
    }

    package func stamp() -> CredentialStamp? {
        database.withLockIfAvailable { held in
            guard let held, (try? PrivateFile.identity(path)) == held.identity else { return nil }
            return held.stamp
        } ?? nil
    }

    package func protection() throws(CredentialStoreFailure) -> MSALCacheProtection {
        let (record, damaged) = try withDatabase { database in
            guard let record = database.keyRecord else { throw CredentialDatabase.Failure.keyMoved }
            return (record, try database.damagedCount())
        }
        return MSALCacheProtection(
            kind: record.place.protection, path: path, explanation: record.explanation(store: path),
            damagedRecords: damaged, setAsideFiles: PrivateFile.setAsideFiles(of: path))
    }

    package func deleteSetAside() throws(CredentialStoreFailure) -> DeletedDamage {
        if access == .lookingOnly { return DeletedDamage() }
        let (records, record) = try withDatabase { (try $0.deleteAllDamaged(), $0.keyRecord) }
        PartialFile.removeAbandoned(ofAllWith: path)
        deleteKeyFiles(except: record)
        return DeletedDamage(
            records: records, files: try PrivateFile.deleteSetAside(of: path, companions: Self.companions))
    }

    /// Deletes the key files of stores that were set aside, according to their anchors.
    private func deleteKeyFiles(except current: DataKeyRecord?) {
        for store in PrivateFile.setAsideFiles(of: path) {
            let entries = (try? StoreAnchor.read(beside: store))?.entries ?? []
            for entry in entries where entry.place == .keyFile && entry.keyID != current?.id {
                for record in FileKeyVault.records(store: path, id: entry.keyID)
                where record.parameters != current?.parameters {
                    try? vaults.discard(record)
                }
            }
        }
    }

    static let companions = ["-wal", "-shm", "-journal", ".anchor"]

    /// `creates`: whether to create a missing file. Otherwise, `work` gets an empty copy in memory.
    private func withDatabase<Value: Sendable>(
        mends: Bool = true, creates: Bool = false, _ work: (CredentialDatabase) throws -> Value
    ) throws(CredentialStoreFailure) -> Value {
        try database.withLock { held throws(CredentialStoreFailure) in
            // Retry, because another process may change the key between any two steps.
            for attempt in 1...20 {
                let identity = try prepareFile(isOpen: held != nil, creates: creates)
                // The file may have been renamed or removed while it was open.
                if held?.identity != identity { held = nil }
                var current = held
                defer { current?.closeLook() }
                do {
                    let database = try current ?? connect(identity)
                    current = database
                    if held == nil {
                        try KeyAssignment(vaults: vaults).unlock(database)
                        held = database
                    }
                    return try work(database)
                } catch CredentialDatabase.Failure.keyMoved {
                    held = nil
                } catch CredentialDatabase.Failure.damaged where (try? current?.dropDamagedMetadata()) == true {
                    continue
                } catch let failure as KeyVaultFailure where failure.kind == .missing && attempt < 3 {
                    // The key may be missing because the store now has another one.
                    continue
                } catch {
                    held = nil
                    throw failure(error, of: current, identity, mends: mends && access != .lookingOnly)
                }
            }
            throw CredentialStoreFailure(.busy, reason: "The key of \(path) keeps changing. Try again.")
        }
    }

    private func connect(_ identity: PrivateFile.Identity) throws -> CredentialDatabase {
        // SQLite treats a file of one byte as empty and would overwrite it.
        if (try? PrivateFile.size(path)) == 1 { throw CredentialDatabase.Failure.notOurs }
        return try CredentialDatabase(
            path: path, identity: identity, random: random, busyMilliseconds: busyMilliseconds,
            copies: access == .lookingOnly || identity == .none, acceptsAsFound: access == .acceptingAsFound)
    }

    private func prepareFile(isOpen: Bool, creates: Bool) throws(CredentialStoreFailure) -> PrivateFile.Identity {
        if access == .lookingOnly || !isOpen { try PrivateFile.checkFolder(path.parentFolder) }
        if let identity = try PrivateFile.identity(path) { return identity }
        if access == .lookingOnly { return .none }
        // A lost file, whose anchor remains, is created to report the loss only once.
        if !creates, try PrivateFile.identity(StoreAnchor.path(of: path)) == nil { return .none }
        try PrivateFile.prepareFolder(path.parentFolder)
        _ = try PrivateFile.create(path)
        guard let identity = try PrivateFile.identity(path) else {
            throw CredentialStoreFailure(.io, reason: "\(path) disappeared after it was created.")
        }
        return identity
    }
}

/// The permitted changes to the files of a store.
package enum CredentialStoreAccess: Sendable {
    case full
    /// Accepts and remembers a replaced file.
    case acceptingAsFound
    /// Changes no file: works on a copy in memory, and reports damage each time.
    case lookingOnly
}

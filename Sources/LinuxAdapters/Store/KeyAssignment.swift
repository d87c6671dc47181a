import AuthEngine
import KeyturnCrypto

/// Gives an opened database its key: finds it, makes it for a new one, or moves it to where it is configured to be.
///
/// Nothing here waits for a vault while it holds the database's write lock, and at every moment the record in the
/// database names a key that is kept. A process that is killed in between leaves at most a key that seals nothing.
struct KeyAssignment {
    let vaults: DataKeyVaults
    let access: CredentialStoreAccess

    private var acceptsAsFound: Bool { access == .acceptingAsFound }

    func unlock(_ database: CredentialDatabase) throws(OpeningFailure) {
        var record = try stored(database)
        if record == nil {
            try create(database)
            if access == .lookingOnly { return }
            record = try stored(database)
        }
        guard let record else { throw .database(.notOurs) }
        // Before any vault is asked for a key that a stranger may have named.
        let isKnown = try OpeningFailure.translating { () throws(CredentialDatabase.Failure) in
            try database.checkAnchor(record, acceptsAsFound: acceptsAsFound)
        }
        switch vaults.decide(recorded: record.place) {
        case .use(let place, _):
            let isCurrent = try use(record, database)
            // Why it is at this place still holds.
            if !isCurrent && access != .lookingOnly { try move(database, from: record, to: place, note: record.note) }
        case .move(let place):
            guard isKnown else { throw .database(.notAsLeft(.unknownAndMoving)) }
            _ = try use(record, database)
            if access != .lookingOnly { try move(database, from: record, to: place) }
        case .refuse(let failure): throw .vault(failure)
        case .askSecretService: throw .vault(.locked)
        }
    }

    private func stored(_ database: CredentialDatabase) throws(OpeningFailure) -> DataKeyRecord? {
        try OpeningFailure.translating { () throws(CredentialDatabase.Failure) in try database.storedKeyRecord() }
    }

    /// Whether the key is kept as it is configured to be.
    private func use(_ record: DataKeyRecord, _ database: CredentialDatabase) throws(OpeningFailure) -> Bool {
        let (kept, isCurrent) = try OpeningFailure.translating { () throws(KeyVaultFailure) in
            try vaults.dataKey(of: record)
        }
        try OpeningFailure.translating { () throws(CredentialDatabase.Failure) in
            try database.unlock(with: kept, acceptsAsFound: acceptsAsFound)
        }
        return isCurrent
    }

    private func create(_ database: CredentialDatabase) throws(OpeningFailure) {
        switch vaults.decide(recorded: nil) {
        case .use(let place, let note) where access == .lookingOnly:
            // No vault keeps it: it ends with the copy.
            let passing = KeptDataKey(
                key: database.random.bytes(AES256GCM.keyLength), record: DataKeyRecord(place, id: "", note: note))
            try OpeningFailure.translating { () throws(CredentialDatabase.Failure) in
                _ = try database.create(with: passing, acceptsAsFound: false)
                try database.unlock(with: passing, acceptsAsFound: false)
            }
        case .use(let place, let note):
            try give(place, note: note) { kept throws(CredentialDatabase.Failure) in
                try database.create(with: kept, acceptsAsFound: acceptsAsFound)
            }
        case .refuse(let failure): throw .vault(failure)
        case .move, .askSecretService: throw .vault(.locked)
        }
    }

    /// The old key is put away last: until the database names the new one, the old one is the key.
    private func move(
        _ database: CredentialDatabase, from old: DataKeyRecord, to place: DataKeyPlace, note: String = ""
    ) throws(OpeningFailure) {
        try give(place, note: note) { kept throws(CredentialDatabase.Failure) in
            try database.reseal(with: kept)
            return true
        }
        try OpeningFailure.translating { () throws(KeyVaultFailure) in try vaults.discard(old) }
    }

    /// Makes a key, and puts it away again when it does not become the database's.
    private func give(
        _ place: DataKeyPlace, note: String,
        _ take: (KeptDataKey) throws(CredentialDatabase.Failure) -> Bool
    ) throws(OpeningFailure) {
        let kept = try OpeningFailure.translating { () throws(KeyVaultFailure) in
            try vaults.make(at: place, note: note)
        }
        do throws(CredentialDatabase.Failure) {
            if try take(kept) { return }
        } catch {
            // What went wrong with the database is what to tell; a key too many harms nobody.
            try? vaults.discard(kept.record)
            throw .database(error)
        }
        try OpeningFailure.translating { () throws(KeyVaultFailure) in try vaults.discard(kept.record) }
    }
}

/// Why a database did not open.
enum OpeningFailure: Error {
    case database(CredentialDatabase.Failure)
    case vault(KeyVaultFailure)

    static func translating<Value>(
        _ work: () throws(CredentialDatabase.Failure) -> Value
    ) throws(OpeningFailure) -> Value {
        do throws(CredentialDatabase.Failure) { return try work() } catch { throw .database(error) }
    }

    static func translating<Value>(_ work: () throws(KeyVaultFailure) -> Value) throws(OpeningFailure) -> Value {
        do throws(KeyVaultFailure) { return try work() } catch { throw .vault(error) }
    }
}

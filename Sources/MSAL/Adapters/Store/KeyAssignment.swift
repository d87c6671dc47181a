import KeyturnCrypto

/// Finds the key of an open database, creates it for a new one, or moves it to the configured location. Uses no vault
/// under the write lock. The recorded key always exists: a killed process leaves an unused key at most.
struct KeyAssignment {
    let vaults: DataKeyVaults

    func unlock(_ database: CredentialDatabase) throws {
        if database.found.keyRecord == nil {
            try create(database)
            if database.isCopy { return }
        }
        guard let record = database.found.keyRecord else { throw CredentialDatabase.Failure.notOurs }
        // Before querying a vault for a key that another user may have named.
        let isKnown = try database.checkAnchor(record)
        switch vaults.decide(recorded: record.place) {
        case .use(let place, _):
            let isCurrent = try use(record, database)
            // The reason for this location is still valid.
            if !isCurrent, !database.isCopy { try move(database, from: record, to: place, note: record.note) }
        case .move(let place):
            guard isKnown else { throw CredentialDatabase.Failure.notAsLeft(.unknownAndMoving) }
            _ = try use(record, database)
            if !database.isCopy { try move(database, from: record, to: place) }
        case .reject(let failure): throw failure
        case .checkSecretService: throw KeyVaultFailure.locked
        }
    }

    private func use(_ record: DataKeyRecord, _ database: CredentialDatabase) throws -> Bool {
        // The user may be asked for long.
        if record.place != .keyFile { database.closeLook() }
        var (stored, isCurrent) = try vaults.dataKey(of: record)
        // Arrays copy on write, so the database keeps its key.
        defer { stored.key.erase() }
        try database.unlock(with: stored)
        return isCurrent
    }

    private func create(_ database: CredentialDatabase) throws {
        switch vaults.decide(recorded: nil) {
        case .use(let place, let note) where database.isCopy:
            // A copy's key isn't stored.
            let passing = StoredDataKey(
                key: database.random.bytes(AES256GCM.keyLength), record: DataKeyRecord(place: place, id: "", note: note)
            )
            _ = try database.create(with: passing)
            try database.unlock(with: passing)
        case .use(let place, let note): try give(place, note: note) { try database.create(with: $0) }
        case .reject(let failure): throw failure
        case .move, .checkSecretService: throw KeyVaultFailure.locked
        }
    }

    /// Moves the key. Deletes the old one last, because it stays valid until the database names the new one.
    private func move(
        _ database: CredentialDatabase, from old: DataKeyRecord, to place: DataKeyPlace, note: String = ""
    ) throws {
        try give(place, note: note) { stored in
            try database.encryptAgain(with: stored)
            return true
        }
        try vaults.discard(old)
    }

    /// Creates a key, and deletes it if the database doesn't use it.
    private func give(_ place: DataKeyPlace, note: String, _ use: (StoredDataKey) throws -> Bool) throws {
        var stored = try vaults.make(at: place, note: note)
        defer { stored.key.erase() }
        do {
            if try use(stored) { return }
        } catch {
            // Report the database's error; an unused key does no harm.
            try? vaults.discard(stored.record)
            throw error
        }
        try vaults.discard(stored.record)
    }
}

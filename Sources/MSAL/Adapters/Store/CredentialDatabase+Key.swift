import KeyturnCrypto
import OAuthCore

/// Checks, changes and records the key that encrypts the rows.
extension CredentialDatabase {
    private static let checkText = Array("keyturn credential store".utf8)

    func currentKeyID() throws -> String? {
        try sqlite { try connection.text("SELECT key_id FROM data_key") }
    }

    /// Uses the key from here on, if it decrypts the rows and the database hasn't been replaced.
    ///
    /// - Parameter acceptsAsFound: whether to accept and remember a replaced database.
    func unlock(with stored: StoredDataKey, acceptsAsFound: Bool) throws {
        try configure()
        let text = found.keyCheck.flatMap { row in
            try? AES256GCM.decrypt(row.encrypted, key: stored.key, nonce: row.nonce, authenticating: Self.checkText)
        }
        if text != Self.checkText { try repairKeyCheck(with: stored) }
        use(stored.key, of: stored.record)
        try meetAnchor(acceptsAsFound: acceptsAsFound)
    }

    func keyCheck() throws -> EncryptedRow? {
        var check: EncryptedRow?
        try rows("SELECT nonce, sealed FROM key_check") {
            check = EncryptedRow(identity: [], nonce: $0.blob(0), encrypted: $0.blob(1))
        }
        return check
    }

    /// Repairs an unreadable key check if a credential is readable with the key. Otherwise the store has another key.
    /// Throws after a repair too, to report it.
    private func repairKeyCheck(with stored: StoredDataKey) throws {
        try transaction {
            guard try currentKeyID() == stored.record.id else { throw Failure.keyMoved }
            let rows = try encryptedRows("SELECT * FROM credential LIMIT 100", [])
            guard rows.contains(where: { text(of: $0, with: stored.key) != nil }) else { throw Failure.anotherKey }
            try writeKeyCheck(stored.key)
        }
        throw Failure.keyCheckMended
    }

    /// Encrypts every row with a new key and records its location, in one transaction. The old key then decrypts
    /// nothing in the file.
    func encryptAgain(with stored: StoredDataKey) throws {
        try transaction {
            try checkKeyIsCurrent()
            try forgetDigests()
            var manifests = try manifests()
            try checkWhole(manifests)
            var newManifests = Manifests(generation: manifests.store.generation)
            var last: EncryptedRow?
            while let batch = try rows(after: last), let lastRow = batch.last {
                for row in batch {
                    let isWritten = try isWritten(row, &manifests)
                    guard isWritten, var text = text(of: row, with: key) else { throw Failure.damaged }
                    defer { text.erase() }
                    let new = try encrypt(text, for: row.identity, with: stored.key)
                    try put(new)
                    note(new, &newManifests)
                }
                last = lastRow
            }
            try write(&newManifests, with: stored.key)
            try writeKeyRecord(stored)
            // Before the commit, because the process may exit right after it.
            try anchor([
                try entry(manifests.store, key, keyRecord),
                try entry(newManifests.store, stored.key, stored.record),
            ])
        }
        use(stored.key, of: stored.record)
        keepAnchor()
        holdsRemains = true
        removeRemains()
    }

    /// Returns rows in portions, to limit memory use.
    func rows(after row: EncryptedRow?) throws -> [EncryptedRow]? {
        let order = "ORDER BY \(EncryptedRow.identityColumns) LIMIT 500"
        guard let row else { return try encryptedRows("SELECT * FROM credential \(order)", []) }
        return try encryptedRows(
            "SELECT * FROM credential WHERE (\(EncryptedRow.identityColumns)) > (?, ?, ?, ?, ?, ?) \(order)",
            row.identity.map(SQLiteConnection.Value.text))
    }

    /// Records a key. Call this in a transaction.
    func writeKeyRecord(_ stored: StoredDataKey) throws {
        try writeKeyCheck(stored.key)
        try write(stored.record)
    }

    func write(_ record: DataKeyRecord) throws {
        try run(
            "INSERT OR REPLACE INTO data_key VALUES (1, ?, ?, ?, ?)",
            [
                .text(record.place.rawValue), .text(record.id), .text(JSONValue.object(record.parameters).serialized),
                .text(record.note),
            ])
    }

    private func writeKeyCheck(_ key: [UInt8]) throws {
        let nonce = random.bytes(AES256GCM.nonceLength)
        let encrypted = try Self.encrypt(Self.checkText, with: key, nonce: nonce, associated: Self.checkText)
        try run("INSERT OR REPLACE INTO key_check VALUES (1, ?, ?)", [.blob(nonce), .blob(encrypted)])
    }
}

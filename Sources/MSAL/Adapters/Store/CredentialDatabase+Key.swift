import KeyturnCrypto
import OAuthCore

extension CredentialDatabase {
    func currentKeyID() throws -> String? { try sqlite { try connection.text("SELECT key_id FROM data_key") } }

    func stillHas(_ record: DataKeyRecord?) throws -> Bool {
        closeLook()
        return try currentKeyID() == record?.id
    }

    /// Uses the key from here on, if it decrypts the rows and the database hasn't been replaced.
    func unlock(with stored: StoredDataKey) throws {
        guard try decrypts(stored) else { throw try stillHas(stored.record) ? Failure.anotherKey : Failure.keyMoved }
        use(stored.key, of: stored.record)
        try meetAnchor()
    }

    /// Whether the key decrypts something of the store. Also `true` if nothing is encrypted.
    private func decrypts(_ stored: StoredDataKey) throws -> Bool {
        func decrypts(_ row: EncryptedRow) -> Bool { text(of: row, with: stored.key) != nil }
        if found.manifest.map(decrypts) == true { return true }
        let rows =
            [found.manifest, found.anchor?.entry(of: stored.record)?.manifest].compactMap(\.self)
            + (try encryptedRows("SELECT * FROM credential LIMIT 100", []))
        return rows.isEmpty || rows.contains(where: decrypts)
    }

    /// Encrypts every row and records the key's place in one transaction, after which the old key decrypts nothing.
    func encryptAgain(with stored: StoredDataKey) throws {
        try transaction {
            try checkKeyIsCurrent()
            try forgetDigests()
            let manifests = try manifests()
            try checkWhole(manifests)
            let new = try writeManifests(after: manifests.store.generation, with: stored.key) { row in
                guard try isWritten(row, manifests), var text = text(of: row, with: key) else { throw Failure.damaged }
                defer { text.erase() }
                let row = try encrypt(text, for: row.identity, with: stored.key)
                try put(row)
                return row
            }
            try writeKeyRecord(stored)
            // Before the commit, because the process may exit right after it.
            try anchor([try entry(manifests.store, key, keyRecord), try entry(new, stored.key, stored.record)])
        }
        use(stored.key, of: stored.record)
        keepAnchor()
        holdsRemains = true
        removeRemains()
    }

    /// Records a key. Call this in a transaction.
    func writeKeyRecord(_ stored: StoredDataKey) throws {
        try write(stored.record)
        // Versions up to 0.2 find out with it whether they have the right key.
        let check = Array("keyturn credential store".utf8)
        let nonce = random.bytes(AES256GCM.nonceLength)
        let encrypted = try Self.encrypt(check, with: stored.key, nonce: nonce, associated: check)
        try run("INSERT OR REPLACE INTO key_check VALUES (1, ?, ?)", [.blob(nonce), .blob(encrypted)])
    }

    func write(_ record: DataKeyRecord) throws {
        try run(
            "INSERT OR REPLACE INTO data_key VALUES (1, ?, ?, ?, ?)",
            [
                .text(record.place.rawValue), .text(record.id), .text(JSONValue.object(record.parameters).serialized),
                .text(record.note),
            ])
    }
}

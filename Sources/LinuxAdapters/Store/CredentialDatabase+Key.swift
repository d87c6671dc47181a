import AuthEngine
import Crypto
import OAuthCore

/// The key the rows are sealed with: checked, changed, and written down.
extension CredentialDatabase {
    private static let checkText = Array("keyturn credential store".utf8)

    func currentKeyID() throws(Failure) -> String? {
        try sqlite { () throws(SQLiteConnection.Failure) in try connection.text("SELECT key_id FROM data_key") }
    }

    /// Uses the key for everything from here on, when it is the one that the rows are sealed with.
    func unlock(with kept: KeptDataKey) throws(Failure) {
        try configure()
        let check = try keyCheck()
        let text = check.flatMap { row in
            try? AES256GCM.open(row.sealed, key: kept.key, nonce: row.nonce, authenticating: Self.checkText)
        }
        if text != Self.checkText { try repairKeyCheck(with: kept) }
        use(kept.key, of: kept.record)
    }

    private func keyCheck() throws(Failure) -> (nonce: [UInt8], sealed: [UInt8])? {
        var check: (nonce: [UInt8], sealed: [UInt8])?
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows("SELECT nonce, sealed FROM key_check") { check = ($0.blob(0), $0.blob(1)) }
        }
        return check
    }

    /// A check that does not open means another key, unless a credential does open: then only the check is damaged, and
    /// to give up all credentials for that would lose the most.
    private func repairKeyCheck(with kept: KeptDataKey) throws(Failure) {
        try transaction { () throws(Failure) in
            guard try currentKeyID() == kept.record.id else { throw .keyMoved }
            let rows = try sealedRows("SELECT * FROM credential LIMIT 100", [])
            guard rows.contains(where: { text(of: $0, with: kept.key) != nil }) else { throw .anotherKey }
            try writeKeyCheck(kept.key)
        }
    }

    /// Seals every row anew under another key and writes down where that one is: all of it or nothing, in one
    /// transaction. After it the old key opens nothing in the file.
    func reseal(with kept: KeptDataKey) throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            try forgetDigests()
            var last: SealedRow?
            while let batch = try rows(after: last), let end = batch.last {
                for row in batch { try put(try resealed(row, with: kept.key)) }
                last = end
            }
            try writeKeyRecord(kept)
        }
        use(kept.key, of: kept.record)
        holdsRemains = true
        removeRemains()
    }

    private func resealed(_ row: SealedRow, with newKey: [UInt8]) throws(Failure) -> SealedRow {
        guard let text = text(of: row, with: key) else { throw .damaged([row]) }
        return try seal(text, for: row.identity, with: newKey)
    }

    /// In portions, so that a large store does not have to be in memory at once.
    private func rows(after row: SealedRow?) throws(Failure) -> [SealedRow]? {
        let order = "ORDER BY \(SealedRow.identityColumns) LIMIT 500"
        guard let row else { return try sealedRows("SELECT * FROM credential \(order)", []) }
        return try sealedRows(
            "SELECT * FROM credential WHERE (\(SealedRow.identityColumns)) > (?, ?, ?, ?, ?, ?) \(order)",
            row.identity.map(SQLiteConnection.Value.text))
    }

    /// Within a transaction.
    func writeKeyRecord(_ kept: KeptDataKey) throws(Failure) {
        try writeKeyCheck(kept.key)
        try write(kept.record)
    }

    func write(_ record: DataKeyRecord) throws(Failure) {
        try run(
            "INSERT OR REPLACE INTO data_key VALUES (1, ?, ?, ?, ?)",
            [
                .text(record.place.rawValue), .text(record.id), .text(JSONValue.object(record.parameters).serialized),
                .text(record.note),
            ])
    }

    private func writeKeyCheck(_ key: [UInt8]) throws(Failure) {
        let nonce = random.bytes(AES256GCM.nonceLength)
        let sealed = try Self.seal(Self.checkText, with: key, nonce: nonce, associated: Self.checkText)
        try run("INSERT OR REPLACE INTO key_check VALUES (1, ?, ?)", [.blob(nonce), .blob(sealed)])
    }
}

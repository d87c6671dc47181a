/// A row of the credential table.
struct EncryptedRow: Sendable, Equatable {
    static let identityColumns = "kind, home_account_id, environment, client, realm, target"
    static let isIdentity =
        "kind = ? AND home_account_id = ? AND environment = ? AND client = ? AND realm = ? AND target = ?"

    /// The values of ``identityColumns``.
    var identity: [String]
    var nonce: [UInt8]
    /// The encrypted members and the authentication tag.
    var encrypted: [UInt8]

    /// `nil` for an unknown kind.
    var key: CredentialKey? {
        CredentialKey.Kind(rawValue: identity[0]).map { kind in
            CredentialKey(
                kind, homeAccountID: identity[1], environment: identity[2], client: identity[3], realm: identity[4],
                target: identity[5])
        }
    }

    var values: [SQLiteConnection.Value] { identity.map(SQLiteConnection.Value.text) }
    var content: [SQLiteConnection.Value] { [.blob(nonce), .blob(encrypted)] }

    /// The associated data of the encryption: the key columns with their lengths, which makes them unambiguous.
    var associated: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(identity.reduce(0) { $0 + $1.utf8.count + 4 })
        for part in identity {
            bytes.append(contentsOf: String(part.utf8.count).utf8)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: part.utf8)
        }
        return bytes
    }
}

extension EncryptedRow {
    init(_ row: SQLiteConnection.Row) {
        self.init(identity: (0..<6).map { row.text($0) }, nonce: row.blob(6), encrypted: row.blob(7))
    }
}

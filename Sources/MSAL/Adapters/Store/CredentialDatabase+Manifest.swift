import KeyturnCrypto

/// Seals over the content of the tables, to detect deleted or restored rows (docs/decisions/0029).
///
/// The store's seal has the generation of each group's seal, and each group's seal is bound to its generation, so that
/// an older one doesn't match. Call these methods in a transaction.
extension CredentialDatabase {
    /// The seals within one transaction.
    struct Seals {
        fileprivate(set) var store: StoreSeal
        fileprivate var groups: [UInt8: GroupSeal] = [:]
        fileprivate var changed: Set<UInt8> = []
        /// The marks of groups for checking many rows.
        fileprivate var marks: [UInt8: Set<GroupSeal.Mark>] = [:]

        /// Creates the seals of an empty store.
        init(generation: Int64) {
            store = StoreSeal()
            store.generation = generation
        }

        init(_ store: StoreSeal) { self.store = store }
    }

    private static let part = "store"

    func seals() throws(Failure) -> Seals {
        guard let seals = try keptSeals() else { throw .damaged }
        return seals
    }

    /// The seals, or `nil` if the store's seal or the table is missing or damaged.
    func keptSeals() throws(Failure) -> Seals? {
        do throws(Failure) {
            return try sealedPart(Self.part, [Self.part]).flatMap(StoreSeal.init).map(Seals.init)
        } catch .notOurs {
            return nil
        }
    }

    /// The seal of a group, or `nil` when it is damaged.
    private func group(_ number: UInt8, of seals: inout Seals) throws(Failure) -> GroupSeal? {
        if let known = seals.groups[number] { return known }
        guard let generation = seals.store.groups[number] else { return GroupSeal() }
        guard let text = try sealedPart("\(number)", Self.identity(number, generation)), let group = GroupSeal(text)
        else { return nil }
        seals.groups[number] = group
        return group
    }

    private static func identity(_ number: UInt8, _ generation: Int64) -> [String] {
        ["group", "\(number)", "\(generation)"]
    }

    private func sealedPart(_ part: String, _ identity: [String]) throws(Failure) -> [UInt8]? {
        var row: SealedRow?
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows("SELECT nonce, sealed FROM seal WHERE part = ?", [.text(part)]) {
                row = SealedRow(identity: identity, nonce: $0.blob(0), sealed: $0.blob(1))
            }
        }
        return row.flatMap { text(of: $0, with: key) }
    }

    // Checking

    /// Checks the number of rows and that all seals are readable. Rows are checked by ``isWritten(_:_:)``.
    ///
    /// - Parameter look: called with the bytes of each ``GroupSeal``.
    func checkWhole(_ seals: Seals, _ look: ([UInt8]) -> Void = { _ in }) throws(Failure) {
        guard try number("SELECT count(*) FROM credential") == seals.store.rows else { throw .damaged }
        for (number, generation) in seals.store.groups {
            guard let group = try sealedPart("\(number)", Self.identity(number, generation)) else { throw .damaged }
            look(group)
        }
    }

    /// Checks that each account has exactly the rows that were written.
    func check(_ homeAccountIDs: Set<String>, _ seals: inout Seals) throws(Failure) {
        for homeAccountID in homeAccountIDs {
            let place = AccountPlace(homeAccountID)
            guard let group = try group(place.group, of: &seals) else { throw .damaged }
            var nonces: [[UInt8]] = []
            try sqlite { () throws(SQLiteConnection.Failure) in
                try connection.rows(
                    "SELECT nonce FROM credential WHERE home_account_id = ?", [.text(homeAccountID)]
                ) { nonces.append($0.blob(0)) }
            }
            let found = nonces.compactMap { GroupSeal.Mark(place, nonce: $0) }
            let marks = group.marks(of: place)
            guard nonces.count == marks.count, Set(found) == marks else {
                throw .damaged
            }
        }
    }

    /// Whether the row is the latest version of its record.
    func isWritten(_ row: SealedRow, _ seals: inout Seals) throws(Failure) -> Bool {
        let place = AccountPlace(row.identity[1])
        guard let mark = GroupSeal.Mark(place, nonce: row.nonce) else { return false }
        if seals.marks[place.group] == nil {
            seals.marks[place.group] = try group(place.group, of: &seals).map { Set($0.marks) }
        }
        return seals.marks[place.group]?.contains(mark) == true
    }

    // Changing

    /// Updates the seals before a row is replaced, written or deleted.
    func note(_ key: CredentialKey, newNonce: [UInt8]?, _ seals: inout Seals) throws(Failure) {
        let place = AccountPlace(key.homeAccountID)
        guard var group = try group(place.group, of: &seals) else { throw .damaged }
        var old: [UInt8]?
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(
                "SELECT nonce FROM credential WHERE \(SealedRow.isIdentity)",
                key.components.map(SQLiteConnection.Value.text)
            ) { old = $0.blob(0) }
        }
        let count = group.marks.count
        if let mark = old.flatMap({ GroupSeal.Mark(place, nonce: $0) }) { group.marks.removeAll { $0 == mark } }
        if let mark = newNonce.flatMap({ GroupSeal.Mark(place, nonce: $0) }) { group.marks.append(mark) }
        seals.replace(place.group, by: group, adding: group.marks.count - count)
    }

    /// Adds a row as the latest version to its account's seal.
    func note(_ row: SealedRow, _ seals: inout Seals) {
        let place = AccountPlace(row.identity[1])
        guard let mark = GroupSeal.Mark(place, nonce: row.nonce) else { return }
        var group = seals.groups[place.group] ?? GroupSeal()
        group.marks.append(mark)
        seals.replace(place.group, by: group, adding: 1)
    }

    /// Writes the changed seals as the next generation.
    func write(_ seals: inout Seals, with key: [UInt8]) throws(Failure) {
        seals.store.generation += 1
        for number in seals.changed {
            seals.store.groups[number] = seals.store.generation
            try writePart(
                "\(number)", Self.identity(number, seals.store.generation), (seals.groups[number] ?? GroupSeal()).bytes,
                key)
        }
        seals.changed = []
        try writePart(Self.part, [Self.part], seals.store.bytes, key)
    }

    private func writePart(_ part: String, _ identity: [String], _ text: [UInt8], _ key: [UInt8]) throws(Failure) {
        let row = try seal(text, for: identity, with: key)
        try run("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", [.text(part), .blob(row.nonce), .blob(row.sealed)])
    }
}

extension CredentialDatabase.Seals {
    fileprivate mutating func replace(_ number: UInt8, by group: GroupSeal, adding rows: Int) {
        groups[number] = group
        marks[number] = nil
        changed.insert(number)
        store.rows += Int64(rows)
    }
}

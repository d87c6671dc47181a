import KeyturnCrypto

/// Manifests of the content of the tables, to detect deleted or restored rows (docs/decisions/0029).
///
/// The store's manifest has the generation of each group's manifest, and each group's manifest is bound to its generation, so that
/// an older one doesn't match. Call these methods in a transaction.
extension CredentialDatabase {
    /// The manifests within one transaction.
    struct Manifests {
        fileprivate(set) var store: StoreManifest
        fileprivate var groups: [UInt8: GroupManifest] = [:]
        fileprivate var changed: Set<UInt8> = []
        /// The marks of groups for checking many rows.
        fileprivate var marks: [UInt8: Set<GroupManifest.Mark>] = [:]

        /// Creates the manifests of an empty store.
        init(generation: Int64) {
            store = StoreManifest()
            store.generation = generation
        }

        init(_ store: StoreManifest) { self.store = store }
    }

    private static let part = "store"

    func manifests() throws -> Manifests {
        guard let manifests = try readManifests() else { throw Failure.damaged }
        return manifests
    }

    /// The manifests, or `nil` if the store's manifest or the table is missing or damaged.
    func readManifests() throws -> Manifests? { try manifestRow().flatMap(manifest).map(Manifests.init) }

    func manifest(in row: EncryptedRow) -> StoreManifest? { text(of: row, with: key).flatMap(StoreManifest.init) }

    func manifestRow() throws -> EncryptedRow? {
        do { return try part(Self.part, [Self.part]) } catch Failure.notOurs { return nil }
    }

    /// The manifest of a group, or `nil` when it is damaged.
    private func group(_ number: UInt8, of manifests: inout Manifests) throws -> GroupManifest? {
        if let known = manifests.groups[number] { return known }
        guard let generation = manifests.store.groups[number] else { return GroupManifest() }
        guard let text = try manifestPart("\(number)", Self.identity(number, generation)),
            let group = GroupManifest(text)
        else { return nil }
        manifests.groups[number] = group
        return group
    }

    private static func identity(_ number: UInt8, _ generation: Int64) -> [String] {
        ["group", "\(number)", "\(generation)"]
    }

    private func manifestPart(_ part: String, _ identity: [String]) throws -> [UInt8]? {
        try self.part(part, identity).flatMap { text(of: $0, with: key) }
    }

    private func part(_ part: String, _ identity: [String]) throws -> EncryptedRow? {
        var row: EncryptedRow?
        try rows("SELECT nonce, sealed FROM seal WHERE part = ?", [.text(part)]) {
            row = EncryptedRow(identity: identity, nonce: $0.blob(0), encrypted: $0.blob(1))
        }
        return row
    }

    // Checking

    /// Checks the number of rows and that all manifests are readable. Rows are checked by ``isWritten(_:_:)``.
    ///
    /// - Parameter look: called with each group's manifest.
    func checkWhole(_ manifests: Manifests, _ look: (GroupManifest) -> Void = { _ in }) throws {
        guard try number("SELECT count(*) FROM credential") == manifests.store.rows else { throw Failure.damaged }
        for (number, generation) in manifests.store.groups {
            let text = try manifestPart("\(number)", Self.identity(number, generation))
            guard let group = text.flatMap(GroupManifest.init) else { throw Failure.damaged }
            look(group)
        }
    }

    /// Checks that each account has exactly the rows that were written.
    func check(_ homeAccountIDs: Set<String>, _ manifests: inout Manifests) throws {
        for homeAccountID in homeAccountIDs {
            let place = AccountPlace(homeAccountID)
            guard let group = try group(place.group, of: &manifests) else { throw Failure.damaged }
            var nonces: [[UInt8]] = []
            try rows("SELECT nonce FROM credential WHERE home_account_id = ?", [.text(homeAccountID)]) {
                nonces.append($0.blob(0))
            }
            let found = nonces.compactMap { GroupManifest.Mark(place, nonce: $0) }
            let marks = group.marks(of: place)
            guard nonces.count == marks.count, Set(found) == marks else {
                throw Failure.damaged
            }
        }
    }

    /// Whether the row is the latest version of its record.
    func isWritten(_ row: EncryptedRow, _ manifests: inout Manifests) throws -> Bool {
        let place = AccountPlace(row.identity[1])
        guard let mark = GroupManifest.Mark(place, nonce: row.nonce) else { return false }
        if manifests.marks[place.group] == nil {
            manifests.marks[place.group] = try group(place.group, of: &manifests).map { Set($0.marks) }
        }
        return manifests.marks[place.group]?.contains(mark) == true
    }

    // Changing

    /// Updates the manifests before a row is replaced, written or deleted.
    func note(_ key: CredentialKey, newNonce: [UInt8]?, _ manifests: inout Manifests) throws {
        let place = AccountPlace(key.homeAccountID)
        guard var group = try group(place.group, of: &manifests) else { throw Failure.damaged }
        var old: [UInt8]?
        let values = key.components.map(SQLiteConnection.Value.text)
        try rows("SELECT nonce FROM credential WHERE \(EncryptedRow.isIdentity)", values) { old = $0.blob(0) }
        let count = group.marks.count
        if let mark = old.flatMap({ GroupManifest.Mark(place, nonce: $0) }) { group.marks.removeAll { $0 == mark } }
        if let mark = newNonce.flatMap({ GroupManifest.Mark(place, nonce: $0) }) { group.marks.append(mark) }
        manifests.replace(place.group, by: group, adding: group.marks.count - count)
    }

    /// Adds a row as the latest version to its account's manifest.
    func note(_ row: EncryptedRow, _ manifests: inout Manifests) {
        let place = AccountPlace(row.identity[1])
        guard let mark = GroupManifest.Mark(place, nonce: row.nonce) else { return }
        var group = manifests.groups[place.group] ?? GroupManifest()
        group.marks.append(mark)
        manifests.replace(place.group, by: group, adding: 1)
    }

    /// Writes the changed manifests as the next generation.
    func write(_ manifests: inout Manifests, with key: [UInt8]) throws {
        manifests.store.generation += 1
        for number in manifests.changed {
            manifests.store.groups[number] = manifests.store.generation
            try writePart(
                "\(number)", Self.identity(number, manifests.store.generation),
                (manifests.groups[number] ?? GroupManifest()).bytes,
                key)
        }
        manifests.changed = []
        try writePart(Self.part, [Self.part], manifests.store.bytes, key)
    }

    private func writePart(_ part: String, _ identity: [String], _ text: [UInt8], _ key: [UInt8]) throws {
        let row = try encrypt(text, for: identity, with: key)
        try run("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", [.text(part), .blob(row.nonce), .blob(row.encrypted)])
    }
}

extension CredentialDatabase.Manifests {
    fileprivate mutating func replace(_ number: UInt8, by group: GroupManifest, adding rows: Int) {
        groups[number] = group
        marks[number] = nil
        changed.insert(number)
        store.rows += Int64(rows)
    }
}

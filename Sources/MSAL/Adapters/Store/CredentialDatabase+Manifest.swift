/// Manifests of the content of the tables, to detect deleted or restored rows (docs/decisions/0029). The store's
/// manifest has the generation of each group's manifest, and each group's manifest is bound to its generation, so that
/// an older one doesn't match. Call these methods in a transaction.
extension CredentialDatabase {
    /// The manifests within one transaction.
    final class Manifests {
        var store: StoreManifest
        fileprivate var groups: [UInt8: GroupManifest] = [:]
        fileprivate var changed: Set<UInt8> = []

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

    private func group(_ number: UInt8, of manifests: Manifests) throws -> GroupManifest {
        if let known = manifests.groups[number] { return known }
        guard let generation = manifests.store.groups[number] else { return GroupManifest() }
        let row = try part("\(number)", Self.identity(number, generation))
        guard let text = row.flatMap({ text(of: $0, with: key) }), let group = GroupManifest(text) else {
            throw Failure.damaged
        }
        manifests.groups[number] = group
        return group
    }

    private static func identity(_ number: UInt8, _ generation: Int64) -> [String] {
        ["group", "\(number)", "\(generation)"]
    }

    private func part(_ part: String, _ identity: [String]) throws -> EncryptedRow? {
        var row: EncryptedRow?
        try rows("SELECT nonce, sealed FROM seal WHERE part = ?", [.text(part)]) {
            row = EncryptedRow(identity: identity, nonce: $0.blob(0), encrypted: $0.blob(1))
        }
        return row
    }

    /// Checks the number of rows and that all manifests are readable. Rows are checked by ``isWritten(_:_:)``.
    @discardableResult
    func checkWhole(_ manifests: Manifests) throws -> [GroupManifest] {
        guard try number("SELECT count(*) FROM credential") == manifests.store.rows else { throw Failure.damaged }
        return try manifests.store.groups.keys.map { try group($0, of: manifests) }
    }

    func check(_ homeAccountIDs: Set<String>, _ manifests: Manifests) throws {
        for homeAccountID in homeAccountIDs {
            let place = AccountPlace(homeAccountID)
            var found: [GroupManifest.Mark] = []
            try rows("SELECT nonce FROM credential WHERE home_account_id = ?", [.text(homeAccountID)]) {
                found.append(GroupManifest.Mark(place, nonce: $0.blob(0)))
            }
            let written = try group(place.group, of: manifests).marks.filter { $0.account == place.account }
            guard found.count == written.count, Set(found) == Set(written) else { throw Failure.damaged }
        }
    }

    /// Whether the row is the latest version of its record. `false` also when that is unknown.
    func isWritten(_ row: EncryptedRow, _ manifests: Manifests) throws -> Bool {
        let place = AccountPlace(row.identity[1])
        do {
            return try group(place.group, of: manifests).marks.contains(GroupManifest.Mark(place, nonce: row.nonce))
        } catch Failure.damaged { return false }
    }

    func note(_ homeAccountID: String, from old: [UInt8]? = nil, to new: [UInt8]?, _ manifests: Manifests) throws {
        let place = AccountPlace(homeAccountID)
        var group = try group(place.group, of: manifests)
        let count = group.marks.count
        if let old { group.marks.removeAll { $0 == GroupManifest.Mark(place, nonce: old) } }
        if let new { group.marks.append(GroupManifest.Mark(place, nonce: new)) }
        manifests.store.rows += Int64(group.marks.count - count)
        manifests.groups[place.group] = group
        manifests.changed.insert(place.group)
    }

    func write(_ manifests: Manifests, with key: [UInt8]) throws {
        manifests.store.generation += 1
        let generation = manifests.store.generation
        for number in manifests.changed {
            manifests.store.groups[number] = generation
            let bytes = try group(number, of: manifests).bytes
            try writePart("\(number)", Self.identity(number, generation), bytes, key)
        }
        manifests.changed = []
        try writePart(Self.part, [Self.part], manifests.store.bytes, key)
    }

    private func writePart(_ part: String, _ identity: [String], _ text: [UInt8], _ key: [UInt8]) throws {
        let row = try encrypt(text, for: identity, with: key)
        try run("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", [.text(part)] + row.content)
    }

    /// Replaces all manifests. `change` returns what takes a row's place, which it changes in the table, or `nil`.
    @discardableResult
    func writeManifests(
        after generation: Int64, with key: [UInt8], _ change: (EncryptedRow) throws -> EncryptedRow? = { $0 }
    ) throws -> StoreManifest {
        let manifests = Manifests(StoreManifest(generation: generation))
        // In portions, to limit memory use.
        let order = "ORDER BY \(EncryptedRow.identityColumns) LIMIT 500"
        var batch = try encryptedRows("SELECT * FROM credential \(order)", [])
        while let last = batch.last {
            for row in try batch.compactMap(change) { try note(row.identity[1], to: row.nonce, manifests) }
            batch = try encryptedRows(
                "SELECT * FROM credential WHERE (\(EncryptedRow.identityColumns)) > (?, ?, ?, ?, ?, ?) \(order)",
                last.values)
        }
        try run("DELETE FROM seal")
        try write(manifests, with: key)
        return manifests.store
    }
}

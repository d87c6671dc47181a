/// Checks that the database hasn't been replaced (docs/decisions/0029).
extension CredentialDatabase {
    /// Throws for a database with another key than the remembered one. Returns `false` when nothing is remembered.
    func checkAnchor(_ record: DataKeyRecord) throws -> Bool {
        guard !acceptsAsFound else { return true }
        guard let anchor = try found.anchor ?? readAnchor() else { return false }
        do { try anchor.check(record) } catch {
            // Another process may have changed the key between the two reads.
            guard try readAnchor() == anchor, try stillHas(record) else { throw Failure.keyMoved }
            throw Failure.notAsLeft(error)
        }
        return true
    }

    /// The remembered generation is never ahead. Remembers a new store, and one of a version without manifests.
    func meetAnchor() throws {
        do {
            if found.hasNoManifest {
                try writeFirstManifest(isAfter: found.anchor)
                // A copy has no anchor to compare with.
                if isCopy { return }
                try lookAgain()
            }
            try compare(with: found.anchor)
        } catch Failure.notAsLeft(let mismatch) {
            guard try readAnchor() == found.anchor, try stillHas(keyRecord) else { throw Failure.keyMoved }
            throw Failure.notAsLeft(mismatch)
        }
    }

    private func compare(with anchor: StoreAnchor?) throws {
        guard let manifest = found.manifest.flatMap(manifest) else { throw Failure.damaged }
        if acceptsAsFound { return try anchorCurrent() }
        guard let anchor else {
            // The process that created it hasn't written the anchor yet. The store was always empty.
            guard manifest.generation == 1, manifest.rows == 0 else { throw Failure.notAsLeft(.unknown) }
            return try anchorCurrent()
        }
        let known = try anchoredManifest(anchor).generation
        guard known <= manifest.generation else { throw Failure.notAsLeft(.rolledBack) }
        // Otherwise an earlier database would match the outdated anchor.
        if known < manifest.generation { keepAnchor() }
    }

    func anchoredManifest(_ anchor: StoreAnchor?) throws -> StoreManifest {
        guard let record = keyRecord, let manifest = (anchor?.entry(of: record)?.manifest).flatMap(manifest) else {
            throw Failure.notAsLeft(.unknown)
        }
        return manifest
    }

    /// Adds manifests to a store of a version without them. Writes the anchor first: if the process exits in between, an
    /// anchor of the first generation allows a database without manifests.
    private func writeFirstManifest(isAfter anchor: StoreAnchor?) throws {
        try transaction {
            try checkKeyIsCurrent()
            // Again under the write lock, because another process may have been first.
            guard try hasNoManifest() else { return }
            if let anchor, !acceptsAsFound, try anchoredManifest(anchor).generation != 1 {
                throw Failure.notAsLeft(.rolledBack)
            }
            try makeManifestTable()
            let manifest = try writeManifests(after: 0, with: key)
            try self.anchor([try entry(manifest, key, keyRecord)])
        }
    }

    /// Updates the anchor after a committed change. The next change repairs an error, because an anchor may lag behind.
    /// - Parameter syncsName: whether the previous anchor may not come back after a power failure.
    func keepAnchor(syncsName: Bool = true) { try? anchorCurrent(syncsName: syncsName) }

    /// Writes the anchor under the write lock, so that no process overwrites it with an older generation.
    private func anchorCurrent(syncsName: Bool = true) throws {
        try transaction {
            try checkKeyIsCurrent()
            try anchor([try entry(try manifests().store, key, keyRecord)], syncsName: syncsName)
        }
    }

    func readAnchor() throws -> StoreAnchor? { try StoreAnchor.read(beside: path) }

    func anchor(_ entries: [StoreAnchor.Entry], syncsName: Bool = true) throws {
        if isCopy { return }
        // Another file may have replaced this one while it was open.
        guard try PrivateFile.identity(path) == identity else { throw Failure.keyMoved }
        try StoreAnchor(entries: entries).write(beside: path, syncsName: syncsName)
    }

    func entry(_ manifest: StoreManifest, _ key: [UInt8], _ record: DataKeyRecord?) throws -> StoreAnchor.Entry {
        guard let record else { throw Failure.keyMoved }
        let row = try encrypt(manifest.bytes, for: StoreAnchor.Entry.identity(record.place, record.id), with: key)
        return StoreAnchor.Entry(place: record.place, keyID: record.id, manifest: row)
    }
}

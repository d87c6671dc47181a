import KeyturnCrypto

/// Checks that the database hasn't been replaced (docs/decisions/0029).
extension CredentialDatabase {
    /// Throws for a database with another key than the remembered one. Returns `false` when nothing is remembered.
    func checkAnchor(_ record: DataKeyRecord, acceptsAsFound: Bool) throws -> Bool {
        guard !acceptsAsFound else { return true }
        guard let anchor = try found.anchor ?? readAnchor() else { return false }
        do { try anchor.check(record) } catch {
            // Another process may have changed the key between the two reads.
            guard try readAnchor() == anchor, try currentKeyID() == record.id else { throw Failure.keyMoved }
            throw Failure.notAsLeft(error)
        }
        return true
    }

    /// Compares the generation of the database with the remembered one, which is never ahead. Remembers a new store,
    /// and one of a version without manifests.
    func meetAnchor(acceptsAsFound: Bool) throws {
        do {
            if found.hasNoManifest {
                try writeFirstManifest(isAfter: found.anchor, acceptsAsFound)
                // A copy has no anchor to compare with.
                if isCopy { return }
                try lookAgain()
            }
            try compare(with: found.anchor, acceptsAsFound)
        } catch Failure.notAsLeft(let mismatch) {
            guard try readAnchor() == found.anchor, try currentKeyID() == keyRecord?.id else { throw Failure.keyMoved }
            throw Failure.notAsLeft(mismatch)
        }
    }

    private func compare(with anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws {
        guard let manifest = found.manifest.flatMap(manifest) else { throw Failure.damaged }
        if acceptsAsFound { return try anchorCurrent() }
        guard let anchor else {
            // The process that created it hasn't written the anchor yet. The store was always empty.
            guard manifest.generation == 1, manifest.rows == 0 else { throw Failure.notAsLeft(.unknown) }
            return try anchorCurrent()
        }
        let known = try generation(in: anchor)
        guard known <= manifest.generation else { throw Failure.notAsLeft(.rolledBack) }
        // Otherwise an earlier database would match the outdated anchor.
        if known < manifest.generation { keepAnchor() }
    }

    private func generation(in anchor: StoreAnchor) throws -> Int64 {
        StoreManifest.number(try manifestText(in: anchor).prefix(StoreManifest.generationLength))
    }

    private func manifestText(in anchor: StoreAnchor) throws -> [UInt8] {
        guard let record = keyRecord, let entry = anchor.entry(of: record),
            let text = text(
                of: EncryptedRow(identity: entry.identity, nonce: entry.nonce, encrypted: entry.encrypted), with: key)
        else { throw Failure.notAsLeft(.unknown) }
        return text
    }

    /// The store's manifest from the anchor, for a database without it.
    ///
    /// - Parameter acceptsAsFound: whether to return `nil` when no anchor has a readable one, instead of throwing.
    func anchoredManifests(acceptsAsFound: Bool) throws -> Manifests? {
        do {
            guard let anchor = try readAnchor(), let manifest = StoreManifest(try manifestText(in: anchor)) else {
                throw Failure.notAsLeft(.unknown)
            }
            return Manifests(manifest)
        } catch Failure.notAsLeft(let mismatch) {
            guard acceptsAsFound else { throw Failure.notAsLeft(mismatch) }
            return nil
        }
    }

    /// Adds manifests to a store of a version without them. Writes the anchor first: if the process exits in between, an
    /// anchor of the first generation allows a database without manifests.
    private func writeFirstManifest(isAfter anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws {
        try transaction {
            try checkKeyIsCurrent()
            // Again under the write lock, because another process may have been first.
            guard try hasNoManifest() else { return }
            if let anchor, !acceptsAsFound, try generation(in: anchor) != 1 { throw Failure.notAsLeft(.rolledBack) }
            try makeManifestTable()
            var manifests = Manifests(generation: 0)
            var last: EncryptedRow?
            while let batch = try rows(after: last), let lastRow = batch.last {
                for row in batch { note(row, &manifests) }
                last = lastRow
            }
            try write(&manifests, with: key)
            try self.anchor([try entry(manifests.store, key, keyRecord)])
        }
    }

    /// Updates the anchor after a committed change. The next change repairs an error, because an anchor may lag behind.
    ///
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
        let identity = StoreAnchor.Entry.identity(record.place, record.id)
        let row = try self.encrypt(manifest.bytes, for: identity, with: key)
        return StoreAnchor.Entry(place: record.place, keyID: record.id, nonce: row.nonce, encrypted: row.encrypted)
    }
}

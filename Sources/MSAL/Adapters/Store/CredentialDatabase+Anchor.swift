import KeyturnCrypto

/// Checks that the database hasn't been replaced (docs/decisions/0029).
extension CredentialDatabase {
    /// Throws for a database with another key than the remembered one. Returns `false` when nothing is remembered.
    func checkAnchor(_ record: DataKeyRecord, acceptsAsFound: Bool) throws(Failure) -> Bool {
        guard !acceptsAsFound else { return true }
        guard let anchor = try readAnchor() else { return false }
        do throws(StoreAnchor.Mismatch) {
            try anchor.check(record)
        } catch {
            // Another process may have changed the key between the two reads.
            guard try currentKeyID() == record.id else { throw .keyMoved }
            throw .notAsLeft(error)
        }
        return true
    }

    /// Compares the generation of the database with the remembered one, which is never ahead. Remembers a new store,
    /// and one of a version without manifests.
    func meetAnchor(acceptsAsFound: Bool) throws(Failure) {
        // Before the database, because another process may change both in between.
        let anchor = try readAnchor()
        do throws(Failure) {
            if try hasNoManifest() {
                try writeFirstManifest(isAfter: anchor, acceptsAsFound)
                // A copy has no anchor to compare with.
                if isCopy { return }
            }
            try compare(with: anchor, acceptsAsFound)
        } catch .notAsLeft(let mismatch) {
            guard try readAnchor() == anchor, try currentKeyID() == keyRecord?.id else { throw .keyMoved }
            throw .notAsLeft(mismatch)
        }
    }

    private func compare(with anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws(Failure) {
        var found = StoreManifest()
        try reading { manifests in found = manifests.store }
        if acceptsAsFound { return try anchorCurrent() }
        guard let anchor else {
            // The process that created it hasn't written the anchor yet. The store was always empty.
            guard found.generation == 1, found.rows == 0 else { throw .notAsLeft(.unknown) }
            return try anchorCurrent()
        }
        let known = try generation(in: anchor)
        guard known <= found.generation else { throw .notAsLeft(.rolledBack) }
        // Otherwise an earlier database would match the outdated anchor.
        if known < found.generation { keepAnchor() }
    }

    private func generation(in anchor: StoreAnchor) throws(Failure) -> Int64 {
        StoreManifest.number(try manifestText(in: anchor).prefix(StoreManifest.generationLength))
    }

    private func manifestText(in anchor: StoreAnchor) throws(Failure) -> [UInt8] {
        guard let record = keyRecord, let entry = anchor.entry(of: record),
            let text = text(
                of: EncryptedRow(identity: entry.identity, nonce: entry.nonce, encrypted: entry.encrypted), with: key)
        else { throw .notAsLeft(.unknown) }
        return text
    }

    /// The store's manifest from the anchor, for a database without it.
    ///
    /// - Parameter acceptsAsFound: whether to return `nil` when no anchor has a readable one, instead of throwing.
    func anchoredManifests(acceptsAsFound: Bool) throws(Failure) -> Manifests? {
        do throws(Failure) {
            guard let anchor = try readAnchor(), let manifest = StoreManifest(try manifestText(in: anchor)) else {
                throw .notAsLeft(.unknown)
            }
            return Manifests(manifest)
        } catch .notAsLeft(let mismatch) {
            guard acceptsAsFound else { throw .notAsLeft(mismatch) }
            return nil
        }
    }

    /// Adds manifests to a store of a version without them. Writes the anchor first: if the process exits in between, an
    /// anchor of the first generation allows a database without manifests.
    private func writeFirstManifest(isAfter anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            // Again under the write lock, because another process may have been first.
            guard try hasNoManifest() else { return }
            if let anchor, !acceptsAsFound, try generation(in: anchor) != 1 { throw .notAsLeft(.rolledBack) }
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
    private func anchorCurrent(syncsName: Bool = true) throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            try anchor([try entry(try manifests().store, key, keyRecord)], syncsName: syncsName)
        }
    }

    func readAnchor() throws(Failure) -> StoreAnchor? {
        do throws(PrivateFile.Failure) {
            return try StoreAnchor.read(beside: path)
        } catch {
            throw .anchor(error)
        }
    }

    func anchor(_ entries: [StoreAnchor.Entry], syncsName: Bool = true) throws(Failure) {
        if isCopy { return }
        do throws(PrivateFile.Failure) {
            // Another file may have replaced this one while it was open.
            if try PrivateFile.identity(path) == identity {
                return try StoreAnchor(entries: entries).write(beside: path, syncsName: syncsName)
            }
        } catch {
            throw .anchor(error)
        }
        throw .keyMoved
    }

    func entry(_ manifest: StoreManifest, _ key: [UInt8], _ record: DataKeyRecord?) throws(Failure) -> StoreAnchor.Entry
    {
        guard let record else { throw .keyMoved }
        let identity = StoreAnchor.Entry.identity(record.place, record.id)
        let row = try self.encrypt(manifest.bytes, for: identity, with: key)
        return StoreAnchor.Entry(place: record.place, keyID: record.id, nonce: row.nonce, encrypted: row.encrypted)
    }
}

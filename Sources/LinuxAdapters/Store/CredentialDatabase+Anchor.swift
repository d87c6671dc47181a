import AuthEngine
import KeyturnCrypto

/// Whether the database is the one that was left here (docs/decisions/0029).
extension CredentialDatabase {
    /// Refuses a database with another key than the one remembered. `false`: nothing is remembered.
    func checkAnchor(_ record: DataKeyRecord, acceptsAsFound: Bool) throws(Failure) -> Bool {
        guard !acceptsAsFound else { return true }
        guard let anchor = try readAnchor() else { return false }
        do throws(StoreAnchor.Mismatch) {
            try anchor.check(record)
        } catch {
            // Another process may have moved the key between the two readings.
            guard try currentKeyID() == record.id else { throw .keyMoved }
            throw .notAsLeft(error)
        }
        return true
    }

    /// Compares the generation of the database with the one remembered, which is never ahead of it. A new store is
    /// remembered, and so is one of a version that had no seals.
    func meetAnchor(acceptsAsFound: Bool) throws(Failure) {
        // Before the database is read: another process may go on in between.
        let anchor = try readAnchor()
        do throws(Failure) {
            if try isUnsealed() {
                try sealFirst(isAfter: anchor, acceptsAsFound)
                // No anchor was written to compare with.
                if isCopy { return }
            }
            try compare(with: anchor, acceptsAsFound)
        } catch .notAsLeft(let mismatch) {
            guard try readAnchor() == anchor, try currentKeyID() == keyRecord?.id else { throw .keyMoved }
            throw .notAsLeft(mismatch)
        }
    }

    private func compare(with anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws(Failure) {
        var found = StoreSeal()
        try reading { seals in found = seals.store }
        if acceptsAsFound { return try anchorCurrent() }
        guard let anchor else {
            // Its maker, or this process, had no time yet to write the anchor. It never held anything.
            guard found.generation == 1, found.rows == 0 else { throw .notAsLeft(.unknown) }
            return try anchorCurrent()
        }
        let known = try generation(in: anchor)
        guard known <= found.generation else { throw .notAsLeft(.rolledBack) }
        // Else an earlier database would fit an anchor that lags.
        if known < found.generation { keepAnchor() }
    }

    private func generation(in anchor: StoreAnchor) throws(Failure) -> Int64 {
        guard let record = keyRecord, let entry = anchor.entry(of: record),
            let text = text(
                of: SealedRow(identity: entry.identity, nonce: entry.nonce, sealed: entry.sealed), with: key)
        else { throw .notAsLeft(.unknown) }
        return StoreSeal.number(text[...])
    }

    /// Seals what a version without seals left. The anchor comes first: a process that ends in between leaves one of the
    /// first generation, beside which a database without seals is right.
    private func sealFirst(isAfter anchor: StoreAnchor?, _ acceptsAsFound: Bool) throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            // Asked again under the write lock: another process may have been first.
            guard try isUnsealed() else { return }
            if let anchor, !acceptsAsFound, try generation(in: anchor) != 1 { throw .notAsLeft(.rolledBack) }
            try makeSealTable()
            var seals = Seals(generation: 0)
            var last: SealedRow?
            while let batch = try rows(after: last), let end = batch.last {
                for row in batch { note(row, &seals) }
                last = end
            }
            try write(&seals, with: key)
            try self.anchor([try entry(seals.store.generation, key, keyRecord)])
        }
    }

    /// After a change that is committed. What fails here is made good by the next change: an anchor may lag behind.
    func keepAnchor() { try? anchorCurrent() }

    /// Under the write lock, so that no process writes an older generation over a newer one.
    private func anchorCurrent() throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            try anchor([try entry(try seals().store.generation, key, keyRecord)])
        }
    }

    func readAnchor() throws(Failure) -> StoreAnchor? {
        do throws(PrivateFile.Failure) {
            return try StoreAnchor.read(beside: path)
        } catch {
            throw .anchor(error)
        }
    }

    func anchor(_ entries: [StoreAnchor.Entry]) throws(Failure) {
        if isCopy { return }
        do throws(PrivateFile.Failure) {
            // Another file may have come to stand here while this one was open.
            if try PrivateFile.identity(path) == identity {
                return try StoreAnchor(entries: entries).write(beside: path)
            }
        } catch {
            throw .anchor(error)
        }
        throw .keyMoved
    }

    func entry(_ generation: Int64, _ key: [UInt8], _ record: DataKeyRecord?) throws(Failure) -> StoreAnchor.Entry {
        guard let record else { throw .keyMoved }
        let identity = StoreAnchor.Entry.identity(record.place, record.id)
        let row = try seal(StoreSeal.bytes(generation), for: identity, with: key)
        return StoreAnchor.Entry(place: record.place, keyID: record.id, nonce: row.nonce, sealed: row.sealed)
    }
}

import Foundation
import KeyturnSystem
import OAuthCore

/// Credentials in a file of the unified schema that programs with other MSAL libraries use at the same time. Not
/// encrypted, because the others couldn't read it. Each change reads the file under the shared lock and replaces it. An
/// empty or unreadable file is not replaced if it has or had content: a program without the lock may be writing it.
package final class UnifiedFileCredentialStore: CredentialStore {
    struct Patience: Sendable {
        /// For other programs that have the lock.
        var lock = SharedCacheLock.Patience()
        /// For other programs that write without the lock, before and after a change of this one.
        var settling = SettlingWatch.Patience()
        /// The seconds in which a change begins again if another program changes the file meanwhile.
        var retrySeconds = 1.0
        /// The seconds after a change in which this program makes it again if another program overwrites it.
        var watchSeconds = 0.25
    }

    let file: UnifiedFile
    let patience: Patience
    private let snapshot = Locked<Snapshot?>(nil)

    private struct Snapshot: Sendable {
        var version: PrivateFile.Version
        var index: RecordIndex
    }

    package convenience init(file: URL, busySeconds: Double = 30) {
        self.init(file: file, patience: Patience(lock: SharedCacheLock.Patience(seconds: busySeconds)))
    }

    init(file: URL, patience: Patience) {
        self.file = UnifiedFile(path: file.path(percentEncoded: false))
        self.patience = patience
    }

    package func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        try index().records(matching: query)
    }

    package func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        let replacement = try locked(patience.lock) { () throws(CredentialStoreFailure) in
            try replace { content in
                let changes = decide(RecordIndex(content.payload.document.records).records(matching: query))
                guard !changes.isEmpty else { return nil }
                var payload = content.payload
                payload.document.apply(changes)
                return payload
            }
        }
        if let replacement { try watch(over: replacement) }
    }

    package func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try PrivateFile.prepareSharedFolder(file.path.parentFolder)
        return try RefreshLease(key, path: file.leasePath)
    }

    package func leaseHolder(_ key: CredentialKey) -> TurnHolder? { RefreshLease.holder(of: key, path: file.leasePath) }

    package func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try locked(patience.lock) { () throws(CredentialStoreFailure) in _ = try settled() }
        // The next version is a new file, beside the present one and the lock.
        let bytes = try PrivateFile.size(file.path) + TokenRoom.bytes
        return SpareRoom(try PrivateFile.reserve(bytes, beside: file.path))
    }

    /// Always `nil`, because file times may not distinguish all changes by other programs.
    package func stamp() -> CredentialStamp? { nil }

    package func protection() throws(CredentialStoreFailure) -> MSALCacheProtection {
        MSALCacheProtection(
            kind: .unifiedFile, path: file.path,
            explanation: "Not encrypted: programs with other MSAL libraries read it too. Only its owner can.")
    }

    private func index() throws(CredentialStoreFailure) -> RecordIndex {
        let version = try PrivateFile.version(file.path)
        if let known = snapshot.withLock({ $0 }), known.version == version { return known.index }
        if let content = try? file.read(), content.flaw == nil { return keep(content) }
        // A program with the lock may be writing the file.
        let content = try locked(patience.lock) { () throws(CredentialStoreFailure) in try settled() }
        return keep(content)
    }

    private func keep(_ content: UnifiedFile.Content) -> RecordIndex {
        let index = RecordIndex(content.payload.document.records)
        // If the file changed during reading, it is read again next time.
        let version = try? content.file?.version
        if version == content.version { snapshot.withLock { $0 = Snapshot(version: content.version, index: index) } }
        return index
    }

    /// Reads the file until it is complete, or until it is certain that nobody completes it.
    func settled() throws(CredentialStoreFailure) -> UnifiedFile.Content {
        var watch = SettlingWatch(path: file.path, patience: patience.settling)
        while true {
            let content = try file.read()
            guard let flaw = content.flaw else { return content }
            switch watch.verdict(on: content.version) {
            case .again(let microseconds): ThreadPool.pause(microseconds: microseconds)
            case .final:
                let hadContent =
                    snapshot.withLock { ($0?.version.size ?? 0) > 0 }
                    || (try? PrivateFile.identity(file.leasePath)) != nil
                guard flaw == .empty, !hadContent else { throw file.failure(flaw) }
                return content
            case .unfinished(let writer): throw file.unfinished(flaw, writer: writer)
            }
        }
    }

    /// Replaces the content with what `next` makes of it, or not if that is `nil`. Call it under the lock. Begins again
    /// if another program changes the file meanwhile. If it always does, replaces the file anyway: ``watch(over:)``
    /// then adds what that program wrote.
    func replace(
        _ next: (UnifiedFile.Content) -> UnifiedPayload?
    ) throws(CredentialStoreFailure) -> UnifiedFile.Replacement? {
        let deadline = MonotonicClock.seconds() + patience.retrySeconds
        while true {
            let content = try settled()
            guard let payload = next(content) else { return nil }
            let replacement = UnifiedFile.Replacement(before: content, after: payload, bytes: payload.bytes)
            let insists = MonotonicClock.seconds() > deadline
            if try file.replace(replacement, evenIfChanged: insists) { return replacement }
        }
    }

    func locked<Value>(
        _ patience: SharedCacheLock.Patience, _ work: () throws(CredentialStoreFailure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        try PrivateFile.prepareSharedFolder(file.path.parentFolder)
        guard let lock = try SharedCacheLock.acquire(on: file.path, patience: patience) else { throw file.locked() }
        defer { withExtendedLifetime(lock) {} }
        return try work()
    }
}

private struct RecordIndex: Sendable {
    private let byAccount: [String: [CredentialRecord]]

    init(_ records: [CredentialRecord]) { byAccount = Dictionary(grouping: records, by: \.key.homeAccountID) }

    func records(matching query: CredentialQuery) -> [CredentialRecord] {
        let candidates = query.homeAccountIDs.map { ids in ids.compactMap { byAccount[$0] } } ?? Array(byAccount.values)
        return candidates.joined().filter { query.matches($0.key) }.sorted { $0.key < $1.key }
    }
}

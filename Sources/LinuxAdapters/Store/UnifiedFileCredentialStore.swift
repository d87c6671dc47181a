import AuthEngine
import Foundation
import Locks
import OAuthCore
import POSIX

/// Credentials in a file of the unified schema that programs with other MSAL libraries use at the same time.
///
/// Not encrypted, because the others couldn't read it. Each change reads the file under the shared lock and replaces
/// it. An unreadable file is left unchanged and never treated as empty.
package final class UnifiedFileCredentialStore: CredentialStore {
    private let path: String
    private let patience: SharedCacheLock.Patience
    private let kept = Locked<Snapshot?>(nil)

    /// The content of the file when it was last read.
    private struct Snapshot: Sendable {
        var version: PrivateFile.Version
        var payload: UnifiedPayload
        var index: RecordIndex
        /// Whether the file exists but is empty.
        var isEmptyFile = false
    }

    /// Creates a store.
    ///
    /// - Parameter busySeconds: the time to wait for another process that holds the lock.
    package convenience init(file: URL, busySeconds: Double = 30) {
        self.init(file: file, patience: SharedCacheLock.Patience(seconds: busySeconds))
    }

    init(file: URL, patience: SharedCacheLock.Patience) {
        path = file.path(percentEncoded: false)
        self.patience = patience
    }

    package func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        let snapshot: Snapshot
        if let read = try? current(), !read.isEmptyFile {
            snapshot = read
        } else {
            // Some programs truncate the file before they write. Under the lock it is complete.
            snapshot = try locked { () throws(CredentialStoreFailure) in try current() }
        }
        return snapshot.index.records(matching: query)
    }

    package func keys(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialKey] {
        try records(matching: query).map(\.key)
    }

    package func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        try locked { () throws(CredentialStoreFailure) in
            var snapshot = try current()
            let changes = decide(snapshot.index.records(matching: query))
            guard !changes.isEmpty else { return }
            snapshot.payload.document.apply(changes)
            try write(snapshot.payload)
        }
    }

    package func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try translating { () throws(PrivateFile.Failure) in
            try PrivateFile.prepareSharedFolder(path.parentFolder)
            return try RefreshLease(key, path: "\(path).renewal")
        }
    }

    /// Always `nil`, because file times may not distinguish all changes by other programs.
    package func stamp() -> CredentialStamp? { nil }

    package func protection() throws(CredentialStoreFailure) -> MSALCacheProtection {
        MSALCacheProtection(
            kind: .unifiedFile, path: path,
            explanation: "Not encrypted: programs with other MSAL libraries read it too. Only its owner can.")
    }

    /// Returns the current content. Reads the file only if it has changed.
    private func current() throws(CredentialStoreFailure) -> Snapshot {
        try translating { () throws(PrivateFile.Failure) in
            guard let version = try PrivateFile.version(path) else {
                return Snapshot(version: .none, payload: UnifiedPayload(), index: RecordIndex([]))
            }
            if let known = kept.withLock({ $0 }), known.version == version { return known }
            let bytes = try PrivateFile.read(path, atMost: Self.mostBytes) ?? []
            guard bytes.count <= Self.mostBytes else {
                throw PrivateFile.Failure(
                    kind: .unsupported, reason: "\(path) is too large for a token cache.")
            }
            let payload = try parse(bytes)
            let snapshot = Snapshot(
                version: version, payload: payload, index: RecordIndex(payload.document.records),
                isEmptyFile: bytes.isEmpty)
            // If the file changed during reading, read it again next time.
            let isStill = try PrivateFile.version(path) == version
            if isStill { kept.withLock { $0 = snapshot } }
            return snapshot
        }
    }

    private static let mostBytes = 256 << 20

    private func parse(_ bytes: [UInt8]) throws(PrivateFile.Failure) -> UnifiedPayload {
        do throws(UnifiedDocument.Malformed) {
            return try UnifiedPayload(parsing: bytes)
        } catch {
            throw PrivateFile.Failure(
                kind: .unsupported,
                reason: "\(path) is not a token cache: \(error.explanation). Nothing was changed.")
        }
    }

    private func write(_ payload: UnifiedPayload) throws(CredentialStoreFailure) {
        try translating { () throws(PrivateFile.Failure) in
            _ = try PrivateFile.write(payload.bytes, to: path)
        }
        kept.withLock { $0 = nil }
    }

    /// Runs `work` under the lock that all processes share.
    private func locked<Value>(
        _ work: () throws(CredentialStoreFailure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        let lock = try translating { () throws(PrivateFile.Failure) in
            try PrivateFile.prepareSharedFolder(path.parentFolder)
            return try SharedCacheLock.take(on: path, patience: patience)
        }
        guard let lock else {
            throw CredentialStoreFailure(
                .busy,
                reason: "Another program has locked \(path) for too long.",
                remedy: "Try again. If no program uses it, remove \(path).lockfile.")
        }
        return try withExtendedLifetime(lock) { () throws(CredentialStoreFailure) in try work() }
    }

    private func translating<Value>(
        _ work: () throws(PrivateFile.Failure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        do throws(PrivateFile.Failure) {
            return try work()
        } catch {
            let kind: CredentialStoreFailure.Kind =
                switch error.kind {
                case .unsafe: .unsafePermissions
                case .unsupported: .unsupported
                case .io: .io
                }
            throw CredentialStoreFailure(kind, reason: error.reason, remedy: error.remedy)
        }
    }
}

/// The records by account, to find one account among many.
private struct RecordIndex: Sendable {
    private let byAccount: [String: [CredentialRecord]]

    init(_ records: [CredentialRecord]) {
        byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
    }

    func records(matching query: CredentialQuery) -> [CredentialRecord] {
        let candidates = query.homeAccountIDs.map { ids in ids.compactMap { byAccount[$0] } } ?? Array(byAccount.values)
        return candidates.joined().filter { query.matches($0.key) }.sorted { $0.key < $1.key }
    }
}

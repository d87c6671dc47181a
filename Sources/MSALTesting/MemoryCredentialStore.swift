import Foundation
import KeyturnCrypto
import KeyturnSystem
import MSAL

package final class MemoryCredentialStore: CredentialStore {
    private struct State {
        var records: [CredentialKey: CredentialRecord] = [:]
        var failure: CredentialStoreFailure?
        var noRoom: CredentialStoreFailure?
        var failuresToSave: [CredentialStoreFailure] = []
        var failuresToRead: [CredentialStoreFailure] = []
        var rooms = 0
        var updates = 0
        var queries: [CredentialQuery] = []
        var leased: Set<CredentialKey> = []
        var holder: TurnHolder?
    }

    private let state = Locked(State())

    package init() {}

    /// Makes all following calls fail; `nil` ends that.
    package func fail(with failure: CredentialStoreFailure?) { state.withLock { $0.failure = failure } }

    /// Makes ``reserveRoom()`` fail; `nil` ends that.
    package func denyRoom(with failure: CredentialStoreFailure?) { state.withLock { $0.noRoom = failure } }

    /// Makes the next updates that save something fail, one for each failure.
    package func failToSave(with failures: CredentialStoreFailure...) {
        state.withLock { $0.failuresToSave = failures }
    }

    /// Makes the next reads of records fail, one for each failure.
    package func failToRead(with failures: CredentialStoreFailure...) {
        state.withLock { $0.failuresToRead = failures }
    }

    /// The number of rooms that are reserved and have not ended.
    package var rooms: Int { state.withLock { $0.rooms } }

    package var all: [CredentialRecord] {
        state.withLock { $0.records.values.sorted { $0.key < $1.key } }
    }

    /// The number of transactions with changes.
    package var updates: Int { state.withLock { $0.updates } }

    /// The queries of reads, oldest first. Excludes updates.
    package var queries: [CredentialQuery] { state.withLock { $0.queries } }

    package func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        try state.withLock { state -> Result<[CredentialRecord], CredentialStoreFailure> in
            state.queries.append(query)
            if let failure = state.failure { return .failure(failure) }
            if !state.failuresToRead.isEmpty { return .failure(state.failuresToRead.removeFirst()) }
            return .success(Self.matching(query, in: state))
        }.get()
    }

    package func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        let failure: CredentialStoreFailure? = state.withLock { state in
            if let failure = state.failure { return failure }
            let changes = decide(Self.matching(query, in: state))
            if !changes.isEmpty, !state.failuresToSave.isEmpty { return state.failuresToSave.removeFirst() }
            for change in changes {
                switch change {
                case .save(let record): state.records[record.key] = record
                case .delete(let key): state.records[key] = nil
                }
            }
            if !changes.isEmpty { state.updates += 1 }
            return nil
        }
        if let failure { throw failure }
    }

    package func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? {
        let isFree = state.withLock { $0.leased.insert(key).inserted }
        return isFree ? Lease { self.state.withLock { _ = $0.leased.remove(key) } } : nil
    }

    /// Names another process as the holder of every lease; `nil` names none.
    package func name(holder: TurnHolder?) { state.withLock { $0.holder = holder } }

    package func leaseHolder(_ key: CredentialKey) -> TurnHolder? { state.withLock { $0.holder } }

    package func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)? {
        let failure = state.withLock { state in
            if state.noRoom == nil, state.failure == nil { state.rooms += 1 }
            return state.noRoom ?? state.failure
        }
        if let failure { throw failure }
        return Lease { self.state.withLock { $0.rooms -= 1 } }
    }

    package func stamp() -> CredentialStamp? {
        state.withLock { $0.failure == nil ? CredentialStamp(SIMD4(Int64($0.updates), 0, 0, 0)) : nil }
    }

    package func protection() throws(CredentialStoreFailure) -> MSALCacheProtection {
        MSALCacheProtection(kind: .memory, path: nil, explanation: "In memory.")
    }

    private final class Lease: CredentialLease {
        private let give: Locked<(@Sendable () -> Void)?>

        init(_ give: @escaping @Sendable () -> Void) { self.give = Locked(give) }

        deinit { release() }

        func release() {
            let give = give.withLock { give in
                defer { give = nil }
                return give
            }
            give?()
        }
    }

    private static func matching(_ query: CredentialQuery, in state: State) -> [CredentialRecord] {
        state.records.values.filter { query.matches($0.key) }.sorted { $0.key < $1.key }
    }
}

package final class MemoryADALFiles: ADALCacheFiles {
    private let files = Locked<[[UInt8]]>([])

    package init() {}

    package func place(_ file: [UInt8]) { files.withLock { $0.append(file) } }

    package func contents() -> [[UInt8]] { files.withLock { $0 } }
}

package final class MemoryDocumentCache: DocumentCache {
    private let documents = Locked<[URL: CachedDocument]>([:])

    package init() {}

    package func load(_ url: URL) -> CachedDocument? { documents.withLock { $0[url] } }

    package func save(_ document: CachedDocument?, for url: URL) { documents.withLock { $0[url] = document } }

    package func urls(beginning start: String) -> [URL] {
        documents.withLock { Array($0.keys) }.filter { $0.absoluteString.hasPrefix(start) }
    }
}

package final class MemoryProofKeyStore: ProofKeyStore {
    private let stored: Locked<Result<PrivateKey, ProofKeyFailure>>

    /// A shared key, because creating one takes longer than most tests.
    private static let shared: Result<PrivateKey, ProofKeyFailure> = {
        do { return .success(try PrivateKey.generate(.rsa(bits: 2048))) } catch {
            return .failure(ProofKeyFailure(reason: "Can't create a key."))
        }
    }()

    package init() { stored = Locked(Self.shared) }

    /// Replaces the key, or makes reading it fail.
    package func replace(with key: Result<PrivateKey, ProofKeyFailure>) { stored.withLock { $0 = key } }

    package func key() throws(ProofKeyFailure) -> PrivateKey { try stored.withLock { $0 }.get() }
}

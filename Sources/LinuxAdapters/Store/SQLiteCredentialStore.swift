import AuthEngine
import Foundation
import Glibc
import Synchronization

/// Credentials in an SQLite file that several processes share: one row each, sealed, in a folder of its owner's only.
///
/// A file that cannot be used is moved aside under a name of its own and reported; the next call begins a new one.
package final class SQLiteCredentialStore: CredentialStore {
    private let path: String
    private let keyVault: any KeyVault
    private let random: any RandomBytes
    private let busyMilliseconds: Int32
    private let database = Mutex<CredentialDatabase?>(nil)

    /// - Parameter busySeconds: how long to wait for another process that writes.
    package init(
        file: URL, keyVault: any KeyVault, random: any RandomBytes = SystemRandom(), busySeconds: Double = 5
    ) {
        path = file.path
        self.keyVault = keyVault
        self.random = random
        busyMilliseconds = Int32(clamping: Int(busySeconds * 1000))
    }

    package func records(
        matching query: CredentialQuery
    ) throws(CredentialStoreFailure) -> [CredentialRecord] {
        try withDatabase { database throws(CredentialDatabase.Failure) in try database.records(matching: query) }
    }

    package func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        try withDatabase { database throws(CredentialDatabase.Failure) in
            try database.update(matching: query, decide)
        }
    }

    private func withDatabase<Value: Sendable>(
        _ work: (CredentialDatabase) throws(CredentialDatabase.Failure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        try database.withLock { held throws(CredentialStoreFailure) in
            let identity = try prepareFile(isOpen: held != nil)
            // Another process may have moved the file aside, or somebody removed it, while this one had it open.
            if held?.identity != identity { held = nil }
            let key = held == nil ? try dataKey() : []
            do throws(CredentialDatabase.Failure) {
                let current: CredentialDatabase
                if let held { current = held } else { current = try open(identity, key) }
                held = current
                return try work(current)
            } catch {
                held = nil
                throw failure(error, identity)
            }
        }
    }

    private func open(
        _ identity: PrivateFile.Identity, _ key: [UInt8]
    ) throws(CredentialDatabase.Failure) -> CredentialDatabase {
        // SQLite takes a file of one byte for an empty one, and would write over it.
        if (try? PrivateFile.size(path)) == 1 { throw .notOurs }
        return try CredentialDatabase(
            path: path, identity: identity, key: key, random: random, busyMilliseconds: busyMilliseconds)
    }

    private func prepareFile(isOpen: Bool) throws(CredentialStoreFailure) -> PrivateFile.Identity {
        do throws(PrivateFile.Failure) {
            if !isOpen { try PrivateFile.prepareFolder((path as NSString).deletingLastPathComponent) }
            if let identity = try PrivateFile.identity(path) { return identity }
            try PrivateFile.prepareFolder((path as NSString).deletingLastPathComponent)
            _ = try PrivateFile.create(path)
            guard let identity = try PrivateFile.identity(path) else {
                throw PrivateFile.Failure(kind: .io, reason: "\(path) is gone as soon as it is made.")
            }
            return identity
        } catch {
            throw CredentialStoreFailure(error.kind == .unsafe ? .unsafePermissions : .io, reason: error.reason)
        }
    }

    private func dataKey() throws(CredentialStoreFailure) -> [UInt8] {
        do throws(KeyVaultFailure) {
            return try keyVault.dataKey()
        } catch {
            let kind: CredentialStoreFailure.Kind =
                error.kind == .unsafePermissions ? .unsafePermissions : .keyUnavailable
            throw CredentialStoreFailure(kind, reason: error.reason)
        }
    }

    private func failure(
        _ failure: CredentialDatabase.Failure, _ identity: PrivateFile.Identity
    ) -> CredentialStoreFailure {
        switch failure {
        case .sqlite(let failure) where failure.isBusy:
            CredentialStoreFailure(.busy, reason: "Another program holds \(path) for too long. Try again.")
        case .sqlite(let failure):
            CredentialStoreFailure(.io, reason: "\(path) cannot be used: \(failure.message).")
        case .tooNew:
            CredentialStoreFailure(
                .io, reason: "\(path) was written by a later version of this program. Use that, or name another file.")
        case .notOurs:
            setAside(identity, because: "is damaged, or is not a token cache of this program")
        case .anotherKey:
            setAside(identity, because: "is sealed with another key")
        }
    }

    private func setAside(_ identity: PrivateFile.Identity, because why: String) -> CredentialStoreFailure {
        do throws(PrivateFile.Failure) {
            guard try PrivateFile.identity(path) == identity else {
                return CredentialStoreFailure(.busy, reason: "Another program has just replaced \(path). Try again.")
            }
            let place = try PrivateFile.setAside(path, companions: ["-wal", "-shm"])
            return CredentialStoreFailure(
                .setAside(as: place),
                reason: "\(path) \(why). It was kept as \(place), and a new one begins: sign in again.")
        } catch {
            return CredentialStoreFailure(.io, reason: "\(path) \(why), and could not be set aside: \(error.reason)")
        }
    }
}

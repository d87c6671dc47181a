import AuthEngine
import CSQLite

/// From what happened to a file to what a person is told, and what becomes of the file.
extension SQLiteCredentialStore {
    /// - Parameter database: the one it happened in; `nil` when it did not open.
    func failure(
        _ failure: CredentialDatabase.Failure, of database: CredentialDatabase?, _ identity: PrivateFile.Identity
    ) -> CredentialStoreFailure {
        switch failure {
        case .sqlite(let failure): self.failure(failure)
        case .tooNew:
            CredentialStoreFailure(
                .io, reason: "\(path) was written by a later version of this program. Use that, or name another file.")
        case .notOurs: setAside(identity, because: "is damaged, or is not a token cache of this program")
        case .anotherKey: setAside(identity, because: "is sealed with another key")
        case .keyMoved: CredentialStoreFailure(.busy, reason: "\(path) has just been given another key. Try again.")
        case .damaged(let rows): putAside(rows, in: database, identity)
        case .cannotSeal:
            CredentialStoreFailure(
                .io, reason: "OpenSSL cannot seal what was to be saved in \(path). Nothing was changed.")
        }
    }

    private func failure(_ failure: SQLiteConnection.Failure) -> CredentialStoreFailure {
        switch failure.code {
        case _ where failure.isBusy:
            CredentialStoreFailure(.busy, reason: "Another program holds \(path) for too long. Try again.")
        case SQLITE_FULL:
            CredentialStoreFailure(.io, reason: "The disk with \(path) is full. Nothing was changed; make room.")
        case SQLITE_READONLY:
            CredentialStoreFailure(.io, reason: "\(path) cannot be written. Check its permissions and its folder's.")
        case SQLITE_CANTOPEN:
            CredentialStoreFailure(
                .io,
                reason: "\(path) or a file that belongs to it cannot be opened or made. Check the permissions of its "
                    + "folder, and that the disk has room for one more file.")
        case SQLITE_IOERR:
            CredentialStoreFailure(
                .io,
                reason:
                    "The disk with \(path) did not take or give what it should. Nothing was changed; check that it has "
                    + "room and works.")
        default: CredentialStoreFailure(.io, reason: "\(path) cannot be used: \(failure.message).")
        }
    }

    private func setAside(_ identity: PrivateFile.Identity, because why: String) -> CredentialStoreFailure {
        do throws(PrivateFile.Failure) {
            guard try PrivateFile.identity(path) == identity else {
                return CredentialStoreFailure(.busy, reason: "Another program has just replaced \(path). Try again.")
            }
            let place = try PrivateFile.setAside(path, companions: ["-wal", "-shm", "-journal"])
            return CredentialStoreFailure(.setAside(as: place), reason: "\(path) \(why).")
        } catch {
            return CredentialStoreFailure(.io, reason: "\(path) \(why), and could not be set aside: \(error.reason)")
        }
    }

    private func putAside(
        _ rows: [SealedRow], in database: CredentialDatabase?, _ identity: PrivateFile.Identity
    ) -> CredentialStoreFailure {
        do throws(CredentialDatabase.Failure) {
            try database?.putAside(rows)
        } catch .damaged {
            return CredentialStoreFailure(.io, reason: "\(path) is being damaged while it is read.")
        } catch {
            return failure(error, of: database, identity)
        }
        let kinds = Dictionary(grouping: rows) { $0.key?.kind.rawValue ?? "unknown" }
            .map { "\($0.value.count) × \($0.key)" }.sorted().joined(separator: ", ")
        return CredentialStoreFailure(
            .damagedRecords,
            reason:
                "\(path) holds entries that are not what was written (\(kinds)). They were put aside in it; the others "
                + "are intact.")
    }
}

extension CredentialStoreFailure {
    init(_ failure: PrivateFile.Failure) {
        self.init(failure.kind == .unsafe ? .unsafePermissions : .io, reason: failure.reason)
    }

    package init(_ failure: KeyVaultFailure) {
        self.init(failure.kind == .unsafePermissions ? .unsafePermissions : .keyUnavailable, reason: failure.reason)
    }
}

extension DataKeyRecord {
    /// One line for a person.
    func explanation(store: String) -> String {
        let place =
            switch place {
            case .secretService: "Sealed with a key in the keyring (Secret Service)."
            case .passphrase: "Sealed with a key that a passphrase wraps (scrypt)."
            case .keyFile: "Sealed with a key in the file \(parameters["file"]?.string ?? "") beside it."
            }
        return note.isEmpty ? place : "\(place) \(note)"
    }
}

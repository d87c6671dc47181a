import AuthEngine
import CKeyturnSQLite

/// Texts for failures of the store, and their consequences for the file.
extension SQLiteCredentialStore {
    /// Returns the failure to report.
    ///
    /// - Parameters:
    ///   - database: the database, or `nil` if it didn't open.
    ///   - mends: whether to put damaged data aside instead of only reporting it.
    func failure(
        _ failure: CredentialDatabase.Failure, of database: CredentialDatabase?, _ identity: PrivateFile.Identity,
        mends: Bool
    ) -> CredentialStoreFailure {
        switch failure {
        case .sqlite(let failure): self.failure(failure)
        case .tooNew:
            CredentialStoreFailure(
                .io, reason: "\(path) was written by a later version of this program. Use that, or name another file.")
        case .notOurs:
            setAside(identity, because: "is damaged, or is not a token cache of this program", mends: mends)
        case .anotherKey: setAside(identity, because: "is sealed with another key", mends: mends)
        case .keyMoved: CredentialStoreFailure(.busy, reason: "\(path) has just been given another key. Try again.")
        case .damaged(let accounts) where mends: putAside(accounts, in: database, identity)
        case .damaged:
            CredentialStoreFailure(
                .foundDamaged, reason: "\(path) has entries that are not what was written, or lacks some.")
        case .keyCheckMended:
            CredentialStoreFailure(
                mends ? .damagedRecords : .foundDamaged,
                reason: "The check of the key in \(path) was damaged or deleted. The entries open.")
        case .emptied:
            setAside(
                identity,
                because: "is empty or new, but the file \(StoreAnchor.path(of: path)) "
                    + "says that there was a token cache", mends: mends)
        case .notAsLeft(let mismatch): CredentialStoreFailure(.notAsLeft, reason: mismatch.reason(path))
        case .anchor(let failure): CredentialStoreFailure(failure)
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

    private func setAside(
        _ identity: PrivateFile.Identity, because why: String, mends: Bool
    ) -> CredentialStoreFailure {
        guard mends else { return CredentialStoreFailure(.foundDamaged, reason: "\(path) \(why).") }
        do throws(PrivateFile.Failure) {
            guard try PrivateFile.identity(path) == identity else {
                return CredentialStoreFailure(.busy, reason: "Another program has just replaced \(path). Try again.")
            }
            let place = try PrivateFile.setAside(path, companions: ["-wal", "-shm", "-journal", ".anchor"])
            return CredentialStoreFailure(.setAside(as: place), reason: "\(path) \(why).")
        } catch {
            return CredentialStoreFailure(.io, reason: "\(path) \(why), and could not be set aside: \(error.reason)")
        }
    }

    private func putAside(
        _ homeAccountIDs: Set<String>?, in database: CredentialDatabase?, _ identity: PrivateFile.Identity
    ) -> CredentialStoreFailure {
        var damage = CredentialDatabase.Damage()
        do throws(CredentialDatabase.Failure) {
            if let database { damage = try database.putAside(homeAccountIDs) }
        } catch .damaged where homeAccountIDs != nil {
            // The accounts' seals are damaged too.
            return putAside(nil, in: database, identity)
        } catch .damaged {
            return CredentialStoreFailure(.io, reason: "\(path) is being damaged while it is read.")
        } catch {
            return failure(error, of: database, identity, mends: true)
        }
        return CredentialStoreFailure(.damagedRecords, reason: "\(path) \(damage.explanation)")
    }
}

extension CredentialDatabase.Damage {
    /// The text after the name of the file.
    fileprivate var explanation: String {
        let kinds = Dictionary(grouping: rows) { $0.key?.kind.rawValue ?? "unknown" }
            .map { "\($0.value.count) × \($0.key)" }.sorted().joined(separator: ", ")
        let lacks = "lacks \(missing) \(missing == 1 ? "entry" : "entries") that another program deleted"
        let holds = "holds entries that are not what was written (\(kinds))"
        return switch (rows.isEmpty, missing > 0) {
        case (false, false): "\(holds). They were put aside in it; the others are intact."
        case (false, true): "\(holds), and \(lacks). The former were put aside in it; the others are intact."
        case (true, true): "\(lacks). The others are intact."
        // Another process found the damage first.
        case (true, false): "held entries that were not what was written. They were put aside; the others are intact."
        }
    }
}

extension StoreAnchor.Mismatch {
    fileprivate func reason(_ path: String) -> String {
        let anchor = StoreAnchor.path(of: path)
        switch self {
        case .weakerKey: return "\(path) was replaced: its key is in a weaker place than \(anchor) says."
        case .anotherKey: return "\(path) was replaced: it is sealed with another key than \(anchor) says."
        case .rolledBack: return "\(path) was replaced by an earlier state: \(anchor) says that it had a later one."
        case .unknown: return "\(path) may have been replaced: \(anchor), which tells, is missing or damaged."
        case .unknownAndMoving:
            return "\(path) comes without \(anchor), so it may be another program's, and its key is to move."
        }
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
    /// The location of the key and the reason for it, in one line.
    func explanation(store: String) -> String {
        let place =
            switch place {
            case .secretService: "Sealed with a key in the keyring (Secret Service)."
            case .passphrase: "Sealed with a key that a passphrase wraps (scrypt)."
            case .keyFile:
                "Sealed with a key in \(parameters["file"]?.string.map { "the file \($0)" } ?? "a file") beside it."
            }
        return note.isEmpty ? place : "\(place) \(note)"
    }
}

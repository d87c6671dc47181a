import CKeyturnSQLite
import KeyturnSystem

extension SQLiteCredentialStore {
    /// `database`: `nil` if it didn't open. `mends`: whether to put damaged data aside instead of only reporting it.
    func failure(
        _ error: any Error, of database: CredentialDatabase?, _ identity: PrivateFile.Identity, mends: Bool
    ) -> CredentialStoreFailure {
        switch error {
        case let failure as CredentialStoreFailure: failure
        case let failure as KeyVaultFailure: CredentialStoreFailure(failure)
        case let failure as SQLiteConnection.Failure: self.failure(failure)
        case let failure as CredentialDatabase.Failure: self.failure(of: failure, database, identity, mends: mends)
        default: CredentialStoreFailure(.io, reason: "\(path) cannot be used: \(type(of: error)).")
        }
    }

    private func failure(
        of failure: CredentialDatabase.Failure, _ database: CredentialDatabase?, _ identity: PrivateFile.Identity,
        mends: Bool
    ) -> CredentialStoreFailure {
        func setAside(_ why: String) -> CredentialStoreFailure { self.setAside(identity, because: why, mends: mends) }
        return switch failure {
        case .tooNew:
            CredentialStoreFailure(
                .unsupported, reason: "\(path) was written by a newer version of this program. Nothing was changed.")
        case .notOurs: setAside("is damaged, or not a token cache of this program")
        case .anotherKey: setAside("is encrypted with another key")
        case .keyMoved: CredentialStoreFailure(.busy, reason: "The key of \(path) has just changed. Try again.")
        case .foreignObjects: setAside("has triggers, views or tables of another program")
        case .damaged where mends: putAside(in: database, identity)
        case .damaged: CredentialStoreFailure(.foundDamaged, reason: "\(path) has damaged or missing entries.")
        case .emptied: setAside("is missing or empty, but \(StoreAnchor.path(of: path)) records a token cache")
        case .notAsLeft(let mismatch): CredentialStoreFailure(.notAsLeft, reason: mismatch.reason(path))
        case .noRoom(let code): PrivateFile.noRoom(path, code: code)
        case .cannotEncrypt: CredentialStoreFailure(.io, reason: "OpenSSL can't encrypt the data for \(path).")
        }
    }

    private func failure(_ failure: SQLiteConnection.Failure) -> CredentialStoreFailure {
        if failure.isBusy || failure.code == SQLITE_IOERR, let error = FileLocks.absence(at: path) {
            return PrivateFile.noLocks(path, code: error)
        }
        // SQLite doesn't tell why it can't open a file.
        if [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_NOMEM].contains(failure.code), let limit = SystemLimit.nearlyMet {
            return CredentialStoreFailure(
                .io, reason: "Can't open \(path): \(limit.problem).", remedy: "\(limit.remedy).")
        }
        if [SQLITE_CANTOPEN, SQLITE_READONLY].contains(failure.code), let code = PrivateFolder.codeOfWriting(to: path) {
            return PrivateFile.unwritable("write", path, code: code)
        }
        return switch failure.code {
        case _ where failure.isBusy:
            CredentialStoreFailure(.busy, reason: "Another program has locked \(path) for too long.")
        case SQLITE_FULL where DiskRoom.hasSizeLimit, SQLITE_IOERR where DiskRoom.hasSizeLimit:
            CredentialStoreFailure(
                .io, reason: "The limit on the size of files is too low for \(path).",
                remedy: "Raise the limit (ulimit -f unlimited), then try again.")
        case SQLITE_FULL: CredentialStoreFailure(.io, reason: "The disk with \(path) is full.")
        case SQLITE_READONLY: CredentialStoreFailure(.io, reason: "Can't write \(path).")
        case SQLITE_CANTOPEN: CredentialStoreFailure(.io, reason: "Can't open or create \(path) or a companion file.")
        case SQLITE_IOERR: CredentialStoreFailure(.io, reason: "The disk with \(path) failed.")
        default: CredentialStoreFailure(.io, reason: "\(path) cannot be used: \(failure.message).")
        }
    }

    private func setAside(
        _ identity: PrivateFile.Identity, because why: String, mends: Bool
    ) -> CredentialStoreFailure {
        guard mends else { return CredentialStoreFailure(.foundDamaged, reason: "\(path) \(why).") }
        do {
            guard try PrivateFile.identity(path) == identity else {
                return CredentialStoreFailure(.busy, reason: "Another program has just replaced \(path). Try again.")
            }
            let place = try PrivateFile.setAside(path, companions: Self.companions)
            return CredentialStoreFailure(.setAside(as: place), reason: "\(path) \(why).")
        } catch {
            return CredentialStoreFailure(.io, reason: "\(path) \(why), and could not be set aside: \(error.reason)")
        }
    }

    private func putAside(
        in database: CredentialDatabase?, _ identity: PrivateFile.Identity
    ) -> CredentialStoreFailure {
        var damage = CredentialDatabase.Damage()
        do {
            if let database { damage = try database.putAside() }
        } catch CredentialDatabase.Failure.damaged {
            return CredentialStoreFailure(.io, reason: "\(path) changed while it was read.")
        } catch { return failure(error, of: database, identity, mends: true) }
        return CredentialStoreFailure(.damagedRecords, reason: "\(path) \(damage.explanation(path))")
    }
}

extension CredentialDatabase.Damage {
    fileprivate func explanation(_ path: String) -> String {
        let lost = "lacks the list of its entries: another program deleted or changed it."
        switch manifest {
        case .intact: return entries ?? "had damaged entries. They were set aside; the others are intact."
        case .restored:
            let rest = entries.map { "The cache \($0)" } ?? "The entries are intact."
            return "\(lost) It was restored from \(StoreAnchor.path(of: path)). \(rest)"
        case .lost:
            let rest =
                rows.isEmpty
                ? "The entries are kept"
                : "\(rows.count) of its entries could not be decrypted and were set aside. The others are kept"
            return "\(lost) \(rest), but some may be missing or older than before."
        }
    }

    /// `nil` if there are none, for example because another process set them aside first.
    private var entries: String? {
        let kinds = Dictionary(grouping: rows) { $0.key?.kind.rawValue ?? "unknown" }
            .map { "\($0.value.count) × \($0.key)" }.sorted().joined(separator: ", ")
        let lacks = "lacks \(missing) \(missing == 1 ? "entry" : "entries") that another program deleted"
        let holds = "has damaged entries (\(kinds))"
        return switch (rows.isEmpty, missing > 0) {
        case (false, false): "\(holds). They were set aside; the others are intact."
        case (false, true): "\(holds), and \(lacks). The damaged ones were set aside; the others are intact."
        case (true, true): "\(lacks). The others are intact."
        case (true, false): nil
        }
    }
}

extension StoreAnchor.Mismatch {
    fileprivate func reason(_ path: String) -> String {
        let anchor = StoreAnchor.path(of: path)
        switch self {
        case .weakerKey: return "\(path) was replaced: \(anchor) names a better-protected key."
        case .anotherKey: return "\(path) was replaced: \(anchor) names another key."
        case .rolledBack: return "\(path) is older than the version recorded in \(anchor)."
        case .unknown: return "\(anchor) is missing or damaged, so \(path) can't be verified."
        case .unknownAndMoving: return "\(anchor) is missing, so \(path) can't be verified and its key can't be moved."
        }
    }
}

extension CredentialStoreFailure {
    package init(_ failure: KeyVaultFailure) {
        let kind: Kind =
            switch failure.kind {
            case .unsafePermissions: .unsafePermissions
            case .io: .io
            case .missing, .malformed, .wrongPassphrase, .locked, .absent, .unanswered: .keyUnavailable
            }
        self.init(kind, reason: failure.reason, remedy: failure.remedy)
    }
}

extension DataKeyRecord {
    func explanation(store: String) -> String {
        let place =
            switch place {
            case .secretService: "Encrypted with a key in the keyring (Secret Service)."
            case .passphrase: "Encrypted with a key from a passphrase (scrypt)."
            case .keyFile: "Encrypted with a key in \(parameters["file"]?.string.map { "the file \($0)" } ?? "a file")."
            }
        return note.isEmpty ? place : "\(place) \(note)"
    }
}

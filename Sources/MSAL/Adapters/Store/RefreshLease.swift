import CSystem
import Glibc
import KeyturnCrypto
import KeyturnSystem

/// The exclusive right to redeem a refresh token: a lock on one byte of a file beside the store, at a position computed
/// from the token's key, which two keys may share. The kernel knows the holder, and releases the lock when it exits.
final class RefreshLease: CredentialLease {
    private let file: Locked<Int32?>

    init?(_ key: CredentialKey, path: String) throws(PrivateFile.Failure) {
        if try PrivateFile.identity(path) == nil { _ = try PrivateFile.create(path) }
        let file = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw PrivateFile.failure("open", path) }
        let error = keyturn_lock_byte(file, Self.place(of: key))
        guard error == 0 else {
            close(file)
            if error == EAGAIN { return nil }
            if FileLocks.saysAbsent(error) { throw PrivateFile.noLocks(path, code: error) }
            throw CredentialStoreFailure(.io, reason: "\(path) cannot be locked: \(systemReason(error)).")
        }
        keyturn_lock_name_holder(file, Self.place(of: key))
        self.file = Locked(file)
    }

    /// The process that holds the right, as far as the kernel tells.
    static func holder(of key: CredentialKey, path: String) -> TurnHolder? {
        let file = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return TurnHolder(keyturn_lock_holder(file, place(of: key)))
    }

    deinit { release() }

    func release() {
        file.withLock { file in
            if let open = file { close(open) }
            file = nil
        }
    }

    private static func place(of key: CredentialKey) -> Int64 {
        let digest = SHA2.sha256(key.components.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
        return digest.prefix(8).reduce(0) { ($0 << 8 | Int64($1)) & (1 << 62 - 1) }
    }
}

extension TurnHolder {
    /// The running process with this number; `nil` for 0.
    package init?(_ process: Int32) {
        guard process > 0 else { return nil }
        let process = RunningProcess(id: process)
        self.init(name: process.description, isStopped: process.isStopped)
    }
}

import AuthEngine
import CFileLock
import Glibc
import KeyturnCrypto
import Locks

/// The sole right to redeem one refresh token: a lock on one byte of a file beside the store, its place given by the
/// token's identity. Nothing is written, and the kernel ends it with the process, so a killed holder holds up nobody.
///
/// Two identities may fall on one byte; then one waits for the other without need.
final class RefreshLease: CredentialLease {
    private let file: Locked<Int32?>

    /// `nil`: another holds it.
    init?(_ key: CredentialKey, path: String) throws(PrivateFile.Failure) {
        if try PrivateFile.identity(path) == nil { _ = try PrivateFile.create(path) }
        let file = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw PrivateFile.failure(path, "opened") }
        let error = keyturn_lock_byte(file, Self.place(of: key))
        guard error == 0 else {
            close(file)
            if error == EAGAIN { return nil }
            throw PrivateFile.Failure(
                kind: .io, reason: "\(path) cannot be locked: \(String(cString: strerror(error))).")
        }
        self.file = Locked(file)
    }

    deinit { end() }

    func end() {
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

import AuthEngine
import Crypto
import Foundation
import Glibc

/// The data key in a file of its own, 32 random bytes, readable by its owner only.
package struct FileKeyVault: KeyVault {
    private let path: String
    private let random: any RandomBytes

    package init(file: URL, random: any RandomBytes = SystemRandom()) {
        path = file.path
        self.random = random
    }

    package func dataKey() throws(KeyVaultFailure) -> [UInt8] {
        let key: [UInt8]
        do throws(PrivateFile.Failure) {
            key = try readOrCreate()
        } catch {
            throw KeyVaultFailure(error.kind == .unsafe ? .unsafePermissions : .io, reason: error.reason)
        }
        guard key.count == AES256GCM.keyLength else {
            throw KeyVaultFailure(
                .malformed,
                reason: "\(path) does not hold a key of \(AES256GCM.keyLength) bytes. "
                    + "Restore it from a backup, or move it and the token cache away and sign in again.")
        }
        return key
    }

    private func readOrCreate() throws(PrivateFile.Failure) -> [UInt8] {
        try PrivateFile.prepareFolder((path as NSString).deletingLastPathComponent)
        if let key = try PrivateFile.read(path, atMost: AES256GCM.keyLength) { return key }
        let suffix = Base64URL.encode(random.bytes(12))
        let temporary = try PrivateFile.writeBeside(path, random.bytes(AES256GCM.keyLength), suffix: suffix)
        defer { unlink(temporary) }
        // A link, not a rename: it never replaces the key of a process that was first.
        guard link(temporary, path) == 0 || errno == EEXIST else { throw PrivateFile.failure(path, "made") }
        // Read back, not kept: when another process was first, its key is the one that counts.
        guard let key = try PrivateFile.read(path, atMost: AES256GCM.keyLength) else {
            throw PrivateFile.Failure(kind: .io, reason: "\(path) is gone as soon as it is made.")
        }
        return key
    }
}

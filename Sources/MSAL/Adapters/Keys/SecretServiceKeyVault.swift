import CDesktop
import KeyturnCrypto

/// Stores keys in the session's keyring: the freedesktop.org Secret Service, through libsecret.
///
/// Nothing is loaded before the first call. Calls have a time limit and never show a prompt; a locked keyring is an
/// error.
package struct SecretServiceKeyVault: KeyVault {
    private let store: String
    private let milliseconds: Int32
    private let random: any RandomBytes

    /// - Parameter store: the path of the store, for the item's label.
    package init(store: String, limitSeconds: Double = 3, random: any RandomBytes = SystemRandom()) {
        self.store = store
        milliseconds = Int32(clamping: Int(limitSeconds * 1000))
        self.random = random
    }

    /// Whether the Secret Service can store a key.
    package func state() -> SecretServiceState {
        let reply = call { keyturn_secret_state(milliseconds, $0) }
        return switch reply.code {
        case KEYTURN_SECRET_DONE: .ready
        case KEYTURN_SECRET_ABSENT: .absent(reply.why)
        case KEYTURN_SECRET_LOCKED: .locked
        default: .failing(reply.why)
        }
    }

    package func make() throws -> StoredDataKey {
        let key = random.bytes(AES256GCM.keyLength)
        let id = Base64URL.encode(random.bytes(12))
        let label = "Key of the token cache \(store)"
        try check(
            call { keyturn_secret_store(label, store, id, Base64URL.encode(key), milliseconds, $0) }, holdsKey: false)
        return StoredDataKey(key: key, record: DataKeyRecord(place: .secretService, id: id))
    }

    package func dataKey(of record: DataKeyRecord) throws -> [UInt8] {
        var text = [CChar](repeating: 0, count: 128)
        defer { text.erase() }
        try check(call { keyturn_secret_lookup(record.id, &text, text.count, milliseconds, $0) })
        let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let key = Base64URL.decode(digits), key.count == AES256GCM.keyLength else {
            throw KeyVaultFailure(
                .malformed, reason: "The keyring's item \(record.id) is not a token cache key.")
        }
        return key
    }

    package func discard(_ record: DataKeyRecord) throws {
        try check(call { keyturn_secret_clear(record.id, milliseconds, $0) })
    }

    private func call(_ work: (UnsafeMutablePointer<CChar>) -> Int32) -> SecretServiceReply {
        SecretServiceReply.of(work)
    }

    /// - Parameter holdsKey: whether the keyring already has the key of this store.
    private func check(_ reply: SecretServiceReply, holdsKey: Bool = true) throws {
        let reason = holdsKey ? "\(reply.why) The keyring holds the key of the token cache \(store)." : reply.why
        switch reply.code {
        case KEYTURN_SECRET_DONE: return
        case KEYTURN_SECRET_LOCKED: throw KeyVaultFailure.locked
        case KEYTURN_SECRET_ABSENT:
            throw KeyVaultFailure(
                .absent, reason: reason,
                remedy: holdsKey
                    ? "Start this program in the session of the sign-in, or set DBUS_SESSION_BUS_ADDRESS as there "
                        + "(usually unix:path=/run/user/UID/bus)."
                    : "Start this program in the desktop session, or configure another location for the key: a "
                        + "passphrase or a key file.")
        case KEYTURN_SECRET_UNANSWERED:
            throw KeyVaultFailure(
                .unanswered, reason: reason, remedy: "Unlock or restart the keyring and try again.")
        case KEYTURN_SECRET_MISSING:
            throw KeyVaultFailure(.missing, reason: reply.why)
        default: throw KeyVaultFailure(.io, reason: reason, remedy: "Restart the keyring and try again.")
        }
    }
}

import CDesktop
import Foundation
import Glibc
import KeyturnCrypto
import KeyturnSystem

/// Stores keys in the session's keyring: the freedesktop.org Secret Service, through libsecret. Nothing is loaded
/// before the first call. Calls have a time limit and never show a prompt; a locked keyring is an error.
package struct SecretServiceKeyVault: KeyVault {
    private let store: String

    package init(store: String) { self.store = store }

    package func state() -> SecretServiceState {
        let reply = SecretService.reply(to: keyturn_secret_state)
        return switch reply.code {
        case KEYTURN_SECRET_DONE: .ready
        case KEYTURN_SECRET_ABSENT: .absent(reply.why)
        case KEYTURN_SECRET_LOCKED: .locked
        default: .failing(reply.why)
        }
    }

    package func make() throws -> StoredDataKey {
        let new = StoredDataKey.new(.secretService)
        let label = "Key of the token cache \(store)"
        let text = Base64URL.encode(new.key)
        let reply = SecretService.reply { keyturn_secret_store(label, store, new.record.id, text, $0, $1) }
        try check(reply, holdsKey: false)
        return new
    }

    package func dataKey(of record: DataKeyRecord) throws -> [UInt8] {
        var text = [CChar](repeating: 0, count: 128)
        defer { text.erase() }
        try check(SecretService.reply { keyturn_secret_lookup(record.id, &text, text.count, $0, $1) })
        let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let key = Base64URL.decode(digits), key.count == AES256GCM.keyLength else {
            throw KeyVaultFailure(.malformed, reason: "The keyring's item \(record.id) is not a token cache key.")
        }
        return key
    }

    package func discard(_ record: DataKeyRecord) throws {
        try check(SecretService.reply { keyturn_secret_clear(record.id, $0, $1) })
    }

    /// - Parameter holdsKey: whether the keyring already has the key of this store.
    private func check(_ reply: SecretService.Reply, holdsKey: Bool = true) throws {
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
            throw KeyVaultFailure(.unanswered, reason: reason, remedy: "Unlock or restart the keyring and try again.")
        case KEYTURN_SECRET_MISSING: throw KeyVaultFailure(.missing, reason: reply.why)
        default: throw KeyVaultFailure(.io, reason: reason, remedy: "Restart the keyring and try again.")
        }
    }
}

enum SecretService {
    typealias Reply = (code: Int, why: String)

    private static let milliseconds: Int32 = 3_000

    /// Doesn't call a keyring that has just kept a call waiting: a command that needs it several times waits once.
    static func reply(to call: (_ milliseconds: Int32, UnsafeMutablePointer<CChar>) -> Int32) -> Reply {
        let bus = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) } ?? ""
        if let silent = silence.withLock(\.self), silent.bus == bus, silent.since.duration(to: .now) < patience {
            return silent.reply
        }
        let reply = withReason(KEYTURN_SECRET_WHY) { call(milliseconds, $0) }
        let isSilent = reply.code == KEYTURN_SECRET_UNANSWERED
        silence.withLock { $0 = isSilent ? Silence(bus: bus, since: .now, reply: reply) : nil }
        return reply
    }

    private struct Silence: Sendable {
        var bus: String
        var since: ContinuousClock.Instant
        var reply: Reply
    }

    private static let silence = Locked<Silence?>(nil)
    private static let patience = Duration.seconds(10)
}

/// The token caches of other programs in the session's keyring. Read-only; never shows a prompt.
package enum KnownKeyringCaches {
    private static let places = [
        (
            program: "azure-identity, Azure.Identity or Git Credential Manager", attribute: "MsalClientID",
            value: "Microsoft.Developer.IdentityService"
        ),
        (program: "Azure CLI", attribute: "type", value: "Token cache"),
        (program: "Azure CLI (experimental)", attribute: "my_attr1", value: "foo"),
        // Found by its schema name, because other programs may have the same attributes.
        (program: "AzureAuth", attribute: "xdg:schema", value: "com.microsoft.identity.tokencache"),
    ]

    package static func all() throws(KeyVaultFailure) -> [(program: String, item: Item)] {
        var all: [(String, Item)] = []
        for (program, attribute, value) in places {
            all += try items(where: attribute, is: value).map { (program, $0) }
        }
        return all
    }

    package struct Item: Sendable {
        /// The schema name of the item (`xdg:schema`), or empty.
        package var schema: String
        package var content: Data
    }

    private static func items(where attribute: String, is value: String) throws(KeyVaultFailure) -> [Item] {
        let found = Found()
        let (code, reason) = SecretService.reply { milliseconds, why in
            keyturn_secret_find(
                attribute, value,
                { context, schema, bytes, length in
                    guard let context, let schema, let bytes else { return }
                    Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().items.append(
                        Item(schema: String(cString: schema), content: Data(bytes: bytes, count: length)))
                }, Unmanaged.passUnretained(found).toOpaque(), milliseconds, why)
        }
        switch code {
        case KEYTURN_SECRET_DONE: return found.items
        case KEYTURN_SECRET_ABSENT: return []
        case KEYTURN_SECRET_LOCKED: throw KeyVaultFailure(.locked, reason: reason, remedy: "Unlock it and try again.")
        case KEYTURN_SECRET_UNANSWERED:
            throw KeyVaultFailure(.unanswered, reason: reason, remedy: "Unlock or restart it and try again.")
        default: throw KeyVaultFailure(.io, reason: reason)
        }
    }

    private final class Found {
        var items: [Item] = []
    }
}

import CDesktop
import Foundation

/// Searches the session's keyring for other programs' items. Read-only; never shows a prompt.
package struct SecretServiceSearch {
    private let milliseconds: Int32

    package init(limitSeconds: Double = 3) {
        milliseconds = Int32(clamping: Int(limitSeconds * 1000))
    }

    package struct Item: Sendable, Equatable {
        /// The schema name of the item (`xdg:schema`), or empty.
        package var schema: String
        package var content: Data
    }

    /// Returns the items with an attribute. Empty without a keyring.
    package func items(where attribute: String, is value: String) throws(KeyVaultFailure) -> [Item] {
        let found = Found()
        let reply = SecretServiceReply.of { why in
            keyturn_secret_find(
                attribute, value,
                { context, schema, bytes, length in
                    guard let context, let schema, let bytes else { return }
                    Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().items.append(
                        Item(schema: String(cString: schema), content: Data(bytes: bytes, count: length)))
                }, Unmanaged.passUnretained(found).toOpaque(), milliseconds, why)
        }
        let reason = reply.why
        switch reply.code {
        case KEYTURN_SECRET_DONE: return found.items
        case KEYTURN_SECRET_ABSENT: return []
        case KEYTURN_SECRET_LOCKED:
            throw KeyVaultFailure(.locked, reason: reason, remedy: "Unlock it and try again.")
        case KEYTURN_SECRET_UNANSWERED:
            throw KeyVaultFailure(.unanswered, reason: reason, remedy: "Unlock or restart it and try again.")
        default: throw KeyVaultFailure(.io, reason: reason)
        }
    }

    private final class Found {
        var items: [Item] = []
    }
}

import CDesktop
import Foundation

/// The token caches of other programs in the session's keyring, by the attributes of their items. Read-only; never shows a
/// prompt.
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

    private static let milliseconds: Int32 = 3000

    /// Returns the caches in the keyring, in the order of `places`. Empty without a keyring.
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

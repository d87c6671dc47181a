import Foundation

/// The token caches of other programs in the keyring, by the attributes of their items.
package enum KnownKeyringCaches {
    package struct Place: Sendable, Equatable {
        package var program: String
        package var attribute: String
        package var value: String
    }

    package static let places = [
        Place(
            program: "azure-identity, Azure.Identity or Git Credential Manager", attribute: "MsalClientID",
            value: "Microsoft.Developer.IdentityService"),
        Place(program: "Azure CLI", attribute: "type", value: "Token cache"),
        Place(program: "Azure CLI (experimental)", attribute: "my_attr1", value: "foo"),
        // Found by its schema name, because other programs may have the same attributes.
        Place(program: "AzureAuth", attribute: "xdg:schema", value: "com.microsoft.identity.tokencache"),
    ]

    /// Returns the caches in the keyring, in the order of `places`.
    package static func all() throws(KeyVaultFailure) -> [(Place, SecretServiceSearch.Item)] {
        let search = SecretServiceSearch()
        var all: [(Place, SecretServiceSearch.Item)] = []
        for place in places {
            all += try search.items(where: place.attribute, is: place.value).map { (place, $0) }
        }
        return all
    }
}

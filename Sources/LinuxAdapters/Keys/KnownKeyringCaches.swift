import Foundation

/// Where the programs of others keep their token caches in a keyring, by the attribute that each gives its items.
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
        // Its attributes are those of a product; the name of its items' kind is its own.
        Place(program: "AzureAuth", attribute: "xdg:schema", value: "com.microsoft.identity.tokencache"),
    ]

    /// What is in the keyring now, in the order of the places.
    package static func all() throws(KeyVaultFailure) -> [(Place, SecretServiceSearch.Item)] {
        let search = SecretServiceSearch()
        var all: [(Place, SecretServiceSearch.Item)] = []
        for place in places {
            all += try search.items(where: place.attribute, is: place.value).map { (place, $0) }
        }
        return all
    }
}

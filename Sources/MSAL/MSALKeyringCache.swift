import AuthEngine
import Foundation
import LinuxAdapters

/// A token cache that another program keeps in the session's keyring. An addition of this library.
public struct MSALKeyringCache: Sendable, Equatable {
    /// What a person calls the program.
    public let program: String
    /// What the program calls its items.
    public let name: String
    /// For ``MSALPublicClientApplication/importUnifiedCache(_:)``. Secret.
    public let content: Data
}

extension MSALPublicClientApplication {
    /// The caches that Azure CLI, azure-identity, Git Credential Manager and AzureAuth keep in the session's keyring; none
    /// without a keyring. Only reads them. An addition of this library.
    ///
    /// Throws when the keyring is locked, silent or fails.
    public static func keyringCaches() throws -> [MSALKeyringCache] {
        do throws(KeyVaultFailure) {
            return try KnownKeyringCaches.all().map { place, item in
                MSALKeyringCache(program: place.program, name: item.schema, content: item.content)
            }
        } catch {
            throw MSALAuthenticationError(.store(CredentialStoreFailure(error)), correlationID: nil)
        }
    }
}

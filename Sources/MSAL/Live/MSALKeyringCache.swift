import Foundation

/// A token cache that another program keeps in the session's keyring. Not in MSAL for iOS and macOS.
public struct MSALKeyringCache: Sendable, Equatable {
    /// The display name of the program.
    public let program: String
    /// The name the program gives its keyring items.
    public let name: String
    /// The content of the cache, for ``MSALPublicClientApplication/importUnifiedCache(_:)``. Secret.
    public let content: Data
}

extension MSALPublicClientApplication {
    /// Returns the token caches that other programs keep in the session's keyring. Not in MSAL for iOS and macOS.
    ///
    /// It finds the caches of Azure CLI, azure-identity, Git Credential Manager and AzureAuth, and changes none of
    /// them. The list is empty without a keyring.
    ///
    /// Throws when the keyring is locked, doesn't respond or fails.
    public static func keyringCaches() throws -> [MSALKeyringCache] {
        do throws(KeyVaultFailure) {
            return try KnownKeyringCaches.all().map { program, item in
                MSALKeyringCache(program: program, name: item.schema, content: item.content)
            }
        } catch { throw MSALAuthenticationError(.store(CredentialStoreFailure(error))) }
    }
}

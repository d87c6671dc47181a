import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Stores the client secret for ``MSALClientSecret/stored``, encrypted like the tokens; `nil` removes it. Not in MSAL for iOS
    /// and macOS.
    ///
    /// It is stored for the client ID and the authority of the configuration. Throws with a unified cache, which isn't encrypted.
    public func saveClientSecret(_ secret: String?) throws {
        try Self.translatingErrors(nil) {
            if let secret, !ClientSecret.isOne(secret) {
                throw AuthenticationFailure.caller(
                    .clientSecret(
                        "The text can't be a client secret.", next: "Copy it again from the provider's console."))
            }
            guard secret == nil || configuration.cacheConfig.kind == .encrypted else {
                throw AuthenticationFailure.caller(
                    .clientSecret(
                        "A unified cache stores no client secret, because it isn't encrypted.",
                        next: "Keep the secret in a file that only you can read."))
            }
            guard let key = storedSecret else { return }
            try OwnDocuments(dependencies).save(secret.map(JSONValue.string), key)
        }
    }

    /// Whether a client secret is stored. Not in MSAL for iOS and macOS.
    public var hasStoredClientSecret: Bool {
        get throws { try Self.translatingErrors(nil) { try storedClientSecret() != nil } }
    }

    private var storedSecret: URL? {
        OwnDocuments.key("secret", [settings.authority.url.absoluteString, settings.clientID])
    }

    private func storedClientSecret() throws -> String? {
        try storedSecret.flatMap { try OwnDocuments(dependencies).load($0)?.string }
    }

    /// Reads the secret of a client from the source that the configuration names.
    func configuredSecret(_ source: MSALClientSecret?) -> ConfiguredSecret {
        switch source {
        case nil: ConfiguredSecret()
        case .provider(let provide): ConfiguredSecret(provide)
        case .file(let file):
            ConfiguredSecret {
                func unusable(_ reason: String, _ remedy: String?) -> AuthenticationFailure {
                    .caller(.clientSecret(reason, next: remedy ?? "Check the file and its permissions."))
                }
                do {
                    return try SecretFile.firstLine(of: file.path, named: "client secret file").reveal()
                } catch let failure as KeyVaultFailure {
                    throw unusable(failure.reason, failure.remedy)
                } catch let failure as CredentialStoreFailure {
                    throw unusable(failure.reason, failure.remedy)
                }
            }
        case .stored:
            ConfiguredSecret { [self] in
                if let secret = try storedClientSecret() { return secret }
                throw AuthenticationFailure.caller(
                    .clientSecret(
                        "No client secret is stored for this client.",
                        next: "Store it with keyturn sign-in --enter-client-secret, or saveClientSecret."))
            }
        }
    }
}

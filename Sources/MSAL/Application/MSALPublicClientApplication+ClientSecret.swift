import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Stores the client secret for ``MSALClientSecret/stored``, encrypted like the tokens; `nil` removes it. Not in MSAL for iOS
    /// and macOS.
    ///
    /// It is stored for the client ID and the authority of the configuration. Throws with a unified cache, which isn't encrypted.
    public func saveClientSecret(_ secret: String?) throws {
        try Self.translatingErrors {
            if let secret, !ClientSecret.isOne(secret) {
                throw Self.unusable("The text can't be a client secret.", "Copy it again from the provider's console.")
            }
            guard secret == nil || configuration.cacheConfig.kind == .encrypted else {
                throw Self.unusable(
                    "A unified cache stores no client secret, because it isn't encrypted.",
                    "Keep the secret in a file that only you can read.")
            }
            guard let key = storedSecret else { return }
            try OwnDocuments(dependencies).save(secret.map(JSONValue.string), key)
        }
    }

    /// Whether a client secret is stored. Not in MSAL for iOS and macOS.
    public var hasStoredClientSecret: Bool {
        get throws { try Self.translatingErrors { try storedClientSecret() != nil } }
    }

    private static func unusable(_ reason: String, _ remedy: String?) -> AuthenticationFailure {
        .caller(.clientSecret(reason, next: remedy ?? "Check the file and its permissions."))
    }

    private var storedSecret: URL? {
        OwnDocuments.key("secret", [settings.authority.url.absoluteString.withoutRootSlash, settings.clientID])
    }

    private func storedClientSecret() throws -> String? {
        try storedSecret.flatMap { try OwnDocuments(dependencies).load($0)?.string }
    }

    func configuredSecret(_ source: MSALClientSecret?) -> ConfiguredSecret {
        switch source {
        case nil: ConfiguredSecret()
        case .provider(let provide): ConfiguredSecret(provide)
        case .file(let file):
            ConfiguredSecret {
                do {
                    let secret = try SecretFile.firstLine(of: file.path, named: "client secret file").reveal()
                    guard secret.isEmpty else { return secret }
                    throw Self.unusable(
                        "The client secret file \(file.path) is empty.", "Write the secret to its first line.")
                } catch let failure as KeyVaultFailure {
                    throw Self.unusable(failure.reason, failure.remedy)
                } catch let failure as CredentialStoreFailure { throw Self.unusable(failure.reason, failure.remedy) }
            }
        case .stored:
            ConfiguredSecret { [self] in
                if let secret = try storedClientSecret() { return secret }
                throw Self.unusable(
                    "No client secret is stored.",
                    "Enter it ('keyturn sign-in --enter-client-secret'), or call saveClientSecret.")
            }
        }
    }
}

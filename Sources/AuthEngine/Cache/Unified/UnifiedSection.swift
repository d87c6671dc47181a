/// A map of the unified token cache schema: a member of the document's root, by the kind of entry it holds.
package enum UnifiedSection: String, Sendable, CaseIterable {
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case account = "Account"
    case appMetadata = "AppMetadata"
    /// Not of the schema: what this library notes of an account. The others keep a root member they do not know.
    case accountMetadata = "AccountMetadata"

    /// `nil`: the schema has no place for it. A private key is not for other programs, and each fetches documents itself.
    package init?(_ kind: CredentialKey.Kind) {
        switch kind {
        case .accessToken, .boundAccessToken: self = .accessToken
        case .refreshToken: self = .refreshToken
        case .idToken: self = .idToken
        case .account: self = .account
        case .appMetadata: self = .appMetadata
        case .accountMetadata: self = .accountMetadata
        case .proofKey, .document: return nil
        }
    }

    /// One library reads these names without regard to case, so they may stand there in any.
    init?(spelled name: String) {
        guard let section = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = section
    }
}

/// A map of the unified schema, by the kind of its entries.
package enum UnifiedSection: String, Sendable, CaseIterable {
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case account = "Account"
    case appMetadata = "AppMetadata"
    /// This library's account metadata, outside the schema. Other libraries preserve unknown root members.
    case accountMetadata = "AccountMetadata"

    /// Returns `nil` for kinds that the schema lacks: private keys, and documents, which each program fetches itself.
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

    /// Finds the map ignoring case, because one library reads the names so.
    init?(spelled name: String) {
        guard let section = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = section
    }
}

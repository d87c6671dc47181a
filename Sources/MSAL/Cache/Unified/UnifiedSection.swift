import KeyturnCrypto
import OAuthCore

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

/// The key of an entry, computed like MSAL Python from the written members, because it replaces an entry under that key
/// only. Keys are ignored when reading, because each library computes them differently.
package enum UnifiedKey {
    package static func text(for members: [String: JSONValue], in section: UnifiedSection) -> String {
        func text(_ name: String) -> String { members[name]?.string ?? "" }
        let owner = [text("home_account_id"), text("environment")]
        let client = text("client_id")
        let kind = section.rawValue
        let parts: [String]
        switch section {
        case .accessToken:
            let mark = text("ext_cache_key")
            parts =
                owner + [mark.isEmpty ? kind : "atext", client, text("realm"), text("target")]
                + (mark.isEmpty ? [] : [mark])
        case .refreshToken: parts = owner + [kind, client, "", text("target")]
        case .idToken: parts = owner + [kind, client, text("realm"), ""]
        case .account: parts = owner + [text("realm")]
        // The client ID keeps its case here.
        case .appMetadata: return ["appmetadata", text("environment"), client].joined(separator: "-")
        case .accountMetadata: parts = [kind, text("home_account_id"), client]
        }
        return parts.joined(separator: "-").lowercased()
    }

    /// Each name and value preceded by its length in bytes, hashed (the scheme of MSAL Go and Python).
    package static func extensionHash(_ parameters: [String: String]) -> String {
        let text = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }.joined()
        return Base64URL.encode(SHA2.sha256(Array(text.utf8))).lowercased()
    }
}

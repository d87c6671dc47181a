import Crypto
import OAuthCore

/// The text an entry is kept under. Written as MSAL Python and .NET do; never trusted when it is read, because each SDK
/// has a way of its own.
package enum UnifiedKey {
    package static func text(for record: CredentialRecord) -> String {
        let key = record.key
        return parts(key, target: target(of: record), tokenType: record.members["token_type"]?.string ?? "")
            .joined(separator: "-").lowercased()
    }

    private static func parts(_ key: CredentialKey, target: String, tokenType: String) -> [String] {
        let owner = [key.homeAccountID, key.environment]
        let kind = key.kind.rawValue
        switch key.kind {
        case .accessToken: return owner + [kind, key.client, key.realm, target]
        case .boundAccessToken: return owner + [kind, key.client, key.realm, target, tokenType]
        case .refreshToken: return owner + [kind, key.client, "", ""]
        case .idToken: return owner + [kind, key.client, key.realm, ""]
        case .account: return owner + [key.realm]
        case .appMetadata: return [kind, key.environment, key.client]
        case .accountMetadata: return [kind, key.homeAccountID, key.client]
        case .proofKey: return [kind]
        }
    }

    /// Sorted as the entry spells the scopes, and lower-cased only then: MSAL Python finds it so without a search.
    private static func target(of record: CredentialRecord) -> String {
        let names = record.members["target"]?.string.map { Scopes(parsing: $0).names } ?? []
        return names.isEmpty ? record.key.target : names.sorted().joined(separator: " ")
    }

    /// The part that sets apart the tokens of requests with parameters of their own: a hash of them, each name and value
    /// with its length in bytes (MSAL Go's and Python's scheme).
    package static func extensionHash(_ parameters: [String: String]) -> String {
        let text = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }.joined()
        return Base64URL.encode(SHA2.sha256(Array(text.utf8))).lowercased()
    }
}

import KeyturnCrypto
import OAuthCore

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

    /// A hash of a request's special parameters, each name and value preceded by its length in bytes (the scheme of
    /// MSAL Go and Python).
    package static func extensionHash(_ parameters: [String: String]) -> String {
        let text = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }.joined()
        return Base64URL.encode(SHA2.sha256(Array(text.utf8))).lowercased()
    }
}

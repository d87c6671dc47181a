import KeyturnCrypto
import OAuthCore

/// The text an entry is kept under: computed from the members that are written, as MSAL Python computes it, because it
/// removes and replaces an entry under that key only. Never trusted when it is read: each SDK has a way of its own.
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

    /// The part that sets apart the tokens of requests with parameters of their own: a hash of them, each name and value
    /// with its length in bytes (MSAL Go's and Python's scheme).
    package static func extensionHash(_ parameters: [String: String]) -> String {
        let text = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }.joined()
        return Base64URL.encode(SHA2.sha256(Array(text.utf8))).lowercased()
    }
}

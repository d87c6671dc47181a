import KeyturnCrypto

extension PublicKey {
    /// The required members of the key's JWK (RFC 7638 §3.2).
    package var requiredMembers: [String: JSONValue] {
        var members = JWK(self, keyID: nil).json.object ?? [:]
        members["use"] = nil
        return members
    }

    /// Base64url of the SHA-256 of the required members in lexical order, without spaces (RFC 7638 §3).
    package var thumbprint: String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(requiredMembers).serialized.utf8)))
    }
}

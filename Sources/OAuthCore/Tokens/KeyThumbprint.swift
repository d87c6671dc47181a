import KeyturnCrypto

extension PublicKey {
    /// The members that make the key what it is (RFC 7638 §3.2): those of its JWK, without the optional ones.
    package var requiredMembers: [String: JSONValue] {
        var members = JWK(self, keyID: nil).json.object ?? [:]
        members["use"] = nil
        return members
    }

    /// RFC 7638 §3: base64url of the SHA-256 of the required members in lexical order, without blanks.
    package var thumbprint: String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(requiredMembers).serialized.utf8)))
    }
}

import KeyturnCrypto

/// The `req_cnf` parameter: the key to bind an access token to (docs/upstream-behaviour.md §11).
package struct TokenConfirmation: Sendable, Hashable {
    /// The thumbprint of the public key.
    package let keyID: String

    package init(keyID: String) { self.keyID = keyID }

    /// Parses `req_cnf`. Returns `nil` without a key.
    package init?(parsing text: String) {
        guard text.utf8.count <= 4096, let bytes = Base64URL.decode(text),
            let keyID = try? JSONValue(parsing: bytes)["kid"]?.string, !keyID.isEmpty
        else { return nil }
        self.keyID = keyID
    }

    package var parameter: String {
        let value: JSONValue = ["kid": .string(keyID)]
        return Base64URL.encode(Array(value.serialized.utf8))
    }
}

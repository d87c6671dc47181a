import KeyturnCrypto

/// Entra's `client_info`, which identifies the user: base64url of a JSON object with `uid` and `utid`.
package struct ClientInfo: Sendable, Hashable {
    package let uid: String
    package let utid: String
    /// The original text, for the token cache.
    package let raw: String

    /// The text isn't base64url of an object with `uid` and `utid` without control characters.
    package struct Malformed: Error, Equatable {
        package init() {}
    }

    package init(parsing text: String) throws(Malformed) {
        guard text.utf8.count <= 8192, let bytes = Base64URL.decode(text),
            let value = try? JSONValue(parsing: bytes),
            let uid = value["uid"]?.string, !uid.isEmpty, !uid.hasControlCharacter,
            let utid = value["utid"]?.string, !utid.isEmpty, !utid.hasControlCharacter
        else { throw Malformed() }
        self.uid = uid
        self.utid = utid
        raw = text
    }

    package init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
        let value: JSONValue = ["uid": .string(uid), "utid": .string(utid)]
        raw = Base64URL.encode(Array(value.serialized.utf8))
    }

    /// `<uid>.<utid>` in lower case, as in the unified token cache.
    package var homeAccountID: String { "\(uid).\(utid)".lowercased() }
}

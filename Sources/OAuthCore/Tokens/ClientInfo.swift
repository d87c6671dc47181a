import KeyturnCrypto

/// Entra's `client_info`: who signed in, outside of any token. Base64url of a JSON object with `uid` and `utid`.
package struct ClientInfo: Sendable, Hashable {
    package let uid: String
    package let utid: String
    /// As it came, since the token cache keeps it.
    package let raw: String

    /// The text was not base64url of an object with a `uid` and a `utid`, both free of control characters.
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

    /// `<uid>.<utid>`, lower-cased, as the unified token cache has it.
    package var homeAccountID: String { "\(uid).\(utid)".lowercased() }
}

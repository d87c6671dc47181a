import Foundation
import KeyturnCrypto

/// An access token in a signature for one HTTP request, made with the key that the token is bound to
/// (draft-ietf-oauth-signed-http-request-03 in Entra's form, docs/upstream-behaviour.md §11).
package struct SignedHTTPRequest: Sendable, Equatable {
    package var accessToken: Secret
    package var method: String
    package var url: URL
    /// The resource's nonce, or a random one.
    package var nonce: String
    package var issuedAt: Date

    package init(accessToken: Secret, method: String, url: URL, nonce: String, issuedAt: Date) {
        (self.accessToken, self.method, self.url, self.nonce) = (accessToken, method, url, nonce)
        self.issuedAt = issuedAt
    }

    package func signed(with key: PrivateKey) throws(CryptoFailure) -> Secret {
        let header: JSONValue = ["alg": "RS256", "kid": .string(key.publicKey.thumbprint), "typ": "JWT"]
        let compact = try JWT.compact(header: header, payload: payload(for: key.publicKey)) {
            (input) throws(CryptoFailure) in try key.sign(input, algorithm: .rs256)
        }
        return Secret(compact)
    }

    private func payload(for key: PublicKey) -> JSONValue {
        var members: [String: JSONValue] = [
            "at": .string(accessToken.reveal()), "ts": .integer(Int64(issuedAt.timeIntervalSince1970)),
            "m": .string(method), "u": .string(url.hostAndPort), "nonce": .string(nonce),
            "cnf": ["jwk": .object(key.requiredMembers)],
        ]
        if case let path = url.path(percentEncoded: true), !path.isEmpty { members["p"] = .string(path) }
        members["q"] = signedQuery
        return .object(members)
    }

    /// The names and the hash of the query parameters (§3.2 of the draft), unchanged and in order. Excludes repeated
    /// names, which servers interpret differently.
    private var signedQuery: JSONValue? {
        let pairs = (url.query(percentEncoded: true) ?? "").split(separator: "&").map { pair in
            (name: String(pair.prefix { $0 != "=" }), text: String(pair))
        }
        let unique = pairs.filter { pair in pairs.count { $0.name == pair.name } == 1 }
        guard !unique.isEmpty else { return nil }
        let hash = SHA2.sha256(Array(unique.map(\.text).joined(separator: "&").utf8))
        return [.array(unique.map { .string($0.name) }), .string(Base64URL.encode(hash))]
    }
}

/// The `req_cnf` parameter: the key to bind an access token to (docs/upstream-behaviour.md §11).
package struct TokenConfirmation: Sendable, Hashable {
    package let keyID: String

    package init(keyID: String) { self.keyID = keyID }

    package init?(parsing text: String) {
        guard text.utf8.count <= 4096, let bytes = Base64URL.decode(text),
            let keyID = try? JSONValue(parsing: bytes)["kid"]?.string, !keyID.isEmpty
        else { return nil }
        self.keyID = keyID
    }

    package var parameter: String { JSONValue.object(["kid": .string(keyID)]).base64URL }
}

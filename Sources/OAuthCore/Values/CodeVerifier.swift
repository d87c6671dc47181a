import KeyturnCrypto

/// The secret of a PKCE pair (RFC 7636). Only its ``challenge`` goes through the browser.
package struct CodeVerifier: Sendable, Hashable {
    /// The only method that hides the verifier (RFC 7636 §4.2).
    package static let challengeMethod = "S256"

    /// 43 to 128 unreserved characters (RFC 7636 §4.1).
    package let secret: Secret

    /// `randomBytes`: 32 random bytes, which become 43 characters.
    package init(randomBytes: [UInt8]) { secret = Secret(Base64URL.encode(randomBytes)) }

    package init?(_ text: String) {
        guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(\.isUnreserved) else { return nil }
        secret = Secret(text)
    }

    package var challenge: String { Base64URL.encode(SHA2.sha256(Array(secret.reveal().utf8))) }

    /// What a program sends by mistake instead of the challenge: another text of the same digest (RFC 7636 §4.2).
    package func form(ofMistaken other: String) -> String? {
        let digest = SHA2.sha256(Array(secret.reveal().utf8))
        let unpadded = String(other.reversed().drop { $0 == "=" }.reversed())
        return switch unpadded.replacing("+", with: "-").replacing("/", with: "_") {
        case digest.hexadecimal: "the hexadecimal text"
        case Base64URL.encode(Array(digest.hexadecimal.utf8)): "the base64 form of the hexadecimal text"
        case challenge where other != challenge: "another base64 form"
        default: nil
        }
    }
}

import KeyturnCrypto

/// The authority's PKCE check (RFC 7636 §4.6). Deliberately shares no code with the client.
enum CodeChallenge {
    /// Whether the challenge has the form of a SHA-256 digest: 43 characters of base64url.
    static func isWellFormed(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && Base64URL.decode(challenge)?.count == 32
    }

    static func isAnswered(_ challenge: String, by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(isUnreserved) else { return false }
        let answer = Base64URL.encode(SHA2.sha256(bytes))
        return constantTimeEqual(Array(answer.utf8), Array(challenge.utf8))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

import KeyturnCrypto
import OAuthCore

/// The values that bind an authorization request to its response, with 256 random bits each (RFC 6749 §10.10).
struct OneTimeSecrets {
    let state: String
    let nonce: String
    let verifier: CodeVerifier

    init(random: any RandomBytes) {
        state = Base64URL.encode(random.bytes(32))
        nonce = Base64URL.encode(random.bytes(32))
        verifier = CodeVerifier(randomBytes: random.bytes(32))
    }
}

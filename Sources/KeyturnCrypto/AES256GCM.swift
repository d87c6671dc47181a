import CCrypto

/// Authenticated encryption: AES-256 in Galois/Counter Mode with a tag of 128 bits (NIST SP 800-38D).
package enum AES256GCM {
    package static let keyLength = 32
    package static let nonceLength = 12

    /// Returns the ciphertext followed by the tag. Never use a nonce twice with the same key.
    package static func encrypt(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], authenticating associated: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        try checkLengths(key: key, nonce: nonce)
        let length = plaintext.count + tagLength
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            keyturn_aes256gcm_encrypt(
                key, nonce, nonce.count, associated, associated.count, plaintext, plaintext.count, out.baseAddress)
            count = length
        }
    }

    /// Throws if any of the inputs of ``encrypt(_:key:nonce:authenticating:)`` was modified.
    package static func decrypt(
        _ encrypted: [UInt8], key: [UInt8], nonce: [UInt8], authenticating associated: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        try checkLengths(key: key, nonce: nonce)
        guard encrypted.count >= tagLength else { throw .notAuthentic }
        let length = encrypted.count - tagLength
        var isAuthentic = false
        // One spare byte, because even an empty plaintext needs an address.
        let plaintext = [UInt8](unsafeUninitializedCapacity: length + 1) { out, count in
            isAuthentic =
                keyturn_aes256gcm_decrypt(
                    key, nonce, nonce.count, associated, associated.count, encrypted, encrypted.count, out.baseAddress)
                == 1
            count = isAuthentic ? length : 0
        }
        guard isAuthentic else { throw .notAuthentic }
        return plaintext
    }

    private static let tagLength = Int(KEYTURN_GCM_TAG_LENGTH)

    private static func checkLengths(key: [UInt8], nonce: [UInt8]) throws(CryptoFailure) {
        guard key.count == keyLength, nonce.count == nonceLength else { throw .malformedKey }
    }
}

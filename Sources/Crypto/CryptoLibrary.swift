/// OpenSSL as a whole.
package enum CryptoLibrary {
    /// Has OpenSSL read its configuration and look for its algorithms now. It would at their first use, and that takes as
    /// long as opening the cache: a program that does it beside other work does not wait for it.
    package static func prepare() {
        let key = [UInt8](repeating: 0, count: AES256GCM.keyLength)
        let nonce = [UInt8](repeating: 0, count: AES256GCM.nonceLength)
        // An OpenSSL that cannot do it says so to whoever has something to seal.
        _ = try? AES256GCM.seal([], key: key, nonce: nonce, authenticating: [])
        _ = SHA2.sha256([])
    }
}

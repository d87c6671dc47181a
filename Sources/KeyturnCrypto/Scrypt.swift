import CCrypto

/// Derives a key from a passphrase, with adjustable time and memory cost (RFC 7914).
package enum Scrypt {
    /// The cost parameters. Invalid values and excessive memory are rejected, because files contain them.
    package struct Cost: Sendable, Equatable {
        package let n: Int
        package let r: Int
        package let p: Int

        /// About 0.2 s and 32 MiB, among the minimum settings of OWASP's Password Storage Cheat Sheet.
        package static let interactive = Cost(uncheckedN: 1 << 15, r: 8, p: 3)

        package init?(n: Int, r: Int, p: Int) {
            guard (2...1 << 20).contains(n), n & (n - 1) == 0, (1...32).contains(r), (1...16).contains(p),
                128 * n * r <= 256 << 20
            else { return nil }
            self.init(uncheckedN: n, r: r, p: p)
        }

        private init(uncheckedN n: Int, r: Int, p: Int) { (self.n, self.r, self.p) = (n, r, p) }

        /// In bytes.
        package var memory: Int { 128 * r * (n + p + 2) }
    }

    package static func key(
        passphrase: [UInt8], salt: [UInt8], cost: Cost, length: Int
    ) throws(CryptoFailure) -> [UInt8] {
        let key = [UInt8](unsafeUninitializedCapacity: length) { out, count in
            let done = keyturn_scrypt(
                passphrase, passphrase.count, salt, salt.count, UInt64(cost.n), UInt64(cost.r), UInt64(cost.p),
                UInt64(cost.memory + 1 << 20), out.baseAddress, length)
            count = done == 1 ? length : 0
        }
        guard key.count == length else { throw .unavailable }
        return key
    }
}

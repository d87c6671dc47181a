import COpenSSL

/// What a TLS server shows and proves: a certificate and its private key. It prints as redacted.
package struct ServerIdentity: Sendable {
    /// In PEM; whoever is to trust the server needs it.
    package let certificate: String
    package let privateKey: PrivateKey

    /// Makes a key, and a certificate that it gives to itself.
    ///
    /// - Parameters:
    ///   - addresses: numeric addresses; `names`: host names that the server has besides.
    ///   - notBefore: seconds since 1970.
    ///   - serial: up to 20 unpredictable bytes (RFC 5280 §4.1.2.2).
    package static func make(
        commonName: String, addresses: [String], names: [String], notBefore: Int64, days: Int32, serial: [UInt8]
    ) throws(CryptoFailure) -> ServerIdentity {
        let privateKey = try PrivateKey.generate(.elliptic(.p256))
        let list = addresses.map { "IP:\($0)" } + names.map { "DNS:\($0)" }
        // An address or a name with a comma would be two.
        guard list.allSatisfy({ !$0.contains(",") }) else { throw .unavailable }
        let certificate = try privateKey.certificate(
            commonName, list.joined(separator: ","), notBefore: notBefore, days: days, serial: serial)
        return ServerIdentity(certificate: certificate, privateKey: privateKey)
    }
}

extension ServerIdentity: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

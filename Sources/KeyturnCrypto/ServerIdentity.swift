import CCrypto

/// The certificate and private key of a TLS server. It prints as redacted.
package struct ServerIdentity: Sendable {
    /// The certificate as PEM, which clients need to trust the server.
    package let certificate: String
    package let privateKey: PrivateKey

    /// Creates a key and a self-signed certificate.
    ///
    /// - Parameters:
    ///   - addresses: the server's numeric addresses.
    ///   - names: the server's host names.
    ///   - notBefore: the start of validity in seconds since 1970.
    ///   - serial: up to 20 unpredictable bytes (RFC 5280 §4.1.2.2).
    package static func make(
        commonName: String, addresses: [String], names: [String], notBefore: Int64, days: Int32, serial: [UInt8]
    ) throws(CryptoFailure) -> ServerIdentity {
        let privateKey = try PrivateKey.generate(.elliptic(.p256))
        let list = addresses.map { "IP:\($0)" } + names.map { "DNS:\($0)" }
        // A comma would separate two names.
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

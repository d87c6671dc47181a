import CCrypto

/// A private signing key. It prints as redacted; only ``pem`` returns its text.
package struct PrivateKey: Sendable {
    package enum Kind: Sendable, Hashable {
        case rsa(bits: Int)
        case elliptic(EllipticCurve)
        case ed25519
    }

    /// The key as unencrypted PKCS #8 (RFC 7468 §10).
    package let pem: String
    package let publicKey: PublicKey

    package static func generate(_ kind: Kind) throws(CryptoFailure) -> PrivateKey {
        let key =
            switch kind {
            case .rsa(let bits): keyturn_key_generate_rsa(Int32(clamping: bits))
            case .elliptic(let curve): keyturn_key_generate_elliptic(curve.bits)
            case .ed25519: keyturn_key_generate_ed25519()
            }
        guard let key else { throw .unavailable }
        defer { keyturn_key_free(key) }
        return try PrivateKey(key)
    }

    /// Parses an unencrypted RSA, elliptic-curve or Ed25519 key.
    package init(pem: String) throws(CryptoFailure) {
        guard let key = keyturn_key_from_pem(pem, pem.utf8.count) else { throw .malformedKey }
        defer { keyturn_key_free(key) }
        try self.init(key)
    }

    /// Creates a JWS signature. For elliptic curves it is r followed by s (RFC 7518 §3.4).
    package func sign(_ message: [UInt8], algorithm: SignatureAlgorithm) throws(CryptoFailure) -> [UInt8] {
        guard algorithm.family == publicKey.family else { throw .algorithmMismatch }
        guard let key = keyturn_key_from_pem(pem, pem.utf8.count) else { throw .malformedKey }
        defer { keyturn_key_free(key) }
        return try copied {
            keyturn_sign(key, algorithm.digestBits, algorithm.isPSS ? 1 : 0, message, message.count, $0, $1)
        }
    }

    /// Creates a self-signed certificate. `names` in OpenSSL's format.
    func certificate(
        _ commonName: String, _ names: String, notBefore: Int64, days: Int32, serial: [UInt8]
    ) throws(CryptoFailure) -> String {
        guard let key = keyturn_key_from_pem(pem, pem.utf8.count) else { throw .malformedKey }
        defer { keyturn_key_free(key) }
        let bytes = try copied {
            keyturn_certificate_self_signed(key, commonName, names, notBefore, days, serial, serial.count, $0, $1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private init(_ key: OpaquePointer) throws(CryptoFailure) {
        publicKey = try PublicKey(of: key)
        pem = String(decoding: try copied { keyturn_key_to_pem(key, $0, $1) }, as: UTF8.self)
    }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PublicKey {
    fileprivate init(of key: OpaquePointer) throws(CryptoFailure) {
        let kind = Int(keyturn_key_kind(key))
        if kind == KEYTURN_KEY_RSA {
            self = .rsa(
                modulus: try copied { keyturn_key_rsa_modulus(key, $0, $1) },
                exponent: try copied { keyturn_key_rsa_exponent(key, $0, $1) })
        } else if kind == KEYTURN_KEY_ED25519 {
            self = .ed25519(try copied { keyturn_key_ed25519_bytes(key, $0, $1) })
        } else if let curve = EllipticCurve.allCases.first(where: { Int($0.bits) == kind }) {
            let point = try copied { keyturn_key_elliptic_point(key, $0, $1) }
            self = .elliptic(
                curve, x: Array(point.prefix(curve.coordinateLength)), y: Array(point.suffix(curve.coordinateLength)))
        } else {
            throw .malformedKey
        }
    }
}

/// Returns what a C function writes to a buffer. Throws when it returns a negative length.
private func copied(_ write: (UnsafeMutablePointer<UInt8>?, Int) -> Int64) throws(CryptoFailure) -> [UInt8] {
    let room = 16_384
    var length: Int64 = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { out, count in
        length = write(out.baseAddress, room)
        count = max(0, Int(length))
    }
    guard length >= 0 else { throw .unavailable }
    return bytes
}

/// The certificate and private key of a TLS server. It prints as redacted.
package struct ServerIdentity: Sendable {
    /// The certificate as PEM, which clients need to trust the server.
    package let certificate: String
    package let privateKey: PrivateKey

    /// Creates a key and a self-signed certificate.
    ///
    /// - Parameters:
    ///   - addresses: numeric ones.
    ///   - notBefore: in seconds since 1970.
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

import KeyturnCrypto

/// The signing keys of an authority (RFC 7517 §5).
package struct JWKSet: Sendable, Equatable {
    package static let maximumBytes = 1 << 20
    package static let maximumKeys = 256

    /// The usable keys, in order.
    package let keys: [JWK]
    /// The other keys with the reasons. RFC 7517 §5 requires clients to ignore unknown keys.
    package let skipped: [Skipped]

    package struct Skipped: Sendable, Equatable {
        package var keyID: String?
        package var reason: JWK.Unusable
    }

    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSON
        /// There is no `keys` array.
        case noKeysMember
        case tooManyKeys(limit: Int)
    }

    package init(keys: [JWK]) {
        self.keys = keys
        skipped = []
    }

    package init(parsing bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let value = try? JSONValue(parsing: bytes) else { throw .notJSON }
        guard let members = value["keys"]?.array else { throw .noKeysMember }
        guard members.count <= Self.maximumKeys else { throw .tooManyKeys(limit: Self.maximumKeys) }
        var keys: [JWK] = []
        var skipped: [Skipped] = []
        for member in members {
            do throws(JWK.Unusable) {
                let key = try JWK(member)
                if !keys.contains(key) { keys.append(key) }
            } catch {
                skipped.append(Skipped(keyID: member["kid"]?.string, reason: error))
            }
        }
        self.keys = keys
        self.skipped = skipped
    }

    package var json: JSONValue { ["keys": .array(keys.map(\.json))] }

    /// The candidate keys for a signature: those with the `kid`, or without one all that fit the algorithm.
    package func keys(for keyID: String?, algorithm: SignatureAlgorithm) -> [JWK] {
        keys.filter { (keyID == nil || $0.keyID == keyID) && $0.fits(algorithm) }
    }
}

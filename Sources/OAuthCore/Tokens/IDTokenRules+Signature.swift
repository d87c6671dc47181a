import KeyturnCrypto

extension IDTokenRules {
    func signature(_ input: Input) -> Finding {
        let name = input.token.algorithm ?? ""
        guard let algorithm = SignatureAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
            return (.failed, rejection(ofAlgorithm: name))
        }
        guard let keys = input.keys else {
            return (.skipped, "The authority's keys are not cached.")
        }
        let candidates = keys.keys(for: input.token.keyID, algorithm: algorithm)
        guard !candidates.isEmpty else {
            return (.failed, noKey(input.token.keyID, algorithm, keys))
        }
        let signers = candidates.filter {
            $0.publicKey.isValidSignature(
                input.token.signature, of: input.token.signingInput, algorithm: algorithm)
        }
        guard !signers.isEmpty else {
            return (
                .failed,
                "The signature doesn't match the token and the authority's key"
                    + "\(input.token.keyID.map { " \(quoted($0))" } ?? ""): the token was modified or forged."
            )
        }
        guard signers.contains(where: { Self.mayKey($0, signFor: input.claims.issuer) }) else {
            return (.failed, "The token names one issuer, but is signed with another issuer's key.")
        }
        return (.passed, met(input.token.keyID, algorithm))
    }

    private static func mayKey(_ key: JWK, signFor issuer: String?) -> Bool {
        guard let bound = key.issuer else { return true }
        return issuer.map(IssuerTemplate(bound).matches) ?? false
    }

    private func rejection(ofAlgorithm name: String) -> String {
        switch name {
        case "": "The token has no signature algorithm."
        case "none": "The token is not signed (algorithm \"none\"), so anyone could have written it."
        case _ where name.hasPrefix("HS"):
            "The token is signed with a shared secret (\(quoted(name))), which a public client doesn't have."
        default: "The token is signed with \(quoted(name)), which is not accepted."
        }
    }

    private func noKey(_ keyID: String?, _ algorithm: SignatureAlgorithm, _ keys: JWKSet) -> String {
        let unusable = keys.skipped.filter { keyID == nil || $0.keyID == keyID }.map(\.reason.explanation)
        if !keys.keys.contains(where: { keyID == nil || $0.keyID == keyID }), let reason = unusable.first {
            return "The authority's key\(keyID.map { " \(quoted($0))" } ?? "") cannot be used: \(reason)."
        }
        guard let keyID else {
            return "The token has no key ID, and none of the authority's \(keys.keys.count) keys fits "
                + "\(algorithm.rawValue)."
        }
        guard keys.keys.contains(where: { $0.keyID == keyID }) else {
            return "The token is signed with key \(quoted(keyID)), which is not among the authority's keys."
        }
        return "The authority's key \(quoted(keyID)) is not for \(algorithm.rawValue), the token's algorithm."
    }

    private func met(_ keyID: String?, _ algorithm: SignatureAlgorithm) -> String {
        guard let keyID else { return "Signed with \(algorithm.rawValue) by a key of the authority." }
        return "Signed with \(algorithm.rawValue) by the authority's key \(quoted(keyID))."
    }
}

extension JWK.Unusable {
    /// The cause, for the end of a sentence.
    fileprivate var explanation: String {
        switch self {
        case .notAnObject: "it is not a JSON object"
        case .notForSignatures: "it is not for verifying signatures (use, key_ops)"
        case .unknownType: "its type (kty) is unknown"
        case .unknownCurve: "its curve (crv) is unknown"
        case .badMember(let name): "\(name) is missing or malformed"
        case .keySize(let bits) where bits < 2048: "it has \(bits) bits, less than 2048"
        case .keySize(let bits): "it has \(bits) bits, more than 16384"
        }
    }
}

import KeyturnCrypto

extension IDTokenRules {
    func signature(_ input: Input) -> Verdict {
        let name = input.token.algorithm ?? ""
        guard let algorithm = SignatureAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
            return Verdict(.signature, .failed, Self.refusal(ofAlgorithm: name))
        }
        guard let keys = input.keys else {
            return Verdict(.signature, .skipped, "The authority's keys are not cached.")
        }
        let candidates = keys.keys(for: input.token.keyID, algorithm: algorithm)
        guard !candidates.isEmpty else {
            return Verdict(.signature, .failed, Self.noKey(input.token.keyID, algorithm, keys))
        }
        let signers = candidates.filter {
            $0.publicKey.isValidSignature(
                input.token.signature, of: input.token.signingInput, algorithm: algorithm)
        }
        guard !signers.isEmpty else {
            return Verdict(
                .signature, .failed,
                "The signature does not belong to this token and the authority's key"
                    + "\(input.token.keyID.map { " \(Self.quoted($0))" } ?? ""): the token was changed or is forged.")
        }
        guard signers.contains(where: { Self.mayKey($0, signFor: input.claims.issuer) }) else {
            return Verdict(
                .signature, .failed, "The signature is right, but its key may sign for another issuer only.")
        }
        return Verdict(.signature, .passed, Self.met(input.token.keyID, algorithm))
    }

    private static func mayKey(_ key: JWK, signFor issuer: String?) -> Bool {
        guard let bound = key.issuer else { return true }
        return issuer.map(IssuerTemplate(bound).matches) ?? false
    }

    private static func refusal(ofAlgorithm name: String) -> String {
        switch name {
        case "": "The token does not say how it is signed."
        case "none": "The token is not signed (its algorithm is \u{201C}none\u{201D}), so anyone could have written it."
        case _ where name.hasPrefix("HS"):
            "The token is signed with a shared secret (\(quoted(name))), and this kind of client has none."
        default: "The token is signed with \(quoted(name)), which is not accepted."
        }
    }

    private static func noKey(_ keyID: String?, _ algorithm: SignatureAlgorithm, _ keys: JWKSet) -> String {
        let unusable = keys.skipped.filter { keyID == nil || $0.keyID == keyID }.map(\.reason.explanation)
        if !keys.keys.contains(where: { keyID == nil || $0.keyID == keyID }), let reason = unusable.first {
            return "The authority's key\(keyID.map { " \(quoted($0))" } ?? "") cannot be used: \(reason)."
        }
        guard let keyID else {
            return "The token names no key, and none of the authority's \(keys.keys.count) keys fits "
                + "\(algorithm.rawValue)."
        }
        guard keys.keys.contains(where: { $0.keyID == keyID }) else {
            return "The token is signed with key \(quoted(keyID)), which is not among the authority's keys."
        }
        return "The authority's key \(quoted(keyID)) is not for \(algorithm.rawValue), which the token says."
    }

    private static func met(_ keyID: String?, _ algorithm: SignatureAlgorithm) -> String {
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
        case .badMember(let name): "its member \(name) is missing or malformed"
        case .keySize(let bits) where bits < 2048: "it is too weak, with \(bits) of at least 2048 bits"
        case .keySize(let bits): "it is too large, with \(bits) of at most 16384 bits"
        }
    }
}

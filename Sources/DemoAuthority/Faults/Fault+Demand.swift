extension Fault {
    /// What a client is to do.
    package enum Demand: String, Sendable {
        case reject, accept
        /// The answer is not the one that is waited for: wait on.
        case ignore
    }

    package var demand: Demand {
        switch self {
        case .wrongState, .missingState: .ignore
        case .missingAccessTokenHash, .controlCharactersInName, .signedWithES256, .signedWithPS256, .keyIDAbsentOneKey,
            .keyIDAbsentSeveralKeys, .unusableKeysBeside, .keysRotate, .renewedWithoutIDToken,
            .renewedWithoutRefreshToken, .userInfoWrongSubject, .missingScope:
            .accept
        default: .reject
        }
    }

    /// The module of the conformance plans (`oidcc-client-test-…`), or where else the demand comes from.
    package var source: String {
        switch self {
        case .wrongIssuer: "invalid-iss"
        case .missingSubject: "missing-sub"
        case .wrongAudience: "invalid-aud"
        case .missingAudience: "missing-aud"
        case .otherAuthorizedParty: "OpenID Connect Core §3.1.3.7"
        case .missingIssuedAt: "missing-iat"
        case .expired, .notYetValid: "OpenID Connect Core §3.1.3.7"
        case .wrongNonce: "nonce-invalid"
        case .missingNonce: "nonce-invalid"
        case .wrongAccessTokenHash: "invalid-athash"
        case .missingAccessTokenHash: "missing-athash"
        case .controlCharactersInName, .controlCharactersInError: "hostile"
        case .signedWithES256: "idtoken-sig-es256"
        case .signedWithPS256: "idtoken-sig-ps256"
        case .unsigned: "idtoken-sig-none"
        case .wrongSignature: "invalid-sig-rs256"
        case .wrongES256Signature: "invalid-sig-es256"
        case .sharedSecretSignature: "invalid-sig-hs256"
        case .notAToken, .truncated, .hugeBody, .deepBody, .slowDrip, .page, .redirected, .repeatedMembers,
            .negativeLifetime:
            "hostile"
        case .keyIDAbsentOneKey: "kid-absent-single-jwks"
        case .keyIDAbsentSeveralKeys: "kid-absent-multiple-jwks"
        case .unknownKeyID, .noKeys, .unusableKeysBeside: "discovery-jwks-uri-keys"
        case .keysRotate: "signing-key-rotation"
        case .discoveryWrongIssuer: "discovery-issuer-mismatch"
        case .discoveryMissingEndpoint, .discoveryNoJSON: "discovery-openid-config"
        case .wrongState, .missingState, .repeatedCode, .missingCode: "RFC 6749 §4.1.2"
        case .errorInAnswer: "form-post-error"
        case .wrongResponseIssuer, .missingResponseIssuer: "RFC 9207 §2.4"
        case .renewedWrongIssuer: "refresh-token-invalid-issuer"
        case .renewedWrongSubject: "refresh-token-invalid-sub"
        case .renewedWithoutIDToken, .renewedWithoutRefreshToken: "refresh-token"
        case .userInfoWrongSubject: "userinfo-invalid-sub"
        case .missingIDToken, .missingScope, .otherTokenType: "RFC 6749 §5.1"
        }
    }

    /// Whether it shows when tokens are renewed, not when somebody signs in.
    package var isOfRenewals: Bool {
        switch self {
        case .renewedWrongIssuer, .renewedWrongSubject, .renewedWithoutIDToken, .renewedWithoutRefreshToken,
            .keysRotate:
            true
        default: false
        }
    }
}

/// One way for an authority to misbehave, as a switch: for tests of clients, and to show what a client says then.
///
/// Most are the modules of the OpenID Foundation's conformance plans for relying parties; the others are what a hostile
/// authority, or something between it and the client, may send.
package enum Fault: String, Sendable, CaseIterable {
    // The ID token's claims.
    case wrongIssuer = "wrong-issuer"
    case missingSubject = "missing-subject"
    case wrongAudience = "wrong-audience"
    case missingAudience = "missing-audience"
    case otherAuthorizedParty = "other-authorized-party"
    case missingIssuedAt = "missing-issued-at"
    case expired
    case notYetValid = "not-yet-valid"
    case wrongNonce = "wrong-nonce"
    case missingNonce = "missing-nonce"
    case wrongAccessTokenHash = "wrong-access-token-hash"
    case missingAccessTokenHash = "missing-access-token-hash"
    case controlCharactersInName = "control-characters-in-name"
    // Its signature.
    case signedWithES256 = "signed-with-es256"
    case signedWithPS256 = "signed-with-ps256"
    case unsigned
    case wrongSignature = "wrong-signature"
    case wrongES256Signature = "wrong-es256-signature"
    case sharedSecretSignature = "shared-secret-signature"
    case notAToken = "not-a-token"
    // The keys.
    case keyIDAbsentOneKey = "key-id-absent-one-key"
    case keyIDAbsentSeveralKeys = "key-id-absent-several-keys"
    case unknownKeyID = "unknown-key-id"
    case noKeys = "no-keys"
    case unusableKeysBeside = "unusable-keys-beside"
    case keysRotate = "keys-rotate"
    // Discovery.
    case discoveryWrongIssuer = "discovery-wrong-issuer"
    case discoveryMissingEndpoint = "discovery-missing-endpoint"
    case discoveryNoJSON = "discovery-no-json"
    // The browser's answer.
    case wrongState = "wrong-state"
    case missingState = "missing-state"
    case wrongResponseIssuer = "wrong-response-issuer"
    case missingResponseIssuer = "missing-response-issuer"
    case repeatedCode = "repeated-code"
    case missingCode = "missing-code"
    case errorInAnswer = "error-in-answer"
    // Renewals.
    case renewedWrongIssuer = "renewed-wrong-issuer"
    case renewedWrongSubject = "renewed-wrong-subject"
    case renewedWithoutIDToken = "renewed-without-id-token"
    case renewedWithoutRefreshToken = "renewed-without-refresh-token"
    // Userinfo.
    case userInfoWrongSubject = "userinfo-wrong-subject"
    // The token endpoint's answer.
    case missingIDToken = "missing-id-token"
    case missingScope = "missing-scope"
    case otherTokenType = "other-token-type"
    case negativeLifetime = "negative-lifetime"
    case repeatedMembers = "repeated-members"
    case truncated
    case hugeBody = "huge-body"
    case deepBody = "deep-body"
    case slowDrip = "slow-drip"
    case page
    case redirected
    case controlCharactersInError = "control-characters-in-error"

    /// How the authority has to be set for it.
    package var settings: AuthoritySettings {
        var settings = AuthoritySettings()
        settings.add(self)
        return settings
    }
}

extension AuthoritySettings {
    package mutating func add(_ fault: Fault) {
        faults.append(fault)
        switch fault {
        case .signedWithES256, .wrongES256Signature: signatureAlgorithm = .es256
        case .signedWithPS256: signatureAlgorithm = .ps256
        case .keysRotate: rotatesKeys = true
        default: break
        }
    }
}

import KeyturnCrypto

extension IDTokenRules {
    func issuer(_ input: Input) -> Finding {
        guard let found = input.claims.issuer, !found.isEmpty else {
            return (.failed, "The token has no issuer.")
        }
        guard let expected = input.issuer.issuer(tenantID: input.claims.tenantID) else {
            return (.failed, "The issuer depends on the tenant (\(quoted(input.issuer.text))), but the token has none.")
        }
        guard found == expected else {
            return (.failed, "Issued by \(quoted(found)), but the authority is \(quoted(expected)).")
        }
        return (.passed, "Issued by \(quoted(found)), matching the authority.")
    }

    func audience(_ input: Input) -> Finding {
        guard let audiences = input.claims.audiences, !audiences.isEmpty else {
            return (.failed, "The token has no audience.")
        }
        if input.origin == .text {
            let names = audiences.prefix(3).map(quoted).joined(separator: ", ")
            return (.skipped, "The token is for \(names). Compare this with the expected recipient.")
        }
        guard audiences.contains(where: input.isClient) else {
            let names = audiences.prefix(3).map(quoted).joined(separator: ", ")
            return (.failed, "The token is for \(names), not for this client \(quoted(input.clientID)).")
        }
        let others = audiences.count - 1
        return (.passed, "For this client \(quoted(input.clientID))" + (others > 0 ? " and \(others) more." : "."))
    }

    /// With several audiences, `azp` must name the client (OpenID Connect Core §3.1.3.7, steps 4 and 5).
    func authorizedParty(_ input: Input) -> Finding {
        guard let value = input.token.payload["azp"] else {
            guard (input.claims.audiences?.count ?? 0) > 1 else {
                return (.skipped, "Not needed: the token has one audience.")
            }
            return (.failed, "The token has several audiences but no authorized party.")
        }
        if input.origin == .text {
            return (.skipped, "Issued to \(quoted(value.string ?? value.serialized)).")
        }
        guard value.string.map(input.isClient) == true else {
            return (.failed, "Issued to \(quoted(value.string ?? value.serialized)), not to this client.")
        }
        return (.passed, "Issued to this client.")
    }

    func subject(_ input: Input) -> Finding {
        guard let subject = input.claims.subject, !subject.isEmpty else {
            return (.failed, "The token has no subject.")
        }
        guard subject.utf8.count <= IDTokenClaims.maximumSubjectBytes else {
            return (
                .failed,
                "The token's subject is longer than the \(IDTokenClaims.maximumSubjectBytes) characters allowed."
            )
        }
        guard let expected = input.expectedSubject else {
            return (.passed, "User \(quoted(subject)).")
        }
        guard subject == expected else {
            return (.failed, "The token belongs to a different user than before.")
        }
        return (.passed, "User \(quoted(subject)), the same as in the earlier ID token.")
    }

    func nonce(_ input: Input) -> Finding {
        guard let expected = input.nonce else { return refreshedNonce(input) }
        guard let found = input.claims.nonce else {
            return (.failed, "The token has no nonce, so it may be replayed.")
        }
        guard constantTimeEqual(Array(found.utf8), Array(expected.utf8)) else {
            return (.failed, "The token's nonce belongs to another sign-in.")
        }
        return (.passed, "The token repeats the nonce of this sign-in.")
    }

    /// A refreshed token needs no nonce, but a nonce must be that of the sign-in (OpenID Connect Core §12.2).
    private func refreshedNonce(_ input: Input) -> Finding {
        guard let found = input.token.payload["nonce"], let expected = input.originalNonce else {
            return (.skipped, Self.withoutNonce(input))
        }
        guard found == .string(expected) else {
            return (.failed, "The refreshed token's nonce differs from the sign-in's.")
        }
        return (.passed, "The refreshed token repeats the nonce of the sign-in.")
    }

    /// The reason why there is no nonce to compare. A cached token with a nonce came from a sign-in.
    private static func withoutNonce(_ input: Input) -> String {
        switch (input.origin, input.claims.nonce) {
        case (.text, nil): "The token has no nonce."
        case (.text, _): "The nonce of the request isn't known."
        case (.cache, .some): "Checked at sign-in. The nonce that was sent isn't cached."
        case (.response, _), (.cache, nil): "No nonce was sent: the token comes from a refresh or a device code."
        }
    }

    /// Compares `at_hash`: the left half of the access token's hash, with the signature algorithm's hash (OpenID
    /// Connect Core §3.1.3.6).
    func accessTokenHash(_ input: Input) -> Finding {
        guard let claim = input.token.payload["at_hash"] else {
            return (.skipped, "The token has no access token hash.")
        }
        guard let accessToken = input.accessToken else {
            let reason =
                switch input.origin {
                case .response: "The response has no access token."
                case .cache: "The hash was checked when the token arrived; the cached access token may be a newer one."
                case .text: "The access token isn't known."
                }
            return (.skipped, reason)
        }
        let algorithm = input.token.algorithm.flatMap(SignatureAlgorithm.init)
        guard let hash = algorithm?.hash(Array(accessToken.reveal().utf8)) else {
            return (.failed, "Can't check the access token's hash (at_hash): unsupported algorithm.")
        }
        let expected = Base64URL.encode(Array(hash.prefix(hash.count / 2)))
        guard let found = claim.string, constantTimeEqual(Array(found.utf8), Array(expected.utf8)) else {
            return (.failed, "The access token was not issued with this ID token.")
        }
        return (.passed, "The access token was issued with this ID token.")
    }

    /// Never fails a token: servers may leave out `acr`, or give another one (OpenID Connect Core §5.5.1.1). The resource decides.
    func authenticationContext(_ input: Input) -> Finding {
        guard !input.requestedContexts.isEmpty else {
            return (.skipped, "No authentication context was requested.")
        }
        guard let found = input.token.payload["acr"]?.string else {
            return (.warning, "The token doesn't say how the user was authenticated.")
        }
        guard input.requestedContexts.contains(found) else {
            return (.warning, "The user authenticated with \(quoted(found)), not as requested.")
        }
        return (.passed, "The user authenticated with \(quoted(found)), as requested.")
    }
}

extension SignatureAlgorithm {
    /// The algorithm's hash. Ed25519 uses SHA-512.
    func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .rs256, .ps256, .es256: SHA2.sha256(bytes)
        case .rs384, .ps384, .es384: SHA2.sha384(bytes)
        case .rs512, .ps512, .es512, .eddsa: SHA2.sha512(bytes)
        }
    }
}

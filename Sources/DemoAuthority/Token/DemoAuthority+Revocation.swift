import OAuthCore

/// The revocation endpoint (RFC 7009), for refresh tokens. Access tokens stay valid until they expire, because APIs check them
/// without the authority.
extension DemoAuthority {
    mutating func revoke(
        _ received: ReceivedRequest, at selector: TenantSelector
    ) throws(AuthorityError) -> HTTPResponse {
        let (form, client) = try clientForm(received)
        guard let token = form.value("token") else { throw .missing("token") }
        // A JWT is an access token, whatever the hint says (RFC 7009 §2.2.1).
        guard token.split(separator: ".", omittingEmptySubsequences: false).count != 3 else {
            throw AuthorityError(
                .malformedParameter, detail: "Access tokens are valid until they expire.",
                oauthError: "unsupported_token_type")
        }
        let familyID = String(token.prefix { $0 != "." })
        // An unknown token is invalid already.
        guard let family = families.value(for: familyID, at: received.now) else { return .empty }
        try check(client, mayUseTokensOf: family.grant.clientID)
        families.remove(familyID)
        return .empty
    }
}

extension HTTPResponse {
    fileprivate static var empty: HTTPResponse {
        HTTPResponse(status: 200, headers: ["Cache-Control": "no-store", "Content-Length": "0"])
    }
}

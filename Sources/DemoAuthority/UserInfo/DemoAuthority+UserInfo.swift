import OAuthCore

/// The userinfo endpoint (OpenID Connect Core §5.3).
extension DemoAuthority {
    func userInfo(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        guard let token = bearerToken(of: received),
            let access = accessTokens.value(for: digest(token), at: received.now),
            let user = directory.user(withID: access.grant.userID)
        else { throw AuthorityError(.invalidAccessToken) }
        let scopes = Set(access.scopes.map(\.text))
        guard scopes.contains("openid") else { throw AuthorityError(.insufficientScope) }
        let content = IssuedContent(
            grant: access.grant, user: user, scopes: access.scopes, issuer: issuer(of: access.grant),
            issuedAt: received.now)
        var names = access.grant.claims.userInfo
        if scopes.contains("profile") {
            names.formUnion(["name", "given_name", "family_name", "preferred_username"])
        }
        if scopes.contains("email") { names.insert("email") }
        var members = content.personal(names)
        members["sub"] = .string(content.subject)
        return .json(.object(members))
    }

    /// The access token from the header or the POST form (RFC 6750 §2.1 and §2.2).
    func bearerToken(of received: ReceivedRequest) -> String? {
        guard let field = received.request.headers["Authorization"] else {
            return received.request.method == .post ? received.form?.value("access_token") : nil
        }
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }
}

/// The grant behind an access token.
struct IssuedAccess: Sendable, Equatable {
    var grant: Grant
    var scopes: [RequestedScope]
}

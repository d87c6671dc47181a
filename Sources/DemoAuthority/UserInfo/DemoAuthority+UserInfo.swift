import OAuthCore

/// The userinfo endpoint (OpenID Connect Core §5.3).
extension DemoAuthority {
    func userInfo(_ exchange: Exchange) throws(AuthorityError) -> HTTPResponse {
        guard let token = bearerToken(of: exchange),
            let access = accessTokens.value(for: digest(token), at: exchange.now),
            let user = directory.user(withID: access.grant.userID)
        else { throw AuthorityError(.invalidAccessToken) }
        let scopes = Set(access.scopes.map(\.text))
        guard scopes.contains("openid") else { throw AuthorityError(.insufficientScope) }
        let content = IssuedContent(
            grant: access.grant, user: user, scopes: access.scopes, issuer: issuer(of: access.grant),
            issuedAt: exchange.now)
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
    func bearerToken(of exchange: Exchange) -> String? {
        guard let field = exchange.request.headers["Authorization"] else {
            return exchange.request.method == .post ? exchange.form?.value("access_token") : nil
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

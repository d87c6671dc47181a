import AuthEngine

extension Acquisition {
    /// Copies what can be shown from a result, without the tokens.
    init(_ result: MSALResult) {
        self.init(
            account: AccountSummary(result.account),
            authority: result.authority.url.absoluteString,
            scopes: result.scopes,
            expiresOn: result.expiresOn,
            isFromCache: result.isFromCache,
            correlationID: result.correlationId.uuidString,
            idToken: TokenContent(result.idToken ?? ""),
            accessToken: TokenContent(result.accessToken),
            verdicts: result.idTokenVerdicts)
    }
}

extension TokenContent {
    package init(_ token: String) {
        if token.isEmpty {
            self = .absent
        } else {
            self = MSALDecodedToken(token).map(TokenContent.decoded) ?? .opaque(length: token.count)
        }
    }
}

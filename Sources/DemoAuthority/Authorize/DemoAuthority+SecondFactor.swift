import OAuthCore

/// Multi-factor authentication, if the client's claims request it (Entra's authentication contexts).
extension DemoAuthority {
    func needsSecondFactor(_ claims: RequestedClaims, _ methods: [String]) -> Bool {
        !claims.contexts.isDisjoint(with: settings.policies.secondFactorContexts) && !methods.contains("mfa")
    }

    /// The token endpoint can't ask the user: it tells the client which claims to request.
    func checkSecondFactor(_ grant: Grant) throws(AuthorityError) {
        guard needsSecondFactor(grant.claims, grant.methods) else { return }
        var error = AuthorityError(.secondFactorRequired, suberror: "basic_action")
        let contexts = grant.claims.contexts.sorted().map { JSONValue.string($0) }
        let challenge: JSONValue = ["access_token": ["acrs": ["essential": true, "values": .array(contexts)]]]
        error.claims = challenge.serialized
        throw error
    }

    func secondFactorPage(_ flow: Flow, for user: User) -> HTTPResponse {
        page(.secondFactor(for: flow.pending.request.client.name, user, form: flow.form("verify")), in: flow)
    }

    mutating func submitSecondFactor(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let (flow, form) = try resume(received)
        guard var signedIn = flow.pending.user else { throw AuthorityError(.stalePage) }
        guard form["approve"] != nil else { return cancel(flow, received) }
        signedIn.methods = ["pwd", "mfa"]
        browsers.update(flow.pending.browserKey) { $0.signIn(signedIn) }
        return proceed(flow, as: signedIn, received)
    }

    /// The `claims` of a token request.
    func claims(_ form: Parameters) throws(AuthorityError) -> RequestedClaims {
        guard let text = form.value("claims") else { return RequestedClaims() }
        guard let claims = RequestedClaims(text) else {
            throw .malformed("claims", "not a JSON object of objects.")
        }
        return claims
    }

    /// Whether a client can use another client's refresh token, which requires a common family.
    func check(_ client: RegisteredClient, mayUseTokensOf owner: String) throws(AuthorityError) {
        if client.id == owner { return }
        guard let family = directory.client(withID: owner)?.familyID else {
            throw AuthorityError(.invalidGrant, suberror: "bad_token")
        }
        guard client.familyID == family else {
            throw AuthorityError(.clientOutsideFamily, suberror: "client_mismatch")
        }
    }
}

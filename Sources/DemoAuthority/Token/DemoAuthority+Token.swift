import Foundation
import OAuthCore

/// The token endpoint (RFC 6749 §3.2).
extension DemoAuthority {
    mutating func token(_ received: ReceivedRequest, at selector: TenantSelector) throws(AuthorityError) -> HTTPResponse
    {
        let (form, client) = try clientForm(received)
        if form["grant_type"] == IdentityAssertion.exchangeGrant {
            return try assertion(form, client, selector, received)
        }
        try checkTarget(form)
        guard let type = form.value("grant_type") else { throw .missing("grant_type") }
        switch type {
        case "authorization_code": return try redeemCode(form, client, selector, received)
        case DeviceSignIn.grantType: return try redeemDeviceCode(form, client, received)
        case IdentityAssertion.grant: return try redeemAssertion(form, client, selector, received)
        case "refresh_token": return try refresh(form, client, selector, received)
        default: throw AuthorityError(.unsupportedGrantType, detail: "Grant type: \(quoted(type)).")
        }
    }

    /// The form of a request from a client, which each endpoint for clients checks first.
    func clientForm(
        _ received: ReceivedRequest
    ) throws(AuthorityError) -> (form: Parameters, client: RegisteredClient) {
        guard let form = received.form else {
            throw .malformed("Content-Type", "must be application/x-www-form-urlencoded.")
        }
        try form.checkRepetition()
        return (form, try client(of: form, received))
    }

    private func client(of form: Parameters, _ received: ReceivedRequest) throws(AuthorityError) -> RegisteredClient {
        let basic = try received.request.headers["Authorization"].map(Self.clientWithoutSecret)
        if form.value("client_secret") != nil || form.value("client_assertion") != nil {
            throw AuthorityError(.clientIsPublic)
        }
        guard let id = form.value("client_id") ?? basic else { throw .missing("client_id") }
        // Two different client IDs are ambiguous.
        guard basic == nil || basic == id else { throw AuthorityError(.clientIsPublic) }
        return try directory.knownClient(id)
    }

    /// The client ID of Basic credentials with an empty secret, which some clients send (RFC 6749 §2.3.1).
    private static func clientWithoutSecret(_ field: String) throws(AuthorityError) -> String {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1])),
            let text = String(validating: bytes, as: UTF8.self), text.hasSuffix(":"),
            let id = Parameters(formEncoded: "id=\(text.dropLast())")["id"], !id.isEmpty, !id.contains(":")
        else { throw AuthorityError(.clientIsPublic) }
        return id
    }

    /// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6).
    private mutating func redeemCode(
        _ form: Parameters, _ client: RegisteredClient, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard let code = form.value("code") else { throw .missing("code") }
        let key = digest(code)
        guard let issued = codes.value(for: key, at: received.now), issued.grant.clientID == client.id else {
            throw AuthorityError(.invalidGrant)
        }
        if let family = issued.redeemedFamilyID {
            families.remove(family)
            throw AuthorityError(.codeAlreadyUsed)
        }
        try check(issued, against: form, selector, received)
        try checkPolicies(issued.grant)
        let scopes = try narrowed(issued.grant.scopes, to: form)
        let familyID = identifier()
        codes.update(key) { $0.redeemedFamilyID = familyID }
        let refreshToken = issued.grant.holdsOffline ? startFamily(familyID, issued.grant, received) : nil
        return try tokenResponse(
            issued.grant, scopes, nonce: issued.nonce, refreshToken: refreshToken,
            withClientInfo: form["client_info"] == "1", confirmation: try confirmation(form), received)
    }

    private func check(
        _ issued: CodeGrant, against form: Parameters, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) {
        guard received.now < issued.expiry else { throw AuthorityError(.codeExpired) }
        guard let uri = form.value("redirect_uri") else { throw .missing("redirect_uri") }
        guard uri == issued.redirectURI else {
            let detail = "The authorization request used another one."
            throw AuthorityError(.redirectURIMismatch, detail: detail, oauthError: "invalid_grant")
        }
        if let tenant = selector.tenant, tenant.id != issued.grant.tenantID || selector.policy != issued.grant.policy {
            throw AuthorityError(.codeOfOtherTenant)
        }
        guard let verifier = form.value("code_verifier") else { throw AuthorityError(.missingCodeVerifier) }
        let isProven = CodeChallenge.isProven(issued.codeChallenge, by: verifier)
        guard isProven else { throw AuthorityError(.codeVerifierMismatch) }
    }

    /// The refresh token grant (RFC 6749 §6) with rotation (RFC 9700 §4.14.2), which invalidates the old token.
    private mutating func refresh(
        _ form: Parameters, _ client: RegisteredClient, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard let token = form.value("refresh_token") else { throw .missing("refresh_token") }
        if let interruption = interrupted() { return interruption }
        let familyID = String(token.prefix { $0 != "." })
        guard let family = families.value(for: familyID, at: received.now),
            let user = directory.user(withID: family.grant.userID)
        else { throw AuthorityError(.invalidGrant, suberror: "bad_token") }
        try check(client, mayUseTokensOf: family.grant.clientID)
        guard family.currentDigest == digest(token) else {
            families.remove(familyID)
            let detail = "It was already used, so the whole sign-in is revoked."
            throw AuthorityError(.invalidGrant, detail: detail, suberror: "bad_token")
        }
        guard received.now < family.expiry else { throw AuthorityError(.refreshTokenExpired, suberror: "bad_token") }
        try revokeIfDue()
        var grant = family.grant
        grant.clientID = client.id
        grant.claims = try RequestedClaims(of: form)
        try checkSecondFactor(grant)
        grant.tenantID = try tenant(for: user, grant, at: selector)
        let scopes = try refreshedScopes(grant, form, user, client)
        // Clients of a family have copies of the same token, so using one doesn't invalidate the others.
        let isAlone = client.familyID == nil
        let next = startFamily(isAlone ? familyID : identifier(), isAlone ? family.grant : grant, received)
        return try tokenResponse(
            grant, scopes, nonce: nil, refreshToken: next, withClientInfo: form["client_info"] == "1",
            confirmation: try confirmation(form), received)
    }

    /// The grant for the requested tenant. A guest's refresh token works in every tenant that invited them.
    private func tenant(for user: User, _ grant: Grant, at selector: TenantSelector) throws(AuthorityError) -> String {
        guard let tenant = selector.tenant else { return grant.tenantID }
        guard selector.policy == grant.policy else { throw AuthorityError(.codeOfOtherTenant) }
        guard user.objectID(in: tenant.id) != nil else { throw AuthorityError(.notInTenant) }
        return tenant.id
    }

    private func refreshedScopes(
        _ grant: Grant, _ form: Parameters, _ user: User, _ client: RegisteredClient
    ) throws(AuthorityError) -> [RequestedScope] {
        guard let text = form.value("scope") else { return try narrowed(grant.scopes, to: form) }
        let requested = try directory.scopes(in: text)
        let granted = grantedScopes(of: requested, by: user, to: client)
        guard requested.allSatisfy(granted.contains) else {
            throw AuthorityError(.consentRequired, suberror: "consent_required", oauthError: "invalid_grant")
        }
        try requireOneResource(requested)
        return granted
    }

    /// The key to bind the access token to (RFC 7800 §3.4, Entra's `req_cnf`).
    func confirmation(_ form: Parameters) throws(AuthorityError) -> TokenConfirmation? {
        guard form.value("token_type")?.lowercased() == "pop" else { return nil }
        guard let text = form.value("req_cnf") else { throw .missing("req_cnf") }
        guard let confirmation = TokenConfirmation(parsing: text) else {
            throw .malformed("req_cnf", "must be a JSON object with a kid, in base64url.")
        }
        return confirmation
    }

    /// The scopes of the token's single resource: the requested one, or the first granted one.
    func narrowed(_ granted: [RequestedScope], to form: Parameters) throws(AuthorityError) -> [RequestedScope] {
        guard let text = form.value("scope") else {
            let resource = granted.lazy.compactMap(\.resource).first
            return granted.filter { $0.resource == nil || $0.resource == resource }
        }
        let requested = try directory.scopes(in: text)
        try requireOneResource(requested)
        let resources = Set(requested.compactMap(\.resource))
        // Scopes that the user unticked are not an error: the response lists the granted scopes.
        return granted.filter { scope in
            scope.resource.map(resources.contains) ?? requested.contains { $0.consentKey == scope.consentKey }
        }
    }

    private func requireOneResource(_ scopes: [RequestedScope]) throws(AuthorityError) {
        if Set(scopes.compactMap(\.resource)).count > 1 { throw AuthorityError(.severalResources) }
    }

    /// Issues the next refresh token of a family, including the first.
    mutating func startFamily(_ id: String, _ grant: Grant, _ received: ReceivedRequest) -> String {
        let token = "\(id).\(randomToken())"
        let expiry = received.now + lifetimes.refreshToken
        let family = RefreshTokenFamily(grant: grant, currentDigest: digest(token), expiry: expiry)
        // Kept after expiry, to tell an expired token from an unknown one.
        families.insert(family, for: id, until: expiry + lifetimes.refreshToken, at: received.now)
        return token
    }
}

extension DemoAuthority {
    mutating func interrupted() -> HTTPResponse? {
        guard let interruption = settings.interruption, interruptionsLeft > 0 else { return nil }
        interruptionsLeft -= 1
        return interruption.response
    }

    /// Enforces app protection policies as Entra does: the application must enrol first.
    func checkPolicies(_ grant: Grant) throws(AuthorityError) {
        guard settings.policies.protectedTenants.contains(grant.tenantID) else { return }
        throw AuthorityError(.protectionPolicyRequired, suberror: "protection_policy_required")
    }

    /// Revokes earlier sign-ins and browser sessions, as a new password does.
    mutating func revokeIfDue() throws(AuthorityError) {
        guard let revocation = settings.policies.revocation else { return }
        settings.policies.revocation = nil
        revokeSignIns()
        throw AuthorityError(revocation, suberror: "bad_token")
    }

    package mutating func revokeSignIns() {
        browsers.removeAll()
        families.removeAll()
    }
}

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
            let detail = "Access tokens are valid until they expire."
            throw AuthorityError(.malformedParameter, detail: detail, oauthError: "unsupported_token_type")
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

extension DemoAuthority {
    /// An `accessTokens.json` with the user's refresh token and earlier consent to the client's scopes.
    package mutating func adalCache(of username: String, scopes: [String], at now: Date) throws -> [UInt8] {
        guard let user = directory.user(named: username), let resource = directory.resources.first else {
            throw AuthorityError(.invalidGrant)
        }
        let names = ["openid", "profile", "offline_access"] + scopes
        let grant = Grant(
            userID: user.objectID, tenantID: user.tenantID, clientID: Directory.demoClientID,
            scopes: try directory.scopes(in: names.joined(separator: " ")), authenticatedAt: now,
            sessionID: identifier())
        let received = ReceivedRequest(HTTPRequest(.get, URL(fileURLWithPath: "/")), at: now, identifier: identifier)
        let entry: JSONValue = [
            "_authority": .string("\(origin)/\(user.tenantID)"), "_clientId": .string(Directory.demoClientID),
            "userId": .string(user.username), "oid": .string(user.objectID), "isMRRT": true,
            "resource": .string(resource.identifier), "tokenType": "Bearer",
            "refreshToken": .string(startFamily(identifier(), grant, received)),
        ]
        return Array(JSONValue.array([entry]).serialized.utf8)
    }
}

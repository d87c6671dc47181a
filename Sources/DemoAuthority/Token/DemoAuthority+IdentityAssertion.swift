import Foundation
import OAuthCore

/// Both sides of enterprise-managed authorization (draft-ietf-oauth-identity-assertion-authz-grant): each tenant issues assertions of
/// its users for the authorities of other tenants' APIs, which trust them.
extension DemoAuthority {
    /// The organisation's side (RFC 8693 §2).
    func assertion(
        _ form: Parameters, _ client: RegisteredClient, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        for (name, value) in [
            ("requested_token_type", IdentityAssertion.type), ("subject_token_type", IdentityAssertion.subjectType),
        ] where form.value(name) != value { throw .malformed(name, "must be \(value).") }
        guard let audience = form.value("audience") else { throw .missing("audience") }
        guard let resource = form.value("resource") else { throw .missing("resource") }
        guard let api = api(at: resource), let owner = api.tenant, issuer(ofTenant: owner) == audience else {
            let detail = "Audience: \(quoted(audience)). Resource: \(quoted(resource))."
            throw AuthorityError(.invalidTarget, detail: detail)
        }
        let (user, issuer) = try subject(form, client, selector, received)
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(user.objectID), "aud": .string(audience),
            "resource": .string(resource), "client_id": .string(client.id), "jti": .string(identifier()),
            "iat": .integer(Int64(received.now.timeIntervalSince1970)),
            "exp": .integer(Int64(received.now.timeIntervalSince1970 + 300)), "scope": .string(form["scope"] ?? ""),
        ]
        for fault in settings.faults { try fault.spoil(assertion: &claims) }
        var header = currentKey.header
        header["typ"] = .string(IdentityAssertion.headerType)
        return .json([
            "issued_token_type": .string(IdentityAssertion.type),
            "access_token": .string(try sign(claims, header: header)),
            "token_type": "N_A", "expires_in": 300, "scope": .string(form["scope"] ?? ""),
        ])
    }

    /// The user of the ID token and its issuer, which must be this tenant, and have issued it to this client.
    private func subject(
        _ form: Parameters, _ client: RegisteredClient, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) -> (User, issuer: String) {
        guard let token = form.value("subject_token") else { throw .missing("subject_token") }
        guard let claims = keys.ownToken(token)?.claims, let tenant = tenant(issuing: claims),
            selector.tenant.map({ $0.id == tenant.id }) ?? true,
            claims.audiences == [client.id], let expiry = claims.expiry, expiry > received.now,
            let user = directory.users.first(where: { user in
                user.objectID(in: tenant.id).map { IssuedContent.subject(of: $0, for: client.id) } == claims.subject
            })
        else { throw AuthorityError(.invalidAssertion, detail: "The ID token is expired, or isn't this client's.") }
        return (user, issuer(ofTenant: tenant.id))
    }

    /// The side of the API's authority (RFC 7523 §3.1).
    mutating func redeemAssertion(
        _ form: Parameters, _ client: RegisteredClient, _ selector: TenantSelector, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard let text = form.value("assertion") else { throw .missing("assertion") }
        func reject(_ detail: String) -> AuthorityError { AuthorityError(.invalidAssertion, detail: detail) }
        guard let token = keys.ownToken(text), token.header["typ"]?.string == IdentityAssertion.headerType else {
            throw reject("It isn't signed by an organisation that this authority trusts.")
        }
        let (claims, members) = (token.claims, token.payload)
        guard let organisation = tenant(issuing: claims), organisation.id != selector.issuerSegment else {
            throw reject("Its issuer isn't trusted.")
        }
        let own = issuer(ofTenant: selector.issuerSegment)
        guard claims.audiences == [own] else { throw reject("It is for another authority.") }
        guard let expiry = claims.expiry, expiry > received.now else { throw reject("It has expired.") }
        guard members["client_id"]?.string == client.id else { throw reject("It was issued for another client.") }
        guard let api = members["resource"]?.string.flatMap(api), api.tenant == selector.issuerSegment,
            form.value("resource").map({ origin + api.path == $0 }) ?? true
        else { throw AuthorityError(.invalidTarget, detail: "It is for a resource of another authority.") }
        guard let user = claims.subject.flatMap(directory.user(withID:)), user.objectID(in: organisation.id) != nil
        else { throw reject("Its user is unknown.") }
        let asserted = members["scope"]?.string ?? ""
        let scopes = try directory.scopes(in: form.value("scope") ?? asserted)
        guard scopes.allSatisfy({ asserted.split(separator: " ").contains($0.text[...]) }) else {
            throw AuthorityError(.unknownScope)
        }
        guard let id = members["jti"]?.string, redeemedAssertions.value(for: digest(id), at: received.now) == nil else {
            throw reject("It was already used.")
        }
        redeemedAssertions.insert(true, for: digest(id), until: expiry, at: received.now)
        // No refresh token: the organisation decides again each time.
        let grant = Grant(
            userID: user.objectID, tenantID: selector.issuerSegment, clientID: client.id, scopes: scopes,
            authenticatedAt: received.now, sessionID: id)
        return try tokenResponse(grant, scopes, nonce: nil, refreshToken: nil, withClientInfo: false, received)
    }

    private func tenant(issuing claims: IDTokenClaims) -> Tenant? {
        directory.tenants.first { issuer(ofTenant: $0.id) == claims.issuer }
    }
}

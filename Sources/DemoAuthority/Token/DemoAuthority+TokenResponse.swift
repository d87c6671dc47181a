import Foundation
import KeyturnCrypto
import OAuthCore

extension DemoAuthority {
    /// RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, with Entra's `client_info` and `ext_expires_in`.
    mutating func tokenResponse(
        _ grant: Grant, _ scopes: [RequestedScope], nonce: String?, refreshToken: String?, withClientInfo: Bool,
        confirmation: TokenConfirmation? = nil, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard let user = directory.user(withID: grant.userID) else { throw AuthorityError(.invalidGrant) }
        // Not after the response: clients fetch the keys then, and would already get the next one.
        if settings.rotatesKeys, hasIssuedTokens { keyRotations += 1 }
        hasIssuedTokens = true
        let content = IssuedContent(
            grant: grant, user: user, scopes: scopes, issuer: issuer(of: grant), issuedAt: received.now)
        let resource = scopes.lazy.compactMap(\.resource).first ?? directory.resources.first?.identifier ?? origin
        var accessClaims = content.accessToken(for: resource, identifier: identifier(), lifetime: lifetimes.accessToken)
        accessClaims["cnf"] = confirmation.map { ["kid": .string($0.keyID)] }
        let accessToken = try sign(accessClaims)
        var members: [String: JSONValue] = [
            "token_type": confirmation == nil ? "Bearer" : "pop",
            "scope": .string(scopes.map(\.text).joined(separator: " ")),
            "expires_in": .integer(Int64(lifetimes.accessToken)),
            "ext_expires_in": .integer(Int64(lifetimes.accessToken)),
            "access_token": .string(accessToken),
        ]
        if scopes.contains(where: { $0.text == "openid" }) {
            let claims = content.idToken(
                nonce: nonce, accessToken: accessToken, identifier: identifier(), lifetime: lifetimes.idToken)
            members["id_token"] = .string(try sign(idToken: claims, received))
        }
        if let refreshToken {
            members["refresh_token"] = .string(refreshToken)
            if settings.statesRefreshLifetime {
                for name in ["refresh_token_expires_in", "refresh_token_timeout"] {
                    members[name] = .integer(Int64(lifetimes.refreshToken))
                }
            }
            members["foci"] = directory.client(withID: grant.clientID)?.familyID.map { .string($0) }
        }
        if withClientInfo { members["client_info"] = .string(clientInfo(of: user, grant)) }
        accessTokens.insert(
            IssuedAccess(grant: grant, scopes: scopes), for: digest(accessToken),
            until: received.now + lifetimes.accessToken, at: received.now)
        if let next = settings.laterFaults.first {
            settings.faults = next
            settings.laterFaults.removeFirst()
        }
        return .json(.object(members))
    }

    /// The issuer of a grant's tokens. Each user flow has its own.
    func issuer(of grant: Grant) -> String {
        issuer(ofTenant: grant.policy.map { "tfp/\(grant.tenantID)/\($0)" } ?? grant.tenantID)
    }

    /// Entra's `client_info`: the home account of the user. Each user flow has separate accounts, in its own tenant.
    func clientInfo(of user: User, _ grant: Grant) -> String {
        let uid = user.objectID + (grant.policy.map { "-\($0)" } ?? "")
        return ClientInfo(uid: uid, utid: grant.policy == nil ? user.tenantID : grant.tenantID).raw
    }

    var currentKey: SigningKey { keys.current(from: settings.signatureAlgorithm, rotations: keyRotations) }

    private func sign(idToken claims: [String: JSONValue], _ received: ReceivedRequest) throws(AuthorityError) -> String
    {
        var claims = claims
        var header = currentKey.header
        for fault in settings.faults {
            fault.spoil(&claims, isRefresh: received.isRefresh)
            fault.spoil(header: &header)
        }
        let token = try sign(claims, header: header)
        return settings.faults.reduce(token) { $1.spoil(token: $0) }
    }

    func sign(_ claims: [String: JSONValue], header: [String: JSONValue]? = nil) throws(AuthorityError) -> String {
        do { return try currentKey.sign(claims, header: header ?? currentKey.header) } catch {
            throw AuthorityError(.internalFailure, detail: "The token can't be signed.")
        }
    }
}

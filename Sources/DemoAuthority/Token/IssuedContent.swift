import Foundation
import KeyturnCrypto
import OAuthCore

struct IssuedContent: Sendable {
    let grant: Grant
    let user: User
    let scopes: [RequestedScope]
    let issuer: String
    let issuedAt: Date

    static let claimNames = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "nonce", "at_hash", "auth_time", "amr", "sid", "tid", "oid", "name",
        "given_name", "family_name", "preferred_username", "email", "uti", "ver", "acrs", "tfp", "upn",
    ]

    /// The ID token's claims (OpenID Connect Core §2), with Entra's.
    func idToken(nonce: String?, accessToken: String, identifier: String, lifetime: TimeInterval) -> [String: JSONValue]
    {
        var claims = common(identifier, lifetime)
        claims["aud"] = .string(grant.clientID)
        claims["auth_time"] = seconds(grant.authenticatedAt)
        claims["sid"] = .string(grant.sessionID)
        claims["at_hash"] = .string(Self.accessTokenHash(accessToken))
        claims["nonce"] = nonce.map { .string($0) }
        if has("profile") {
            claims["given_name"] = .string(user.givenName)
            claims["family_name"] = .string(user.familyName)
        }
        if has("email") { claims["email"] = .string(user.username) }
        return claims.merging(personal(grant.claims.idToken)) { own, _ in own }
    }

    /// The user claims that the client requested individually.
    func personal(_ names: Set<String>) -> [String: JSONValue] {
        let known: [String: JSONValue] = [
            "name": .string(user.name), "given_name": .string(user.givenName),
            "family_name": .string(user.familyName), "email": .string(user.username),
            "preferred_username": .string(user.username), "upn": .string(user.username),
        ]
        return known.filter { names.contains($0.key) }
    }

    /// The access token's claims. It's a JWT, so that users can inspect it; `scp` contains its scopes.
    func accessToken(for resource: String, identifier: String, lifetime: TimeInterval) -> [String: JSONValue] {
        var claims = common(identifier, lifetime)
        claims["aud"] = .string(resource)
        claims["azp"] = .string(grant.clientID)
        claims["azpacr"] = "0"
        if !grant.claims.capabilities.isEmpty { claims["xms_cc"] = JSONValue(grant.claims.capabilities) }
        claims["scp"] = .string(allowed(at: resource).joined(separator: " "))
        return claims
    }

    private func common(_ identifier: String, _ lifetime: TimeInterval) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(subject), "iat": seconds(issuedAt), "nbf": seconds(issuedAt),
            "exp": seconds(issuedAt + lifetime), "uti": .string(identifier), "ver": "2.0",
            "amr": JSONValue(grant.methods),
        ]
        claims[grant.policy == nil ? "tid" : "tfp"] = .string(grant.policy ?? grant.tenantID)
        // The requested authentication contexts are satisfied by now.
        let lists = [("roles", user.roles), ("groups", user.groups), ("acrs", grant.claims.contexts.sorted())]
        for (name, values) in lists where !values.isEmpty { claims[name] = JSONValue(values) }
        if has("profile") {
            claims["oid"] = .string(objectID)
            claims["name"] = .string(user.name)
            claims["preferred_username"] = .string(user.username)
        }
        return claims
    }

    private var objectID: String { user.objectID(in: grant.tenantID) ?? user.objectID }

    private func has(_ scope: String) -> Bool { scopes.contains { $0.text == scope } }

    private func allowed(at resource: String) -> [String] {
        scopes.compactMap { if case .api(resource, let name) = $0.kind { name } else { nil } }
    }

    /// The pairwise subject: a different identifier of the user for each client (OpenID Connect Core §8.1).
    var subject: String { Self.subject(of: objectID, for: grant.clientID) }

    static func subject(of objectID: String, for clientID: String) -> String {
        Base64URL.encode(SHA2.sha256(Array("\(clientID) \(objectID)".utf8)))
    }

    private func seconds(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970)) }

    /// The `at_hash` of an access token: the left half of its digest (OpenID Connect Core §3.1.3.6).
    static func accessTokenHash(_ accessToken: String) -> String {
        Base64URL.encode(Array(SHA2.sha256(Array(accessToken.utf8)).prefix(16)))
    }
}

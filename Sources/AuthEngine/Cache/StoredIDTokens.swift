import Locks
import OAuthCore

/// The ID tokens that the accounts of one list have in the cache. Each is read when somebody first looks at its claims,
/// and then says the same for as long as the list lives: a program that asks twice is not told two things.
package final class StoredIDTokens: Sendable {
    private let store: any CredentialStore
    private let client: String
    private let known = Locked<[CredentialKey: [String: JSONValue]]>([:])

    package init(store: any CredentialStore, client: String) {
        self.store = store
        self.client = client
    }

    func key(homeAccountID: String, environment: String, realm: String) -> CredentialKey {
        CredentialKey(
            .idToken, homeAccountID: homeAccountID, environment: environment, client: client, realm: realm)
    }

    /// `nil` as well when the store fails: whoever looks at claims has no way to be told, and the next call for a token
    /// meets the failure itself.
    func claims(of key: CredentialKey) -> [String: JSONValue]? {
        if let claims = known.withLock({ $0[key] }) { return claims }
        var query = CredentialQuery(kinds: [.idToken], homeAccountIDs: [key.homeAccountID], client: client)
        query.mendsDamage = false
        let token = (try? store.records(matching: query))?
            .first { $0.key.environment == key.environment && $0.key.realm == key.realm }?.members["secret"]?.string
        guard let claims = token.flatMap({ ProfileClaims.inside(Secret($0)).all }) else { return nil }
        known.withLock { $0[key] = claims }
        return claims
    }
}

/// One of them.
package final class StoredIDToken: Sendable, Equatable {
    private let tokens: StoredIDTokens
    private let homeAccountID: String
    private let environment: String
    private let realm: String

    init(_ tokens: StoredIDTokens, homeAccountID: String, environment: String, realm: String) {
        self.tokens = tokens
        self.homeAccountID = homeAccountID
        self.environment = environment
        self.realm = realm
    }

    private var key: CredentialKey {
        tokens.key(homeAccountID: homeAccountID, environment: environment, realm: realm)
    }

    var claims: [String: JSONValue]? { tokens.claims(of: key) }

    /// Where the token is: what stands in it is not known.
    package static func == (left: StoredIDToken, right: StoredIDToken) -> Bool { left.key == right.key }
}

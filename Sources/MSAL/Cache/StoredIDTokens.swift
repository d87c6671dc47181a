import KeyturnSystem
import OAuthCore

/// The cached ID tokens of a list of accounts. The claims of each are read at the first access and then don't change
/// while the list exists.
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

    /// The claims of a token. Also `nil` when the store fails, because a property can't throw. The next token request
    /// reports the failure.
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

/// A reference to an ID token in the cache.
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

    /// Compares references, not tokens.
    package static func == (left: StoredIDToken, right: StoredIDToken) -> Bool { left.key == right.key }
}

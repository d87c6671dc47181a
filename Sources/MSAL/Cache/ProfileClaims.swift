import KeyturnSystem
import OAuthCore

/// The claims of an account's ID token, decoded on demand: decoding takes long, and few callers need them.
package enum ProfileClaims: Sendable, Equatable {
    case read([String: JSONValue])
    case inside(Secret)
    /// The token is still in the cache, because callers that list thousands of accounts read the claims of few.
    case stored(StoredIDToken)
    /// There is a token in the cache, but a list doesn't say where.
    case unread

    /// `nil` when the text isn't a token or the token is gone.
    package var all: [String: JSONValue]? {
        switch self {
        case .read(let claims): claims
        case .inside(let idToken): (try? JWT(parsing: idToken.reveal()))?.payload
        case .stored(let idToken): idToken.claims
        case .unread: nil
        }
    }

    /// The name, or `nil` for a token in the cache. Lists use ``CachedAccount/Profile/name`` instead.
    var name: String? {
        switch self {
        case .read, .inside: all?["name"]?.visibleText
        case .stored, .unread: nil
        }
    }
}

/// The cached ID tokens of a list of accounts. Claims are read at the first access and then don't change.
package final class StoredIDTokens: Sendable {
    private let store: any CredentialStore
    private let client: String
    private let known = Locked<[CredentialKey: [String: JSONValue]]>([:])

    package init(store: any CredentialStore, client: String) {
        self.store = store
        self.client = client
    }

    func key(homeAccountID: String, environment: String, realm: String) -> CredentialKey {
        CredentialKey(.idToken, homeAccountID: homeAccountID, environment: environment, client: client, realm: realm)
    }

    /// Also `nil` when the store fails, because a property can't throw. The next token request reports the failure.
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

package final class StoredIDToken: Sendable, Equatable {
    private let tokens: StoredIDTokens
    private let homeAccountID: String
    private let environment: String
    private let realm: String

    init(_ tokens: StoredIDTokens, homeAccountID: String, environment: String, realm: String) {
        (self.tokens, self.homeAccountID) = (tokens, homeAccountID)
        (self.environment, self.realm) = (environment, realm)
    }

    private var key: CredentialKey { tokens.key(homeAccountID: homeAccountID, environment: environment, realm: realm) }

    var claims: [String: JSONValue]? { tokens.claims(of: key) }

    /// Compares references, not tokens.
    package static func == (left: StoredIDToken, right: StoredIDToken) -> Bool { left.key == right.key }
}

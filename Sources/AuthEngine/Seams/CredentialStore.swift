import OAuthCore

/// Keeps credentials: one record each, found by the columns of its identity (design of the unified cache schema).
package protocol CredentialStore: Sendable {
    /// Records that match, in the order of their keys.
    func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord]

    /// The identities of the records that match, in their order. No record is opened for it.
    func keys(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialKey]

    /// What the records of each account come to, for lists: accounts of which nothing changed need not be read again.
    /// Records that belong to no account are left out.
    func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest>

    /// One transaction: `decide` sees the matching records under the write lock, and all of its changes are kept or
    /// none.
    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure)

    /// Takes the sole right to redeem a refresh token, over all processes that share the store. Never waits; `nil`:
    /// another has it. The right ends with ``CredentialLease/end()``, with the lease, or with the process.
    func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)?

    /// What the store looks like from outside: while it stays the same, so do the records. Cheap. `nil` when that cannot
    /// be told without reading them.
    func stamp() -> CredentialStamp?

    /// How the records are sealed at rest, and with which key.
    func protection() throws(CredentialStoreFailure) -> MSALCacheProtection
}

/// To be compared with an earlier one of the same store; what the numbers are is the store's own affair.
package struct CredentialStamp: Sendable, Equatable {
    private let numbers: SIMD4<Int64>

    package init(_ numbers: SIMD4<Int64>) {
        self.numbers = numbers
    }
}

/// A right that one holder at a time has.
package protocol CredentialLease: AnyObject, Sendable {
    func end()
}

/// The identity of one credential. Members are compared as written; the engine writes all but subjects lower-cased.
package struct CredentialKey: Sendable, Hashable, Comparable {
    package enum Kind: String, Sendable, CaseIterable {
        case accessToken = "AccessToken"
        /// An access token that is bound to a key.
        case boundAccessToken = "AccessToken_With_AuthScheme"
        case refreshToken = "RefreshToken"
        case idToken = "IdToken"
        case account = "Account"
        case appMetadata = "AppMetadata"
        case accountMetadata = "AccountMetadata"
        /// The key that bound tokens are bound to: one for a store, of no account and no client.
        case proofKey = "ProofKey"
        /// A public document of an authority, of no account and no client. Its target is its address.
        case document = "Document"

        /// What belongs to accounts and clients.
        package static let ofClients = Set(allCases).subtracting([.proofKey, .document])
    }

    package var kind: Kind
    package var homeAccountID: String
    package var environment: String
    /// The client ID, or for a family refresh token the family ID.
    package var client: String
    package var realm: String
    /// Space-separated scopes, lower-cased and sorted; empty where the kind has none.
    package var target: String

    package init(
        _ kind: Kind, homeAccountID: String = "", environment: String = "", client: String = "", realm: String = "",
        target: String = ""
    ) {
        self.kind = kind
        self.homeAccountID = homeAccountID
        self.environment = environment
        self.client = client
        self.realm = realm
        self.target = target
    }

    package var components: [String] { [kind.rawValue, homeAccountID, environment, client, realm, target] }

    package static func < (left: CredentialKey, right: CredentialKey) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}

/// One credential: its identity and its members as they stand in the unified schema. Members we do not know survive.
package struct CredentialRecord: Sendable, Equatable {
    package var key: CredentialKey
    package var members: [String: JSONValue]

    package init(_ key: CredentialKey, _ members: [String: JSONValue]) {
        self.key = key
        self.members = members
    }
}

/// Which records to look at. A `nil` member matches anything.
package struct CredentialQuery: Sendable, Equatable {
    package var kinds: Set<CredentialKey.Kind>?
    /// Records that belong to no account have an empty one.
    package var homeAccountIDs: Set<String>?
    package var client: String?
    package var target: String?
    /// Whether damage that is met may be put aside. Not where its failure would reach no user: it is told once.
    package var mendsDamage = true

    package init(
        kinds: Set<CredentialKey.Kind>? = nil, homeAccountIDs: Set<String>? = nil, client: String? = nil,
        target: String? = nil
    ) {
        self.kinds = kinds
        self.homeAccountIDs = homeAccountIDs
        self.client = client
        self.target = target
    }

    package func matches(_ key: CredentialKey) -> Bool {
        (kinds?.contains(key.kind) ?? true)
            && homeAccountIDs?.contains(key.homeAccountID) ?? true
            && client.map { $0 == key.client } ?? true
            && target.map { $0 == key.target } ?? true
    }
}

package enum CredentialChange: Sendable, Equatable {
    case save(CredentialRecord)
    case delete(CredentialKey)

    package var key: CredentialKey {
        switch self {
        case .save(let record): record.key
        case .delete(let key): key
        }
    }
}

import KeyturnSystem
import OAuthCore

/// Stores credentials as records, each with a unique key (the unified cache schema of the MSAL libraries).
package protocol CredentialStore: Sendable {
    /// Returns the matching records, ordered by key.
    func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord]

    /// A summary of each account's records, reusing those of unchanged accounts. Omits records without an account.
    func digests<Digest>(in form: DigestForm<Digest>) throws(CredentialStoreFailure) -> CredentialDigests<Digest>

    /// A transaction: `decide` gets the matching records under the write lock, and all its changes are saved or none.
    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure)

    /// The exclusive right to redeem a refresh token, across all processes that share the store; `nil` when another one holds
    /// it. Never waits. Ends with ``CredentialLease/release()``, with the lease object or with the process.
    func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)?

    func leaseHolder(_ key: CredentialKey) -> TurnHolder?

    /// Makes sure that the tokens of one response can be saved, before a code or token is spent on them. Creates a missing
    /// store. Returns what must end immediately before they are saved, or `nil` if the room is in the store itself.
    func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)?

    /// A value that changes whenever the records change. Fast; `nil` when the store can't tell without reading them.
    func stamp() -> CredentialStamp?

    func protection() throws(CredentialStoreFailure) -> MSALCacheProtection

    /// Deletes all damaged records and files that were set aside.
    func deleteSetAside() throws(CredentialStoreFailure) -> DeletedDamage
}

extension CredentialStore {
    /// For stores that need no disk: opens the store for writing.
    package func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try update(matching: CredentialQuery(kinds: [])) { _ in [] }
        return nil
    }

    /// Stores that set nothing aside have nothing to delete.
    package func deleteSetAside() throws(CredentialStoreFailure) -> DeletedDamage { DeletedDamage() }

    /// Stores that processes don't share know no other holder.
    package func leaseHolder(_ key: CredentialKey) -> TurnHolder? { nil }

    /// Creates the summaries without caching them.
    package func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        let stamp = stamp()
        let records = try records(matching: CredentialQuery()).filter { !$0.key.homeAccountID.isEmpty }
        let byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
        let inOrder = byAccount.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return CredentialDigests(
            all: inOrder.compactMap { form.make($0.value.sorted { $0.key < $1.key }) }, stamp: stamp)
    }
}

package struct DeletedDamage: Sendable, Equatable {
    package var records = 0
    package var files: [String] = []
}

/// A version of the store, to compare with an earlier one of the same store.
package struct CredentialStamp: Sendable, Equatable {
    private let numbers: SIMD4<Int64>

    package init(_ numbers: SIMD4<Int64>) { self.numbers = numbers }
}

/// Something that this process holds, such as an exclusive right. Also ends with the object.
package protocol CredentialLease: AnyObject, Sendable {
    func release()
}

/// The key of a credential. Comparison is exact; the engine writes all members in lower case, except subjects.
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
        /// The key for bound tokens. A store has one, without account and client.
        case proofKey = "ProofKey"
        /// A public document of an authority, without account and client. Its target is its URL.
        case document = "Document"

        /// The kinds that belong to accounts and clients.
        package static let ofClients = Set(allCases).subtracting([.proofKey, .document])

        package var isToken: Bool {
            switch self {
            case .accessToken, .boundAccessToken, .refreshToken, .idToken: true
            case .account, .appMetadata, .accountMetadata, .proofKey, .document: false
            }
        }
    }

    package var kind: Kind
    package var homeAccountID: String
    package var environment: String
    /// The client ID, or the family ID of a family refresh token.
    package var client: String
    package var realm: String
    /// Space-separated scopes, in lower case and sorted. Empty for kinds without scopes.
    package var target: String

    package init(
        _ kind: Kind, homeAccountID: String = "", environment: String = "", client: String = "", realm: String = "",
        target: String = ""
    ) {
        (self.kind, self.homeAccountID, self.environment) = (kind, homeAccountID, environment)
        (self.client, self.realm, self.target) = (client, realm, target)
    }

    package var components: [String] { [kind.rawValue, homeAccountID, environment, client, realm, target] }

    package static func < (left: CredentialKey, right: CredentialKey) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}

/// A credential with its members in the unified schema. Unknown members are preserved.
package struct CredentialRecord: Sendable, Equatable {
    package var key: CredentialKey
    package var members: [String: JSONValue]

    package init(_ key: CredentialKey, _ members: [String: JSONValue]) {
        (self.key, self.members) = (key, members)
    }
}

/// Selects records. A `nil` member matches anything.
package struct CredentialQuery: Sendable, Equatable {
    package var kinds: Set<CredentialKey.Kind>?
    /// The home accounts to match. Records without an account have an empty one.
    package var homeAccountIDs: Set<String>?
    package var client: String?
    package var target: String?
    /// Whether to put damaged records aside. Not for callers that hide the failure, because it is reported only once.
    package var mendsDamage = true

    package init(
        kinds: Set<CredentialKey.Kind>? = nil, homeAccountIDs: Set<String>? = nil, client: String? = nil,
        target: String? = nil
    ) {
        (self.kinds, self.homeAccountIDs, self.client, self.target) = (kinds, homeAccountIDs, client, target)
    }

    package func matches(_ key: CredentialKey) -> Bool {
        (kinds?.contains(key.kind) ?? true) && homeAccountIDs?.contains(key.homeAccountID) ?? true
            && client.map { $0 == key.client } ?? true && target.map { $0 == key.target } ?? true
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

/// A summary of the records of one account, which a store can cache.
package struct DigestForm<Digest: Sendable>: Sendable {
    /// The name of the format. Change it whenever the content or the encoding changes.
    package let name: String
    /// Creates the summary from all records of one account, those of each kind ordered by key. `nil` when there is
    /// nothing to summarise.
    package let make: @Sendable ([CredentialRecord]) -> Digest?
    /// A record that ``make`` accepts in place of an encrypted one, given the account's earlier records. `nil` when it
    /// must be decrypted.
    package var standIn: @Sendable (CredentialKey, _ earlier: [CredentialRecord]) -> CredentialRecord? = { _, _ in nil }
    package let encode: @Sendable (Digest) -> [UInt8]
    /// Decodes a summary, or returns `nil` for bytes that ``encode`` didn't produce.
    package let decode: @Sendable ([UInt8]) -> Digest?
    /// Whether to decode these bytes. Otherwise a list omits the summary, but never one that the store makes.
    package var isWanted: @Sendable (ArraySlice<UInt8>) -> Bool = { _ in true }
}

/// The summaries of all accounts, ordered by the bytes of the home account ID.
package struct CredentialDigests<Digest: Sendable>: Sendable {
    package var all: [Digest]
    /// The stamp of the store. The summaries are valid while it is unchanged.
    package var stamp: CredentialStamp?
}

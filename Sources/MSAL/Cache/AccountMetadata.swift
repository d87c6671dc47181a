import OAuthCore

/// What one client records about an account besides tokens.
package struct AccountMetadata: Sendable, Equatable {
    package enum SignInState: String, Sendable {
        case signedIn = "signed_in"
        case signedOut = "signed_out"
    }

    package var homeAccountID: String
    package var clientID: String
    package var signInState: SignInState
    /// The realm of this account's tokens, by the URL of the authority. A domain name or an issuer doesn't reveal the
    /// tenant, and cached tokens must be found without a request (docs/upstream-behaviour.md §2.2).
    package var realms: [String: String] = [:]

    package init(homeAccountID: String, clientID: String, signInState: SignInState, realms: [String: String] = [:]) {
        self.homeAccountID = homeAccountID
        self.clientID = clientID
        self.signInState = signInState
        self.realms = realms
    }

    package init?(_ record: CredentialRecord) {
        guard let state = Self.signInState(record) else { return nil }
        self.init(
            homeAccountID: record.key.homeAccountID, clientID: record.key.client, signInState: state,
            realms: record.members["authority_map"]?.object?.compactMapValues(\.string) ?? [:])
    }

    package static func find(in records: [CredentialRecord], client: String) -> AccountMetadata? {
        records.lazy.filter { $0.key.kind == .accountMetadata && $0.key.client == client }
            .compactMap(AccountMetadata.init).first
    }

    /// The state in a record. `nil` for an invalid one, or one of another kind.
    private static func signInState(_ record: CredentialRecord) -> SignInState? {
        guard record.key.kind == .accountMetadata else { return nil }
        return record.members["sign_in_state"]?.string.flatMap(SignInState.init)
    }

    static func signInState(in records: [CredentialRecord], client: String) -> SignInState? {
        for record in records where record.key.client == client {
            if let state = signInState(record) { return state }
        }
        return nil
    }

    /// The URLs of the authorities where an account has signed in, with any client.
    static func authorities(in records: [CredentialRecord]) -> [String] {
        var authorities: [String] = []
        for record in records where signInState(record) != nil {
            for case (let url, .string) in record.members["authority_map"]?.object ?? [:]
            where !authorities.contains(url) {
                authorities.append(url)
            }
        }
        return authorities.sorted()
    }

    package var record: CredentialRecord {
        CredentialRecord(
            CredentialKey(.accountMetadata, homeAccountID: homeAccountID, client: clientID.lowercased()),
            [
                "client_id": .string(clientID), "home_account_id": .string(homeAccountID),
                "sign_in_state": .string(signInState.rawValue),
                "authority_map": .object(realms.mapValues(JSONValue.string)),
            ])
    }
}

/// A client's membership in a family of clients that can use each other's refresh tokens (docs/upstream-behaviour.md
/// §4.7).
package enum FamilyMembership: Sendable, Equatable {
    case unknown
    case outside
    case member(of: String)

    /// The only family so far, which a client with unknown membership tries.
    package static let first = "1"

    /// The family whose refresh token the client can try.
    package var familyID: String? {
        switch self {
        case .unknown: Self.first
        case .outside: nil
        case .member(let family): family
        }
    }
}

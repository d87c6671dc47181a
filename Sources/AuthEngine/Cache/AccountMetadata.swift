import OAuthCore

/// What one client knows of an account apart from its tokens, which outlive a sign-out of another client.
package struct AccountMetadata: Sendable, Equatable {
    package enum SignInState: String, Sendable {
        case signedIn = "signed_in"
        case signedOut = "signed_out"
    }

    package var homeAccountID: String
    package var clientID: String
    package var signInState: SignInState
    /// Which realm answered when an authority was asked for this account, by the authority's address: a domain name or
    /// an
    /// issuer does not tell the tenant, and a cached token is to be found without asking (docs/upstream-behaviour.md
    /// §2.2).
    package var realms: [String: String] = [:]

    package init(homeAccountID: String, clientID: String, signInState: SignInState, realms: [String: String] = [:]) {
        self.homeAccountID = homeAccountID
        self.clientID = clientID
        self.signInState = signInState
        self.realms = realms
    }

    package init?(_ record: CredentialRecord) {
        guard record.key.kind == .accountMetadata,
            let state = record.members["sign_in_state"]?.string.flatMap(SignInState.init)
        else { return nil }
        self.init(
            homeAccountID: record.key.homeAccountID, clientID: record.key.client, signInState: state,
            realms: record.members["authority_map"]?.object?.compactMapValues(\.string) ?? [:])
    }

    package static func find(in records: [CredentialRecord], client: String) -> AccountMetadata? {
        records.lazy.filter { $0.key.kind == .accountMetadata && $0.key.client == client }
            .compactMap(AccountMetadata.init).first
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

/// What is known of a client's place in a family: clients that may use each other's refresh tokens
/// (docs/upstream-behaviour.md §4.7).
package enum FamilyMembership: Sendable, Equatable {
    case unknown
    case outside
    case member(of: String)

    /// The only family there is so far, hence the one to try while nothing is known.
    package static let first = "1"

    /// The family whose refresh token the client may try.
    package var familyID: String? {
        switch self {
        case .unknown: Self.first
        case .outside: nil
        case .member(let family): family
        }
    }
}

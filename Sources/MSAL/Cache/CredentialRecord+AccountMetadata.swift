import OAuthCore

/// What one client records about an account besides tokens.
extension CredentialRecord {
    package enum SignInState: String, Sendable {
        case signedIn = "signed_in"
        case signedOut = "signed_out"
    }

    package static func accountMetadata(
        homeAccountID: String, clientID: String, signInState: SignInState, realms: [String: String] = [:]
    ) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(.accountMetadata, homeAccountID: homeAccountID, client: clientID.lowercased()),
            [
                "client_id": .string(clientID), "home_account_id": .string(homeAccountID),
                "sign_in_state": .string(signInState.rawValue),
                "authority_map": .object(realms.mapValues(JSONValue.string)),
            ])
    }

    /// `nil` for an invalid record, or one of another kind.
    package var signInState: SignInState? {
        guard key.kind == .accountMetadata else { return nil }
        return members["sign_in_state"]?.string.flatMap(SignInState.init)
    }

    /// The realm of this account's tokens, by the URL of the authority. A domain name or an issuer doesn't reveal the
    /// tenant, and cached tokens must be found without a request (docs/upstream-behaviour.md §2.2).
    package var realms: [String: String] { members["authority_map"]?.object?.compactMapValues(\.string) ?? [:] }
}

extension [CredentialRecord] {
    /// A client's metadata of the account with these records.
    package func metadata(client: String) -> CredentialRecord? {
        first { $0.key.client == client && $0.signInState != nil }
    }

    /// The URLs of the authorities where the account with these records has signed in, with any client.
    package var authorities: [String] { Set(lazy.filter { $0.signInState != nil }.flatMap(\.realms.keys)).sorted() }
}

import OAuthCore

/// The account that was current at a client's last call (docs/upstream-behaviour.md §4.8).
///
/// A separate record of the client, so that it outlives the account.
package struct PrincipalAccount: Sendable, Equatable {
    package var homeAccountID: String
    package var username: String?
    package var environment: String

    package init(homeAccountID: String, username: String?, environment: String) {
        self.homeAccountID = homeAccountID
        self.username = username
        self.environment = environment
    }

    package static func key(client: String) -> CredentialKey { CredentialKey(.accountMetadata, client: client) }

    /// Returns `nil` for a record without an account.
    package init?(_ record: CredentialRecord) {
        guard let homeAccountID = record.members["principal_home_account_id"]?.string, !homeAccountID.isEmpty else {
            return nil
        }
        self.init(
            homeAccountID: homeAccountID, username: record.members["principal_username"]?.string,
            environment: record.members["principal_account_environment"]?.string ?? "")
    }

    package func record(clientID: String) -> CredentialRecord {
        var members: [String: JSONValue] = [
            "client_id": .string(clientID), "principal_home_account_id": .string(homeAccountID),
            "principal_account_environment": .string(environment),
        ]
        members["principal_username"] = username.map(JSONValue.string)
        return CredentialRecord(Self.key(client: clientID.lowercased()), members)
    }
}

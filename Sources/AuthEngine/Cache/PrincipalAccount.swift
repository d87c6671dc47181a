import OAuthCore

/// The account that a client treated as the current one when it last asked (docs/upstream-behaviour.md §4.8).
///
/// It is a record of the client's own, beside those about its accounts, so that it outlives the account.
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

    /// `nil` for a record that names no account.
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

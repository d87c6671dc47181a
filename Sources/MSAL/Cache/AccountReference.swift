import OAuthCore

/// What names an account in a request, or as the current one.
package struct AccountReference: Sendable, Hashable {
    /// Empty if only the username is known, as in an ADAL cache.
    package var homeAccountID: String
    package var objectID: String?
    package var tenantID: String?
    package var username: String?
    /// The username to send as `login_hint`, if a server gave it.
    package var hint: String?
    package var environment = ""
}

/// The current account at a client's last call (docs/upstream-behaviour.md §4.8), which outlives the account.
extension AccountReference {
    package static func key(client: String) -> CredentialKey { CredentialKey(.accountMetadata, client: client) }

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

import MSAL

/// Accounts as lines: user name, environment, identifier.
struct AccountTable {
    var accounts: [MSALAccount]

    var text: String {
        TextTable(rows: accounts.map { [$0.username ?? "-", $0.environment, $0.identifier ?? "-"] }).text
    }
}

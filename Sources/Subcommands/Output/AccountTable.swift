import MSAL
import TerminalUI

/// Accounts as lines: user name, environment, identifier.
struct AccountTable {
    var accounts: [MSALAccount]

    var text: String {
        TextTable(rows: accounts.map { [$0.username ?? "-", $0.environment, $0.identifier ?? "-"] }).text
    }
}

/// What a removal did, and what it did not.
enum RemovalReport {
    static func text(removed account: MSALAccount, left: Int) -> String {
        let name = Printable.sanitize(account.username ?? account.identifier ?? "")
        let others = left == 1 ? "1 account stays" : "\(left) accounts stay"
        return """
            Removed \(name): this application's tokens are gone.
            \(others) in the cache. The browser is still signed in at \(Printable.sanitize(account.environment)).

            """
    }
}

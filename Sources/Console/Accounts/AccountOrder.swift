import Foundation

/// How the account list is ordered.
package enum AccountOrder: String, Sendable, CaseIterable {
    /// Under headings: by environment and tenant.
    case place
    case name, username
    /// What ends soonest first, what has ended or is missing last.
    case expiry

    package var title: String {
        switch self {
        case .place: "environment and tenant"
        case .name: "name"
        case .username: "user name"
        case .expiry: "the end of the token"
        }
    }

    package var next: AccountOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The indices of `accounts` in this order; equal ones stay as they were.
    func sorted(_ accounts: [AccountSummary], _ indices: [Int]) -> [Int] {
        let keys = accounts.map(key)
        return indices.sorted { (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1) }
    }

    private func key(_ account: AccountSummary) -> (String, Double) {
        switch self {
        case .place: ("\(account.environment)\n\(account.tenant ?? "")", 0)
        case .name: ((account.name ?? "\u{10FFFF}").lowercased(), 0)
        case .username: (account.username.lowercased(), 0)
        case .expiry:
            if case .held(let end, _) = account.token {
                ("", end.timeIntervalSinceReferenceDate)
            } else {
                ("", .infinity)
            }
        }
    }
}

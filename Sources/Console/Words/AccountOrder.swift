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

    /// The indices of `accounts`, which are at `places`, in this order; equal ones stay as they were.
    func sorted(_ accounts: [AccountSummary], at places: AccountPlaces) -> [Int] {
        switch self {
        case .place: places.order
        case .name: sorted(by: accounts.map { ($0.name ?? "\u{10FFFF}").lowercased() })
        case .username: sorted(by: accounts.map { $0.username.lowercased() })
        case .expiry:
            sorted(
                by: accounts.map { account in
                    if case .held(let end, _) = account.token { return end.timeIntervalSinceReferenceDate }
                    return .infinity
                })
        }
    }

    private func sorted(by keys: [some Comparable]) -> [Int] {
        keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    }
}

import Foundation

/// The sort order of the account list.
package enum AccountOrder: String, Sendable, CaseIterable {
    /// By environment and tenant, with headings.
    case place
    case name, username
    /// By token expiry: soonest first, expired or missing last.
    case expiry

    package var title: String {
        switch self {
        case .place: "environment and tenant"
        case .name: "name"
        case .username: "username"
        case .expiry: "token expiry"
        }
    }

    package var next: AccountOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The indices of `accounts` in this order, with those of other authorities last. The sort is stable.
    func sorted(_ accounts: [AccountSummary], at places: AccountPlaces) -> [Int] {
        let ordered = inOneOrder(accounts, places)
        let others = ordered.filter { accounts[$0].otherAuthority != nil }
        return others.isEmpty ? ordered : ordered.filter { accounts[$0].otherAuthority == nil } + others
    }

    private func inOneOrder(_ accounts: [AccountSummary], _ places: AccountPlaces) -> [Int] {
        switch self {
        case .place: places.order
        case .name: sorted(by: accounts.map { NaturalOrder($0.name ?? "\u{10FFFF}") })
        case .username: sorted(by: accounts.map { NaturalOrder($0.username) })
        case .expiry:
            sorted(
                by: accounts.map { account in
                    if case .held(let expiry, _) = account.token { return expiry.timeIntervalSinceReferenceDate }
                    return .infinity
                })
        }
    }

    private func sorted(by keys: [some Comparable]) -> [Int] {
        keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    }
}

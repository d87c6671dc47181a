import Foundation
import TerminalUI

package enum AccountOrder: String, Sendable, CaseIterable {
    /// By environment and tenant, with headings. In each tenant, those that need the user are first.
    case place
    case name, username
    /// By token expiry: those that need the user first, then the soonest, without an expiry last.
    case expiry

    package var title: String {
        switch self {
        case .place: "environment and tenant"
        case .name: "name"
        case .username: "username"
        case .expiry: "token expiry"
        }
    }

    package var next: AccountOrder { Self.allCases.next(after: self) ?? self }

    /// The indices of `accounts` in this order, with those of other authorities last. The sort is stable.
    func sorted(_ accounts: [AccountSummary], at places: AccountPlaces, needy: [Bool]) -> [Int] {
        let ordered = inOneOrder(accounts, places, needy)
        let others = ordered.filter { accounts[$0].otherAuthority != nil }
        return others.isEmpty ? ordered : ordered.filter { accounts[$0].otherAuthority == nil } + others
    }

    private func inOneOrder(_ accounts: [AccountSummary], _ places: AccountPlaces, _ needy: [Bool]) -> [Int] {
        switch self {
        case .place:
            let names = accounts.map { NaturalOrder($0.username) }
            func key(_ index: Int) -> (Int, Int, NaturalOrder, Int) {
                (places[index], needy[index] ? 0 : 1, names[index], index)
            }
            return accounts.indices.sorted { key($0) < key($1) }
        case .name: return sorted(by: accounts.map { NaturalOrder($0.name ?? "\u{10FFFF}") })
        case .username: return sorted(by: accounts.map { NaturalOrder($0.username) })
        case .expiry:
            return sorted(
                by: zip(accounts, needy).map { account, isNeedy in
                    isNeedy ? -.infinity : account.token?.expiry?.timeIntervalSinceReferenceDate ?? .infinity
                })
        }
    }

    private func sorted(by keys: [some Comparable]) -> [Int] { keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) } }
}

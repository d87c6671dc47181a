/// The environment and tenant of each account as a number, so that sorting compares no strings.
struct AccountPlaces: Sendable, Equatable {
    private struct Place: Hashable {
        var environment: String
        var tenant, otherAuthority: String?

        /// The list order of places: those of the profile's authority first.
        var order: (String, String, String) { (otherAuthority ?? "", environment, tenant ?? "") }

        func title(_ name: String?) -> String {
            [otherAuthority ?? environment, name ?? tenant].compactMap(\.self).joined(separator: "  ")
        }
    }

    private var places: [Int] = []
    private var titles: [String] = []

    init(_ accounts: [AccountSummary] = []) {
        var known: [Place: Int] = [:]
        var last: (place: Place, number: Int)?
        var domains: [TenantDomain] = []
        places.reserveCapacity(accounts.count)
        for account in accounts {
            let place = Place(
                environment: account.environment, tenant: account.tenant, otherAuthority: account.otherAuthority)
            if let last, last.place == place {
                places.append(last.number)
            } else {
                let number = known[place] ?? known.count
                if number == domains.count { domains.append(TenantDomain()) }
                known[place] = number
                last = (place, number)
                places.append(number)
            }
            domains[places[places.count - 1]].note(account.username)
        }
        let inOrder = known.sorted { $0.key.order < $1.key.order }
        var ranks = [Int](repeating: 0, count: inOrder.count)
        for (rank, (_, number)) in inOrder.enumerated() { ranks[number] = rank }
        for index in places.indices { places[index] = ranks[places[index]] }
        let named = inOrder.map { $0.key.title(domains[$0.value].name) }
        let counts = Dictionary(grouping: named) { $0 }.mapValues(\.count)
        titles = zip(inOrder, named).map { place, title in counts[title] == 1 ? title : place.key.title(nil) }
    }

    subscript(account: Int) -> Int { places[account] }

    /// The headings for a list of `accounts` sorted by place; none if all have the same place.
    func headings(of accounts: [Int]) -> AccountHeadings {
        guard titles.count > 1 else { return .none }
        var headings: [AccountHeadings.Heading] = []
        var last: Int?
        for (row, account) in accounts.enumerated() where places[account] != last {
            last = places[account]
            headings.append(.init(row: row, title: titles[places[account]]))
        }
        return headings.count > 1 ? AccountHeadings(headings: headings) : .none
    }
}

/// The domain of a tenant, from the usernames of its accounts.
private struct TenantDomain {
    private var domain: Substring?
    private var hasOthers = false

    mutating func note(_ username: String) {
        // As bytes, because a list may have thousands of accounts.
        guard !hasOthers, let at = username.utf8.lastIndex(of: UInt8(ascii: "@")) else { return }
        let found = username[username.utf8.index(after: at)...]
        hasOthers = domain.map { $0 != found } ?? false
        domain = domain ?? found
    }

    var name: String? { domain.flatMap { $0.isEmpty ? nil : hasOthers ? "\($0) and others" : String($0) } }
}

/// Headings between the rows of a list, and the resulting line numbers.
package struct AccountHeadings: Sendable, Equatable {
    struct Heading: Sendable, Equatable {
        var row: Int
        var title: String
    }

    fileprivate let headings: [Heading]

    package static let none = AccountHeadings(headings: [])

    package var count: Int { headings.count }

    func line(ofRow row: Int) -> Int { row + firstHeading { $1.row > row } }

    func content(ofLine line: Int) -> (heading: String?, row: Int) {
        // Heading `i` is on line `row + i`.
        let before = firstHeading { index, heading in heading.row + index > line }
        if before > 0, headings[before - 1].row + before - 1 == line {
            return (headings[before - 1].title, headings[before - 1].row)
        }
        return (nil, line - before)
    }

    /// The index of the first heading that meets the condition, by binary search.
    private func firstHeading(_ condition: (Int, Heading) -> Bool) -> Int {
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(middle, headings[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

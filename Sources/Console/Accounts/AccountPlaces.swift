/// Where each account is, made ready once: its environment and tenant as a number, so that a key press compares no text.
struct AccountPlaces: Sendable, Equatable {
    /// The place of each account, as an index in `titles`.
    private var places: [Int] = []
    private var titles: [String] = []

    init(_ accounts: [AccountSummary] = []) {
        var known: [[String?]: Int] = [:]
        for account in accounts {
            let place = [account.environment, account.tenant]
            let number = known[place] ?? titles.count
            if number == titles.count {
                known[place] = number
                titles.append(place.compactMap(\.self).joined(separator: "  "))
            }
            places.append(number)
        }
    }

    /// The headings between the rows of a list of `accounts` that is in the order of their places; none when all are of
    /// one.
    func headings(of accounts: [Int]) -> AccountHeadings {
        var headings: [(row: Int, title: String)] = []
        var last: Int?
        for (row, account) in accounts.enumerated() where places[account] != last {
            last = places[account]
            headings.append((row, titles[places[account]]))
        }
        return headings.count > 1 ? AccountHeadings(headings) : .none
    }
}

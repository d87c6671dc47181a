import Foundation

/// The accounts, which belong to no screen alone: what the cache held when it was last read, what of it is shown, in which
/// order, and what is selected.
package struct AccountsState: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case unread
        case reading(EffectID)
        case read
        case failed(ErrorReport)
    }

    package var phase = Phase.unread
    package private(set) var all: [AccountSummary] = []
    /// Indices in `all` of what the filter lets through, in order. Kept, so that a key press costs nothing per account.
    package private(set) var visible: [Int] = []
    /// Between the visible rows; none where all are of one environment and tenant, or in another order.
    package private(set) var headings = AccountHeadings.none
    /// The selected row among the visible ones; 0 when there is none.
    package private(set) var selection = 0
    package private(set) var filter = ""
    package private(set) var order = AccountOrder.place
    /// The account to select when the list is next read.
    package var selectWhenRead: String?
    /// The removal that is under way.
    package var removing: Removal?
    /// Some account is a guest somewhere.
    package private(set) var hasGuests = false
    /// Something is known of the tokens.
    package private(set) var knowsTokens = false
    /// When the last of the access tokens ends.
    private var lastExpiry: Date?
    private var texts = SearchTexts()
    private var places = AccountPlaces()
    private var ordered: [Int] = []

    package struct Removal: Sendable, Equatable {
        package var id: EffectID
        package var account: AccountSummary

        package init(id: EffectID, account: AccountSummary) {
            self.id = id
            self.account = account
        }
    }

    package init() {}

    package var selected: AccountSummary? { selectedIndex.map { all[$0] } }

    /// In `all`.
    private var selectedIndex: Int? { visible.indices.contains(selection) ? visible[selection] : nil }

    /// Whether what is said of the tokens changes by itself.
    package func counts(at now: Date?) -> Bool {
        guard let lastExpiry, let now else { return false }
        return lastExpiry > now
    }

    package mutating func select(row: Int) {
        selection = max(0, min(row, visible.count - 1))
    }

    /// Takes a newly read list; the selection stays on its account, or at its place when that is gone.
    package mutating func replace(with accounts: [AccountSummary]) {
        let wanted = selectWhenRead ?? selected?.identifier
        selectWhenRead = nil
        all = accounts
        texts = SearchTexts(accounts)
        places = AccountPlaces(accounts)
        hasGuests = accounts.contains { account in account.tenantProfiles.contains { !$0.isHome } }
        knowsTokens = accounts.contains { $0.token != nil }
        lastExpiry = accounts.lazy.compactMap { $0.token?.end }.max()
        phase = .read
        ordered = order.sorted(all, at: places)
        applyFilter(to: ordered, keeping: wanted.flatMap { wanted in all.firstIndex { $0.identifier == wanted } })
    }

    package mutating func setFilter(_ text: String) {
        let wanted = selectedIndex
        // What did not match a part does not match the whole.
        let narrows = !filter.isEmpty && text.hasPrefix(filter)
        filter = text
        applyFilter(to: narrows ? visible : ordered, keeping: wanted)
    }

    package mutating func setOrder(_ order: AccountOrder) {
        let wanted = selectedIndex
        self.order = order
        ordered = order.sorted(all, at: places)
        applyFilter(to: ordered, keeping: wanted)
    }

    private mutating func applyFilter(to indices: [Int], keeping wanted: Int?) {
        visible = texts.matches(of: filter.lowercased(), among: indices)
        headings = order == .place ? places.headings(of: visible) : .none
        let row = wanted.flatMap { wanted in visible.firstIndex(of: wanted) }
        select(row: row ?? selection)
    }
}

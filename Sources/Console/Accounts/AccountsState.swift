/// The account list: what the cache held when it was last read, what of it is shown, and what is selected.
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
    /// The selected row among the visible ones; 0 when there is none.
    package private(set) var selection = 0
    package private(set) var filter = ""
    package var isEditingFilter = false
    /// The account to select when the list is next read.
    package var selectWhenRead: String?
    /// The removal that is under way.
    package var removing: Removal?

    package struct Removal: Sendable, Equatable {
        package var id: EffectID
        package var account: AccountSummary

        package init(id: EffectID, account: AccountSummary) {
            self.id = id
            self.account = account
        }
    }

    package init() {}

    package var selected: AccountSummary? {
        visible.indices.contains(selection) ? all[visible[selection]] : nil
    }

    package var isFiltered: Bool { isEditingFilter || !filter.isEmpty }

    package mutating func select(row: Int) {
        selection = max(0, min(row, visible.count - 1))
    }

    /// Takes a newly read list; the selection stays on its account, or at its place when that is gone.
    package mutating func replace(with accounts: [AccountSummary]) {
        let wanted = selectWhenRead ?? selected?.identifier
        selectWhenRead = nil
        all = accounts
        phase = .read
        applyFilter(keeping: wanted)
    }

    package mutating func setFilter(_ text: String) {
        let wanted = selected?.identifier
        filter = text
        applyFilter(keeping: wanted)
    }

    private mutating func applyFilter(keeping identifier: String?) {
        visible = filter.isEmpty ? Array(all.indices) : all.indices.filter { all[$0].matches(filter) }
        let row = visible.firstIndex { all[$0].identifier == identifier }
        select(row: row ?? selection)
    }
}

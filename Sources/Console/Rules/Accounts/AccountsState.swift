import Foundation
import MSAL
import TerminalUI

/// The accounts last read from the cache, with filter, order and selection. Shared by all screens.
package struct AccountsState: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case unread, reading(EffectID), read, failed(Failure)
    }

    package var phase = Phase.unread
    var isReading: Bool { if case .reading = phase { true } else { false } }
    var isBusy: Bool { removing != nil || isReading || phase == .unread }
    package private(set) var all: [AccountSummary] = []
    /// The filtered and sorted indices of `all`, computed once per change.
    package private(set) var visible: [Int] = []
    /// The headings between visible rows; none for another order, or if all accounts are in one tenant.
    package private(set) var headings = AccountHeadings.none
    /// The selected visible row, or 0.
    package private(set) var selection = 0
    package private(set) var filter = ""
    /// The identifiers of the accounts that the user marked, to sign them out at once.
    private(set) var marked: Set<String> = []
    package private(set) var order = AccountOrder.place
    package var selectWhenRead: String?
    package var removing: Removal?
    package private(set) var hasGuests = false
    package private(set) var hasSignInExpiry = false
    package private(set) var knowsTokens = false
    /// The columns of the widest username and of the widest name.
    private(set) var (usernameWidth, nameWidth) = (0, 0)
    /// Whether each account needed the user when it was read. Rows don't move until the next time.
    private var needy: [Bool] = []
    private var lastExpiry: Date?
    private var texts = SearchTexts()
    private var places = AccountPlaces()
    private var ordered: [Int] = []

    package struct Removal: Sendable, Equatable {
        package var id: EffectID
        package var account: AccountSummary
        var revokes = false
        var rest: [AccountSummary] = []
        /// Those that are removed, and what became of their refresh tokens, each sentence once.
        var done: [AccountSummary] = []
        var revocations: [String] = []
        /// The slow request that it waits for, as a sentence.
        package var wait = ""

        var sentence: String { "Removing \(account.displayName)." + (wait.isEmpty ? "" : " \(wait)") }
    }

    package var selected: AccountSummary? { all[at: selectedIndex] }

    /// The marked accounts in the list. A filter can hide others.
    var markedHere: [AccountSummary] {
        marked.isEmpty ? [] : visible.map { all[$0] }.filter { marked.contains($0.identifier) }
    }

    var chosen: [AccountSummary] { markedHere.isEmpty ? [selected].compactMap(\.self) : markedHere }

    mutating func toggleMark() {
        guard let identifier = selected?.identifier else { return }
        if marked.remove(identifier) == nil { marked.insert(identifier) }
        select(row: selection + 1)
    }

    mutating func unmarkAll() -> Bool {
        defer { marked = [] }
        return !marked.isEmpty
    }

    private var selectedIndex: Int? { visible[at: selection] }

    package func counts(at now: Date?) -> Bool {
        guard let lastExpiry, let now else { return false }
        return lastExpiry > now
    }

    package mutating func select(row: Int) { selection = max(0, min(row, visible.count - 1)) }

    /// Replaces the accounts. The selection stays on its account, or on its row if the account is gone.
    /// - Parameter usual: the account to select at first; otherwise it's one that doesn't need the user.
    package mutating func replace(with accounts: [AccountSummary], at now: Date?, selecting usual: String?) {
        let wanted = selectWhenRead ?? selected?.identifier ?? usual
        let isFirst = all.isEmpty
        selectWhenRead = nil
        all = accounts
        marked.formIntersection(accounts.map(\.identifier))
        texts = SearchTexts(accounts)
        places = AccountPlaces(accounts)
        hasSignInExpiry = accounts.contains { $0.signInExpiry != nil }
        hasGuests = accounts.contains { account in account.tenantProfiles.contains { !$0.isHome } }
        knowsTokens = accounts.contains { $0.token != nil }
        lastExpiry = accounts.lazy.compactMap { $0.token?.expiry }.max()
        usernameWidth = accounts.lazy.map { DisplayWidth.of($0.displayName) }.max() ?? 0
        nameWidth = accounts.lazy.map { DisplayWidth.of($0.name ?? "") }.max() ?? 0
        needy = accounts.map { $0.needsSignIn(at: now) }
        phase = .read
        ordered = order.sorted(all, at: places, needy: needy)
        let found = wanted.flatMap { wanted in all.firstIndex { $0.identifier == wanted } }
        applyFilter(to: ordered, keeping: found ?? (isFirst ? ordered.first { !needy[$0] } : nil))
    }

    package mutating func setFilter(_ text: String) {
        let wanted = selectedIndex
        // A longer filter can only match accounts that already matched.
        let narrows = !filter.isEmpty && text.hasPrefix(filter)
        filter = text
        applyFilter(to: narrows ? visible : ordered, keeping: wanted)
        guard !text.isEmpty else { return }
        // Who is typed by the beginning of a name isn't the one who has the letters inside: "ann" isn't klara.hoffmann.
        let meant = texts.beginning(with: text, among: visible)
        if let first = meant.first ?? visible.first, wanted.map((meant.isEmpty ? visible : meant).contains) != true {
            select(row: visible.firstIndex(of: first) ?? 0)
        }
    }

    package mutating func setOrder(_ order: AccountOrder) {
        let wanted = selectedIndex
        self.order = order
        ordered = order.sorted(all, at: places, needy: needy)
        applyFilter(to: ordered, keeping: wanted)
    }

    private mutating func applyFilter(to indices: [Int], keeping wanted: Int?) {
        visible = texts.matches(of: filter, among: indices, orElse: ordered)
        headings = order == .place ? places.headings(of: visible) : .none
        select(row: wanted.flatMap { wanted in visible.firstIndex(of: wanted) } ?? selection)
    }
}

import TerminalUI

/// The account list, the program's first screen. The accounts themselves are in ``Context``.
struct AccountsScreen: ConsoleScreen {
    enum Layer: String, KeyLayer { case list = "Accounts", filter = "Filter" }

    var isEditingFilter = false

    var layer: Layer { isEditingFilter ? .filter : .list }
    var list: Layer { .list }

    func isFiltered(_ context: Context) -> Bool { isEditingFilter || !context.accounts.filter.isEmpty }

    private func view(_ context: Context) -> AccountsView {
        AccountsView(context: context, isFiltered: isFiltered(context), isEditingFilter: isEditingFilter)
    }

    func pace(_ context: Context) -> Pace { context.accounts.counts(at: context.now) ? .everyMinute : .still }

    func title(_ context: Context) -> String { Layer.list.rawValue }

    func place(_ context: Context) -> String {
        guard let selected = context.accounts.selected, !isEditingFilter else { return "" }
        let place = StatusPlace.text(context.accounts.selection, of: context.accounts.visible.count)
        let isRoomy = context.size.width >= Self.widthForNames && !view(context).showsDetails
        return isRoomy ? "\(selected.displayName)  \(place)" : place
    }

    /// The narrowest window that shows the selected name beside the key hints; the list shows it anyway.
    private static let widthForNames = 80

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        view(context).draw(on: &surface, in: rect)
    }

    func extent(_ context: Context) -> Extent? {
        let view = view(context)
        return Extent(
            position: context.accounts.selection, last: context.accounts.visible.count - 1, page: view.pageHeight,
            shown: view.shown)
    }

    func go(to position: Int, _ context: inout Context) { context.accounts.select(row: position) }

    /// A key that edits the filter.
    func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard isEditingFilter, let filter = context.accounts.filter.edited(by: key) else { return nil }
        context.accounts.setFilter(filter)
        return Reaction.none
    }

    func paste(_ text: String, _ context: inout Context) -> Reaction {
        if isEditingFilter { context.accounts.setFilter(context.accounts.filter + Printable.sanitize(text)) }
        return .none
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        isEditingFilter = false
        context.accounts.setFilter("")
        return true
    }

    /// The most recent flow of any screen.
    func inspectable(_ context: Context) -> FlowTrace? { context.traces.newest }
}

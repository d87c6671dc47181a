import Foundation
import TerminalUI

extension AccountsScreen {
    func isBusy(_ context: Context) -> Bool {
        if context.accounts.removing != nil { return true }
        if case .reading = context.accounts.phase { return true }
        return context.accounts.phase == .unread && context.profile != nil
    }

    func lines(_ context: Context) -> [String] {
        guard let profile = context.profile else { return [] }
        let title = "Accounts. Profile \(profile.name), \(profile.authority)."
        let state = context.accounts
        if case .failed(let report) = state.phase {
            return [title, "Can't read the accounts. \(report.reason) \(report.advice)"]
        }
        let count = state.visible.count
        let counted =
            state.all.isEmpty
            ? "No accounts yet."
            : isFiltered(context)
                ? "\(count) of \(state.all.count) accounts contain \"\(state.filter)\":"
                : count == 1 ? "1 account:" : "\(count) accounts:"
        return [title, counted] + rowLabels(context).map { "- \($0)" } + profile.hints
    }

    func rowLabels(_ context: Context) -> [String] {
        context.accounts.visible.map { Self.describe(context.accounts.all[$0], by: context.now) }
    }

    private static func describe(_ account: AccountSummary, by now: Date?) -> String {
        let guests = account.guestTenants.map { "guest in \($0)" }
        let parts = [
            account.name, account.username, account.tenant.map { "tenant \($0)" }, account.environment,
            account.token.map { "token: \($0.sentence(by: now))" },
            account.isFromOtherApplication ? "from another app" : nil,
        ]
        return (parts.compactMap(\.self) + guests).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    func question(_ context: Context) -> LineQuestion? {
        isEditingFilter ? LineQuestion(prompt: Layer.filter.rawValue) : nil
    }

    mutating func answer(_ text: String, _ context: inout Context) -> Reaction {
        guard !text.isEmpty else { return .move(.back) }
        context.accounts.setFilter(Printable.sanitize(text))
        isEditingFilter = false
        return .none
    }
}

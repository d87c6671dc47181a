import MSAL
import TerminalUI

extension Destination {
    static func agreements(of account: AccountSummary) -> Destination { Destination(AgreementsState(account: account)) }
}

/// The servers that the user allowed an account's tokens, to take that back.
struct AgreementsState: ViewedScreen {
    static var howToOpen: String { "Press \(Verb.allowed.label) in the list of accounts." }
    enum Layer: String, KeyLayer { case all = "Allowed tokens" }

    let account: AccountSummary
    var pane = ListPane()

    private static let columns = [
        TableColumn("SERVER", minimum: 16, ideal: 40, priority: 0, grows: true),
        TableColumn("SCOPES", minimum: 12, ideal: 30, priority: 1),
        TableColumn("AUTHORITY", minimum: 16, ideal: 30, priority: 2),
    ]

    func title(_ context: Context) -> String { "\(Layer.all.rawValue) of \(account.displayName)" }

    func rows(_ context: Context) -> [MSALTokenAgreement] {
        context.accounts.all.first { $0.identifier == account.identifier }?.agreements ?? []
    }

    func isBusy(_ context: Context) -> Bool { context.accounts.isReading }
    func place(_ context: Context) -> String { pane.place(of: rows(context).count) }

    func view(_ context: Context) -> Table {
        let rows = rows(context)
        return pane.table(Self.columns, count: rows.count, emptyText: Self.nothing) { index in
            [
                Span(rows[index].url.absoluteString),
                Span(rows[index].scopes.isEmpty ? context.glyphs.dash : rows[index].scopes.joined(separator: " ")),
                Span(rows[index].authority.absoluteString, .muted),
            ]
        }
    }

    static let nothing = "Every server that asks for a token needs your yes first."

    static let commands: [Command] =
        [
            Command(
                "takeBack", .verb(.remove), "Take it back: the server gets no more tokens without your yes.",
                hint: "take back", inLines: .row, if: { Availability($0.selected($1) != nil, else: nothing) }
            ) { state, context in state.selected(context).map { .start(context.takeBack($0)) } ?? .none }
        ] + moving() + finding() + leaving("Close this view.")

    func lines(_ context: Context) -> [String] {
        rows(context).isEmpty ? [Self.nothing] : ["\(title(context)):"] + rowLines(context)
    }

    func label(_ agreement: MSALTokenAgreement, _ context: Context) -> String {
        "\(agreement.url.absoluteString): \(agreement.demand)"
    }
}

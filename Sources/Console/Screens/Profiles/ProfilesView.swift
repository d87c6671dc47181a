import TerminalUI

/// The profile list, marking the one in use and the default.
struct ProfilesView {
    private static let columns = [
        TableColumn("NAME", minimum: 12, ideal: 18, priority: 0),
        TableColumn("", minimum: 7, ideal: 15, priority: 1),
        TableColumn("AUTHORITY", minimum: 20, ideal: 44, priority: 2, grows: true),
        TableColumn("CLIENT ID", minimum: 16, ideal: 36, priority: 3),
    ]

    let state: ProfilesState
    let context: Context

    private func areas(in body: Rect) -> (list: Rect, note: Rect) {
        let note = noteLines(body.width - 2)
        let (list, bottom) = body.splitBottom(min(note.count, max(0, body.height - 3)))
        return (list, bottom)
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body).list.height - 1) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        table.draw(on: &surface, in: areas.list)
        ScrollingText(noteLines(body.width - 2)).draw(on: &surface, in: areas.note)
        if state.entries.isEmpty { surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false) }
    }

    private var table: Table {
        Table(
            columns: Self.columns, count: state.entries.count, selected: state.selection,
            previousOffset: context.listTop, emptyText: emptyText
        ) { row in
            let entry = state.entries[row]
            return [
                Span(entry.name), Span(marks(of: entry), .accent), Span(entry.draft.authority, .muted),
                Span(entry.draft.clientID, .muted),
            ]
        }
    }

    var shown: ShownList { ShownList(table, in: areas(in: context.frame.body).list) }

    func marks(of entry: ProfileEntry) -> String {
        [entry.name == context.profile?.name ? "in use" : nil, entry.isDefault ? "default" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }

    private var emptyText: String {
        if state.problem != nil { return "Can't read the profiles." }
        return state.isRead ? "No profiles yet. Press a to add one." : "Reading the configuration."
    }

    private func noteLines(_ width: Int) -> [StyledLine] {
        if let problem = state.problem {
            return [.empty] + StyledLine.problem(problem, width: width, glyphs: context.glyphs)
        }
        return [.empty] + StyledLine.wrap("File: \(context.configPath)", to: width, style: .muted)
    }
}

import TerminalUI
import Testing

@testable import Console

@Suite("Lists")
struct ListPaneTests {
    @Test("The selection stays among the rows", arguments: [(9, 3, 2), (-1, 3, 0), (1, 3, 1), (5, 0, 0)])
    func selects(row: Int, count: Int, selected: Int) {
        var pane = ListPane()
        pane.select(row: row, of: count)
        #expect(pane.selection == selected)
    }

    @Test("A filter is typed only while it's open, selects the first match, and is cleared once")
    func filters() {
        var pane = ListPane(selection: 3)
        let isIgnored = !pane.type(.character("a"))
        pane.paste("b")
        #expect(isIgnored && pane == ListPane(selection: 3))
        pane.isFiltering = true
        let isTyped = pane.type(.character("a"))
        pane.paste("bc")
        #expect(isTyped && pane.selection == 0 && pane.place(of: 5) == "/abc")
        let isKeyOfList = !pane.type(.down)
        #expect(isKeyOfList)
        let isCleared = pane.clearFilter()
        #expect(isCleared && pane == ListPane())
        let isClearedAgain = pane.clearFilter()
        #expect(!isClearedAgain)
    }

    @Test("A list that is opened again isn't scrolled to where it was left")
    func reopened() throws {
        var entries = (1...60).map { number in
            var entry = profileEntries[0]
            entry.name = "profile-\(number)"
            return entry
        }
        entries[10].name = profile.name
        let first = try profiles(entries, in: listing([alice]))
        let scrolled = after(first, keys: .end)
        #expect(view(scrolled, standardSize).lines != view(first, standardSize).lines)
        let again = try profiles(entries, in: after(scrolled, keys: .escape))
        #expect(view(again, standardSize).lines == view(first, standardSize).lines)
    }

    /// The list of profiles, opened with its key.
    private func profiles(_ entries: [ProfileEntry], in model: Model) throws -> Model {
        let opened = after(model, keys: .character("P"))
        let id = try #require(opened.newest(ProfilesState.self)?.running)
        return after(opened, .result(id, .profiles(.listed(.success(entries)))))
    }
}

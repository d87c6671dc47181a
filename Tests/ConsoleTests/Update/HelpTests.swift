import TerminalUI
import Testing

@testable import Console

@Suite("Update: the help")
struct HelpTests {
    private func rows(_ model: Model) throws -> [HelpState.Row] {
        let help = after(model, keys: .character("?"))
        return try #require(help.overlay?.as(HelpState.self)).rows(help.context)
    }

    @Test("What can be used now comes first, in every state")
    func order() throws {
        for state in screenStates
        where state.model.screens[state.model.top].base.entry("help", state.model.context) != nil {
            var model = state.model
            model = after(model, keys: .function(1))
            guard let help = model.overlay?.as(HelpState.self) else { continue }
            let obstacles = help.rows(model.context).map { $0.obstacle == nil }
            #expect(obstacles == obstacles.sorted { $0 && !$1 }, "\(state.name)")
        }
    }

    @Test("Enter runs the selected command; for one that can't be used, it says why")
    func running() throws {
        let list = listing([alice])
        let place = try #require(try rows(list).firstIndex { $0.command == "profiles" })
        let help = after(list, keys: .character("?"))
        let moved = (0..<place).reduce(help) { model, _ in after(model, keys: .down) }
        #expect(after(moved, keys: .enter).focus == .profiles)
        let last = after(help, keys: .end, .enter)
        #expect(last.overlay?.as(HelpState.self) != nil)
        #expect(last.notice != nil)
    }

    @Test("The keys of tabs are one row")
    func digits() throws {
        let tabs = try rows(showingClaims()).filter { $0.keys.hasPrefix("1") }
        #expect(tabs.map(\.keys) == ["1-2"])
        #expect(tabs.first?.command == nil)
    }
}

import TerminalUI
import Testing

@testable import Console

@Suite("Own keys")
struct OwnKeysTests {
    private func keys(_ own: [(name: String, label: String)]) -> OwnKeys {
        var keys = OwnKeys()
        let mistakes = own.compactMap { keys.add($0.label, for: $0.name)?.problem }
        #expect(mistakes.isEmpty)
        return keys
    }

    private func model() -> Model {
        var model = listing([alice, bob])
        model.context.profile?.keys = keys([("remove", "#"), ("search", "Ctrl-K"), ("help", "F2")])
        return model
    }

    @Test("An own key does what the letter does, which still works. The status line, the actions and the help show it")
    func use() throws {
        for key in ["#", "D"] as [Key] {
            #expect(after(model(), keys: key).overlay?.as(RemovalQuestion.self) != nil, "\(key)")
        }
        let text = view(model(), standardSize).text
        #expect(["# sign out", "Ctrl-K filter", "F2 help"].allSatisfy(text.contains))
        let help = after(model(), keys: .function(2))
        let rows = try #require(help.overlay?.as(HelpState.self)).rows(help.context)
        #expect(rows.contains { $0.keys == "# D" && $0.command == "remove" })
    }

    @Test("In a field, an own key is a letter")
    func typing() {
        let filter = after(model(), keys: .control("k"), "#")
        #expect(filter.context.accounts.filter == "#" && filter.overlay == nil)
    }

    @Test(
        "What can't be a key",
        arguments: [
            ("remov", "#", "unknown command"), ("remove", "", "invalid key \"\""), ("remove", "Ctrl-C", "invalid key"),
            ("remove", "Enter", "invalid key"), ("remove", "ß", "invalid key"), ("remove", "ab", "invalid key"),
            ("remove", "x", "is the key of "), ("remove", "j", "is the key of "), ("remove", "F1", "is the key of "),
            ("remove", "#", "\"#\" is the key of copy, too"), ("remove", "1", "is the key of "),
        ])
    func mistakes(name: String, label: String, problem: String) throws {
        var keys = keys([("copy", "#")])
        let before = keys
        let added = keys.add(label, for: name)
        let mistake = try #require(added)
        #expect(mistake.problem.contains(problem) && !mistake.remedy.isEmpty)
        #expect(keys == before)
    }
}

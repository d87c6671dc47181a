import TerminalUI
import Testing

@testable import Console

@Suite("Own keys")
struct OwnKeysTests {
    private func keys(_ own: [(name: String, label: String)]) throws(OwnMistake) -> OwnSettings {
        var keys = OwnSettings()
        for (name, label) in own { try keys.add(label, for: name) }
        return keys
    }

    private func model() throws -> Model {
        var model = listing([alice, bob])
        model.context.profile?.own = try keys([("remove", "#"), ("search", "Ctrl-K"), ("help", "F2")])
        return model
    }

    @Test("An own key does what the letter does, which still works. The status line, the actions and the help show it")
    func use() throws {
        for key in ["#", "D"] as [Key] {
            #expect(after(try model(), keys: key).overlay?.as(RemovalQuestion.self) != nil, "\(key)")
        }
        let text = view(try model(), standardSize).text
        #expect(["# sign out", "Ctrl-K filter", "F2 help"].allSatisfy(text.contains))
        let help = after(try model(), keys: .function(2))
        let rows = try #require(help.overlay?.as(HelpState.self)).rows(help.context)
        #expect(rows.contains { $0.keys == "# D" && $0.command == "remove" })
    }

    @Test("In a field, an own key is a letter")
    func typing() throws {
        let filter = after(try model(), keys: .control("k"), "#")
        #expect(filter.context.accounts.filter == "#" && filter.overlay == nil)
    }

    @Test(
        "What can't be a key",
        arguments: [
            ("remov", "#", "unknown command"), ("remove", "", "invalid key \"\""), ("remove", "Ctrl-C", "invalid key"),
            ("remove", "Enter", "invalid key"), ("remove", "ß", "invalid key"), ("remove", "ab", "invalid key"),
            ("remove", "x", "is the key of "), ("remove", "j", "is the key of "), ("remove", "F1", "is the key of "),
            ("remove", "#", "\"#\" is the key of copy, too"), ("remove", "1", "is the key of "),
            ("remove", "c", "\"c\" is the key of copy, too"),
        ])
    func mistakes(name: String, label: String, problem: String) throws {
        var keys = try keys([("copy", "#")])
        let before = keys
        let mistake = #expect(throws: OwnMistake.self) { try keys.add(label, for: name) }
        #expect(mistake?.problem.contains(problem) == true && mistake?.remedy.isEmpty == false)
        #expect(keys == before)
    }

    @Test("The colours of the configuration are used with its profile, and are gone with it")
    func colors() throws {
        var own = OwnSettings()
        try own.colors.add("bold blue", for: "key")
        var colored = profile
        colored.own = own
        var model = Model(colored, options: ProgramOptions(), size: standardSize)
        #expect(update(&model, .started).first == .display(model.context.options.display, isSaved: false))
        #expect(model.context.options.display.colors == own.colors)
        #expect(model.context.begin(with: profile).first == .display(ScreenDisplay(), isSaved: false))
        #expect(model.context.begin(with: profile).count == 1)
    }

    @Test("An own command runs with the selected account. The list, the help and the palette name it")
    func command() throws {
        var model = after(withOwnCommand, keys: .down)
        #expect(view(model, standardSize).text.contains("Ctrl-K Pods"))
        let work = Work.runCommand(
            try #require(model.context.own.commands.first), account: bob.username, profile: profile.name)
        let help = after(model, keys: "?")
        #expect(try #require(help.overlay?.as(HelpState.self)).rows(help.context).contains { $0.keys == "Ctrl-K" })
        #expect(after(model, keys: ":", "p", "o", "d", "s", .enter).layer == "Your command")
        #expect(after(after(model, keys: "/"), keys: .control("k")).layer == "Filter")
        #expect(update(&model, .input(.key(.control("k")))) == [.work(EffectID(2), work)])
    }

    @Test("Esc ends a command that hangs, and its late output is dropped")
    func hanging() {
        var model = runningOwnCommand
        #expect(model.pace != .still)
        #expect(update(&model, .input(.key(.escape))) == [.cancel(EffectID(2))])
        #expect(model.focus == .accounts && model.notice?.text == "Cancelled.")
        #expect(after(model, .result(EffectID(2), .ran(.failure(networkReport)))).focus == .accounts)
    }

    @Test("Two commands can't have one key")
    func commandKeys() throws {
        var own = try keys([("copy", "#")])
        try own.add(command: "One", key: "F6", ["true"])
        for (label, owner) in [("#", "copy"), ("F6", "One"), ("x", "export"), ("F1", "help")] {
            let mistake = #expect(throws: OwnMistake.self) { try own.add(command: "Two", key: label, ["true"]) }
            #expect(mistake?.problem.contains("\"\(label)\" is the key of ") == true, "\(owner)")
        }
        #expect(throws: OwnMistake.self) { try own.add("F6", for: "remove") }
    }
}

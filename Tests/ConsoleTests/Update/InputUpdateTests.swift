import TerminalUI
import Testing

@testable import Console

@Suite("Update: keys with the same meaning everywhere")
struct InputUpdateTests {
    static let models: [(String, Model)] = [
        ("accounts", listing([alice])), ("claims", showingClaims()), ("failure", showingFailure(networkReport)),
        ("problem", Model(.problem(problem, configPath: "/c"), options: ProgramOptions(), size: standardSize)),
    ]

    @Test("Escape never ends the program", arguments: models)
    func escape(name: String, model: Model) {
        let left = after(model, keys: .escape, .escape, .escape)
        #expect(!left.isFinished)
        #expect(left.routes == [])
    }

    @Test("Ctrl-C ends the program when it is idle", arguments: models)
    func interrupt(name: String, model: Model) {
        #expect(after(model, keys: .control("c")).isFinished)
        #expect(after(model, .input(.interrupt)).isFinished)
    }

    @Test func closingTheRootEndsTheProgramAndClosingAViewDoesNot() {
        #expect(after(listing([alice]), keys: .character("q")).isFinished)
        let model = after(showingClaims(), keys: .character("q"))
        #expect(!model.isFinished)
        #expect(model.focus == .accounts)
    }

    @Test("Ending the program cancels its activities", arguments: [Message.inputEnded, .input(.terminate)])
    func ending(message: Message) {
        var model = after(listing([alice]), keys: .character("r"), .character("i"))
        #expect(update(&model, message) == [.cancel(EffectID(3)), .cancel(EffectID(2))])
        #expect(model.isFinished)
    }

    @Test("Help opens and closes", arguments: [Key.escape, .character("q"), .character("?"), .function(1)])
    func help(key: Key) {
        for (_, model) in Self.models {
            let helped = after(model, keys: .character("?"))
            #expect(helped.overlay == AnyScreen(HelpState()))
            #expect(after(helped, keys: key) == model)
        }
    }

    @Test func helpMovesNoFurtherThanItsEnd() throws {
        let small = listing([alice], size: Size(width: 40, height: 12))
        let model = after(small, keys: .character("?"), .end)
        let last = try #require(model.overlay?.as(HelpState.self)).selection
        #expect(last > 12)
        #expect(after(model, keys: .down, .pageDown).overlay?.as(HelpState.self)?.selection == last)
        #expect(after(model, keys: .home).overlay?.as(HelpState.self)?.selection == 0)
    }

    @Test func ctrlCCancelsAFlowUnderTheHelp() {
        var model = after(listing([alice]), keys: .character("i"), .character("?"))
        #expect(update(&model, .input(.key(.control("c")))) == [.cancel(EffectID(2))])
        #expect(model.routes == [] && model.overlay == nil && !model.isFinished)
    }

    @Test func anUnknownKeyNamesTheHelpKey() {
        let model = after(listing([alice]), keys: .character("z"))
        #expect(model.notice == Notice(.quiet, "z (show the QR code alone) has no effect here. Press ? for help."))
        #expect(after(model, keys: .down).notice == nil)
    }

    @Test(
        "A letter of another layout is the key at its place",
        arguments: [("ш", "i"), ("ф", "a"), ("Ж", ":"), ("В", "D"), ("ι", "i"), ("Δ", "D")] as [(Key, Key)])
    func layouts(letter: Key, place: Key) {
        var (one, other) = (listing([alice]), listing([alice]))
        #expect(update(&one, .input(.key(letter))) == update(&other, .input(.key(place))))
        #expect(one == other)
        #expect(one != listing([alice]))
    }

    @Test("In a field, a letter of another layout is itself")
    func layoutInAField() {
        let model = after(listing([alice]), keys: .character("/"), .character("ш"))
        #expect(model.context.accounts.filter == "ш")
    }

    @Test(arguments: ["I", "Ш"] as [Key])
    func capsLockIsSuspected(key: Key) {
        let model = after(listing([alice]), keys: key)
        #expect(model.notice?.text == "\(KeyLabel.text(key)) has no effect here, unlike i. Is Caps Lock on?")
    }

    @Test(
        "A paste without a field says what it is, and e explains it",
        arguments: [
            (#"{"log":{"version":"1.2","entries":[{"request":{}},{"request":{}}]}}"#, "A HAR of 2 requests"),
            (#"{"log":{"entries":[{"a":"\"request\""}]}}"#, "A HAR of 1 request"),
            ("eyJhbGciOiJub25lIn0.e30.", "A token"),
            ("https://localhost/?code=1", "A URL"), ("one\ntwo\n", "A text of 2 lines"),
            ("AADSTS50011", "A text of 11 characters"),
        ])
    func pasteWithoutAField(text: String, name: String) {
        var model = after(listing([alice]), .input(.paste(text)))
        #expect(model.notice?.text == "\(name): e explains it.")
        #expect(model.routes == [])
        #expect(
            update(&model, .input(.key("e"))) == [.work(EffectID(2), .explain(text, model.profile, isOffline: false))])
        #expect(model.context.pasted == nil)
    }

    @Test func anotherKeyForgetsAPaste() {
        let model = after(after(listing([alice]), .input(.paste("AADSTS50011"))), keys: .down, .character("e"))
        #expect(model.overlay?.base is ExplainEntry)
        #expect(model.context.pasted == nil)
    }

    @Test func aPasteWhereNothingExplainsIsAnsweredToo() {
        let model = after(after(listing([alice]), keys: .character("D")), .input(.paste("https://a.example")))
        #expect(model.notice?.text == "No field takes a URL here.")
    }

    @Test func lowercaseDDoesNothing() {
        #expect(Layer.accounts.command(for: .character("d")) == nil)
    }

    @Test func aResizeChangesTheSizeOnly() {
        var model = showingClaims()
        var expected = model
        expected.context.size = Size(width: 41, height: 9)
        #expect(update(&model, .input(.resize(Size(width: 41, height: 9)))) == [])
        #expect(model == expected)
    }

    @Test func pastingOutsideAFieldChangesNothingElse() {
        let pasted = after(listing([alice, bob]), .input(.paste("qqq")))
        #expect(after(pasted, keys: .down) == after(listing([alice, bob]), keys: .down))
    }

    @Test("In a window that is too small, keys only quit, also in a field")
    func tooSmall() {
        let tiny = Message.input(.resize(Size(width: 39, height: 8)))
        for model in [
            listing([alice]), after(listing([alice]), keys: .character("a")), after(listing([alice]), keys: "D"),
        ] {
            let small = after(model, tiny)
            let pressed = after(
                after(small, keys: .character("y"), .enter, .escape, .character("i"), .backspace),
                .input(.paste("x")), .input(.keys(["y", .enter])))
            #expect(pressed == small)
            #expect(view(small, small.size).lines.joined(separator: " ").contains("press q to quit."))
            for key in [Key.character("q"), .control("c")] { #expect(after(small, keys: key).isFinished) }
            #expect(after(small, .input(.keys(["x", "q"]))).isFinished)
        }
    }

    private func typing(_ text: String) -> Message {
        .input(.keys(text.map { $0 == "\n" ? .enter : .character($0) }))
    }

    @Test(
        "A text that comes as keys where no field takes it is a paste: no letter of it is a command",
        arguments: ["Dear Ann, yes, you may.\n", "eyJhbGciOi", "quit and Delete"])
    func unbracketedPaste(text: String) {
        let model = after(listing([alice]), typing(text))
        #expect(model.notice?.text.hasSuffix(": e explains it.") == true)
        #expect(after(model, keys: .down) == after(listing([alice]), keys: .down))
        let asked = after(listing([alice]), keys: "D")
        #expect(after(asked, typing(text)).overlay == asked.overlay)
    }

    @Test("Keys typed ahead, a held key, and text for a field or a search stay keys")
    func typedAhead() {
        #expect(after(listing([alice]), .input(.keys(["i", .escape, "H"]))).focus == .flows)
        let many = listing(manyAccounts(20))
        #expect(after(many, typing("jjjjjjjjjj")).accounts.selection == 10)
        #expect(after(listing([alice]), typing("/alice@cont\n")).accounts.filter == "alice@cont")
        #expect(after(listing([alice]), typing(":explain an")).focus == .palette)
        let form = answering(
            pressing(.enter, in: unconfigured()), .input(.keys([.tab] + "contoso-id".map(Key.character))))
        #expect(form.newest(SetUpState.self)?.fields[.clientID]?.text == "contoso-id")
        let entry = after(after(listing([alice]), keys: "e"), typing("AADSTS50011 qy"))
        #expect(entry.overlay?.as(ExplainEntry.self)?.field.text == "AADSTS50011 qy")
    }

    @Test("A key typed before a question was visible doesn't answer it")
    func queuedAnswer() {
        var model = listing([alice])
        #expect(update(&model, .input(.keys(["D", "y"]))).isEmpty)
        #expect(model.overlay?.base is RemovalQuestion)
        #expect(model.notice?.text == "Ignored what was typed before this question.")
        #expect(update(&model, .input(.keys(["l", .enter]))).count == 1)
    }

    @Test("A question that opens by itself is answered by no key of before, and by y once the screen has dropped those")
    func unaskedQuestion() throws {
        let asleep = asking(isAwake: false)
        #expect(asleep.overlay?.base is AgreementQuestion)
        for keys in [["y"], [.tab, .enter], ["l", .enter]] as [[Key]] {
            for event in [InputEvent.keys(keys)] + keys.map(InputEvent.key) {
                var model = asleep
                #expect(update(&model, .input(event)).isEmpty)
                #expect(model.overlay == asleep.overlay)
                #expect(model.notice?.text == "Ignored what was typed before this question.")
            }
        }
        var calling = after(asleep, .input(.key("y")), .input(.forgotten))
        #expect(update(&calling, .input(.key(.enter))).isEmpty && calling.overlay == nil)
        var awake = asking()
        let effects = update(&awake, .input(.key("y")))
        guard case .work(_, .performStep(let step, _)) = try #require(effects.first),
            case .call(let target, _) = step.action
        else {
            Issue.record("no call")
            return
        }
        #expect(target.agreement == agreement && target.address == "https://api.contoso.example/admin")
    }

    @Test("D takes back the selected agreement, and reads the accounts again")
    func takingBack() {
        var model = after(listing([allowing(agreements)]), keys: "T", .down)
        #expect(update(&model, .input(.key("D"))) == [.work(EffectID(2), .takeBack(agreements[1]))])
        model = after(model, .result(EffectID(2), .accounts(.success([allowing([agreement])]))))
        #expect(update(&model, .input(.key("D"))) == [.work(EffectID(3), .takeBack(agreement))])
        let wide = Size(width: 120, height: 40)
        #expect(view(listing([allowing([agreement])], size: wide), wide).text.contains("Allowed"))
        #expect(after(listing([alice]), keys: "T").notice?.text == "You allowed no server tokens of this account.")
    }

    @Test("A server can't hide its question's end, and none is answered by a pipe")
    func wholeQuestion() {
        let scopes = (1...200).map { "api://keyturn-files/Files.Read.\($0)" }
        for size in [Size(width: 80, height: 24), Size(width: 120, height: 40)] {
            var model = asking(demand(of: "https://mcp.example/mcp", scopes))
            model = after(model, .input(.resize(size)))
            #expect(update(&model, .input(.key("y"))).isEmpty)
            #expect(model.notice?.text == "Read it to the end first: press Down, or enlarge the window.")
            for _ in 0..<20 { model = after(model, keys: .down) }
            #expect(!update(&model, .input(.key("y"))).isEmpty, "It was read to its end.")
        }
        var piped = asking()
        piped.options.hasTypedInput = false
        #expect(update(&piped, .command("confirm")).isEmpty)
        #expect(piped.notice?.text == "Only a user at a terminal can allow it.")
    }

    @Test("Ctrl-C closes a dialog with a field, or asks before typed text is lost; a second one quits")
    func interruptedTyping() {
        for model in [
            after(listing([alice]), keys: "e", "x"), after(listing([alice]), keys: "t", "x"),
            after(listing([alice]), keys: "a", "x"),
        ] {
            let closed = after(model, keys: .control("c"))
            #expect(closed.focus == .accounts && !closed.isFinished)
            #expect(after(closed, keys: .control("c")).isFinished)
        }
        #expect(after(listing([alice]), keys: "?", .control("c")).isFinished)
        let form = pressing(.enter, in: unconfigured())
        #expect(after(form, keys: .control("c")).isFinished)
        let asked = after(typingInto(form), keys: .control("c"))
        #expect(asked.focus == .discardDialog)
        #expect(after(asked, keys: .control("c")).isFinished)
    }

    private func typingInto(_ form: Model) -> Model { answering(form, .input(.paste("contoso.com"))) }
}

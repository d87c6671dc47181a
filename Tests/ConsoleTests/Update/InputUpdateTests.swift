import TerminalUI
import Testing

@testable import Console

@Suite("Update: keys with the same meaning everywhere")
struct InputUpdateTests {
    static let models: [(String, Model)] = [
        ("accounts", listing([alice])), ("claims", showingClaims()), ("failure", showingFailure(networkReport)),
        ("problem", Model(root: .problem(problem, configPath: "/c"), options: ProgramOptions(), size: standardSize)),
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

    @Test("Help opens and closes", arguments: [Key.escape, .character("q"), .character("?"), .enter, .function(1)])
    func help(key: Key) {
        for (_, model) in Self.models {
            let helped = after(model, keys: .character("?"))
            #expect(helped.overlay == AnyScreen(HelpState()))
            #expect(after(helped, keys: key) == model)
        }
    }

    @Test func helpScrollsNoFurtherThanItsEnd() {
        let small = listing([alice], size: Size(width: 40, height: 12))
        let model = after(small, keys: .character("?"), .end)
        guard let top = model.overlay?.as(HelpState.self)?.top else {
            Issue.record("The help is not open.")
            return
        }
        #expect(top > 0)
        #expect(after(model, keys: .down, .pageDown) == model)
        #expect(after(model, keys: .home).overlay == AnyScreen(HelpState()))
    }

    @Test func ctrlCCancelsAFlowUnderTheHelp() {
        var model = after(listing([alice]), keys: .character("i"), .character("?"))
        #expect(update(&model, .input(.key(.control("c")))) == [.cancel(EffectID(2))])
        #expect(model.routes == [] && model.overlay == nil && !model.isFinished)
    }

    @Test func anUnknownKeyNamesTheHelpKey() {
        let model = after(listing([alice]), keys: .character("z"))
        #expect(model.notice == Notice(.quiet, "z has no effect here. Press ? for help."))
        #expect(after(model, keys: .down).notice == nil)
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

    @Test func pastingOutsideAFieldDoesNothing() {
        let model = listing([alice])
        #expect(after(model, .input(.paste("qqq"))) == model)
    }

    @Test func keysWorkWhenTheWindowIsTooSmall() {
        #expect(after(listing([alice], size: Size(width: 3, height: 1)), keys: .character("i")).focus == .signIn)
    }
}

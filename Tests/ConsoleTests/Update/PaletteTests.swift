import TerminalUI
import Testing

@testable import Console

@Suite("The command palette")
struct PaletteTests {
    private func opened(_ model: Model = listing([alice, bob]), typing text: String = "") -> Model {
        text.reduce(after(model, keys: .character(":"))) { after($0, keys: .character($1)) }
    }

    @Test func typedTextFindsAndRunsACommand() {
        var model = opened(typing: "sign in code")
        #expect(
            update(&model, .input(.key(.enter))) == [
                .work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"], method: .device)))
            ])
        #expect(model.overlay == nil)
    }

    @Test("The cursor is in the field while the user types, and on the selection once it is moved")
    func cursor() throws {
        let typed = opened(typing: "s")
        let field = try #require(view(typed, standardSize).cursor)
        #expect(field.isVisible)
        let moved = try #require(view(after(typed, keys: .down), standardSize).cursor)
        #expect(!moved.isVisible && moved.position.y == field.position.y + 2)
        let back = try #require(view(after(typed, keys: .down, .up), standardSize).cursor)
        #expect(!back.isVisible && back.position.y == field.position.y + 1)
        #expect(view(after(typed, keys: .down, .character("i")), standardSize).cursor?.position.y == field.position.y)
        #expect(view(after(opened(typing: "zzzz"), keys: .down), standardSize).cursor?.isVisible == true)
    }

    @Test("The same in the filter of the accounts")
    func filterCursor() throws {
        let typed = after(listing([alice, bob]), keys: .character("/"), .character("o"))
        #expect(view(typed, standardSize).cursor?.isVisible == true)
        let moved = view(after(typed, keys: .down), standardSize)
        let cursor = try #require(moved.cursor)
        #expect(!cursor.isVisible && moved.lines[cursor.position.y].contains("bob"))
        #expect(view(after(typed, keys: .down, .character("b")), standardSize).cursor?.isVisible == true)
    }

    @Test("On an empty list, the cursor is on its text")
    func emptyList() throws {
        let surface = view(listing([]), standardSize)
        let row = try #require(surface.cursor?.position.y)
        #expect(surface.lines[row].contains("No accounts yet."))
    }

    @Test(
        "Other words for a command find it",
        arguments: [
            ("logout", "remove"), ("login", "signIn"), ("trace", "inspect"), ("refresh", "renew"),
            ("refresh", "reload"),
            ("theme", "theme"), ("color", "theme"), ("mouse", "mouse"),
        ])
    func synonyms(word: String, name: String) {
        let found = (opened(typing: word).overlay?.base as? PaletteState)?.rows(opened().context).map(
            \.entry.info.name.text)
        #expect(found?.contains(name) == true, "\(found ?? [])")
    }

    @Test("The command that is called what was typed is first", arguments: [("quit", "Quit."), ("sort", "Sort by")])
    func names(typed: String, sentence: String) throws {
        let model = opened(typing: typed)
        let palette = try #require(model.overlay?.base as? PaletteState)
        #expect(palette.rows(model.context).first?.entry.info.sentence.hasPrefix(sentence) == true)
    }

    @Test func qrFindsThePicture() throws {
        let waiting = after(
            after(listing([alice]), keys: .character("m")), .progress(EffectID(2), .deviceCode(shownCode)))
        let palette = try #require(opened(waiting, typing: "qr").overlay?.base as? PaletteState)
        #expect(palette.rows(opened(waiting).context).first?.entry.info.name == "picture")
    }

    @Test func theThemeAndTheMouseChangeAtOnceAndAreKept() {
        var model = listing([alice])
        #expect(
            update(&model, .input(.key(.alt("t")))) == [.display(ScreenDisplay(theme: .mono), isSaved: true)])
        #expect(
            update(&model, .input(.key(.alt("m"))))
                == [.display(ScreenDisplay(theme: .mono, usesMouse: true), isSaved: true)])
        var demo = listing([alice], demoProfile)
        #expect(update(&demo, .input(.key(.alt("m")))) == [.display(ScreenDisplay(usesMouse: true), isSaved: false)])
        model.context.options.noColor = true
        #expect(update(&model, .input(.key(.alt("t")))) == [])
    }

    @Test func anUnavailableCommandSaysWhyAndStays() {
        let model = after(opened(listing([]), typing: "remove"), keys: .enter)
        #expect(model.notice?.text.isEmpty == false)
        #expect(model.focus == .palette)
        #expect(view(opened(listing([]), typing: "remove"), standardSize).text.contains("Unavailable: "))
    }

    @Test("It opens wherever a question mark is a key", arguments: Layer.allCases)
    func everywhere(focus: Layer) {
        #expect(
            focus.commands.contains { $0.name == "palette" }
                == (focus.command(for: .character("?"))?.name == "help"))
    }

    @Test("A command of another screen is found, with its screen and the way there")
    func elsewhere() {
        let model = opened(typing: "stop comparing")
        let text = view(model, standardSize).text
        #expect(text.contains("Compare with another token") && text.contains("  Claims"), "\(text)")
        #expect(after(model, keys: .enter).notice?.text == "Open an account with Enter. Then press =.")
    }

    @Test func everyCommandOfTheScreenIsInIt() {
        let listed = PaletteState().rows(opened().context).filter { $0.place == nil }.map(\.entry.info)
        let expected = Layer.accounts.commands.filter { $0.group != .moving && $0.name != "palette" }
        #expect(listed == expected)
    }

    @Test func anEmptyResultIsReported() {
        let model = opened(typing: "zzz")
        #expect(view(model, standardSize).text.contains("No matching command."))
        #expect(after(model, keys: .enter).focus == .palette)
    }

    @Test func theArrowsChooseAndEscapeLeaves() {
        let model = opened()
        #expect(view(after(model, keys: .down, .up), standardSize).text == view(model, standardSize).text)
        #expect(after(model, keys: .escape) == listing([alice, bob]))
        #expect(after(after(model, keys: .down), keys: .character("s")).overlay != after(model, keys: .down).overlay)
    }

    @Test func pastedTextIsTyped() {
        #expect(after(opened(), .input(.paste("remove"))) == opened(typing: "remove"))
    }
}

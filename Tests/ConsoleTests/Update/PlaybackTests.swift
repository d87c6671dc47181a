import Diagnosis
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Console

@Suite("Update: playback of a step")
struct PlaybackTests {
    private func press(_ key: Key, _ model: inout Model) -> [Effect] { update(&model, .input(.key(key))) }

    /// The second step as it plays, with a few arrows shown.
    private var playingSecond: Model {
        var model = after(playing(), keys: .character("n"), .character("n"))
        let id = model.walk?.running ?? EffectID(0)
        for exchange in signInExchanges { model = after(model, .progress(id, .exchange(exchange))) }
        return ticked(after(model, .result(id, .acquired(.success(acquisition)))), 3)
    }

    @Test("Ctrl-C ends a playback, and quits only then")
    func interrupted() {
        var model = after(ticked(playing(), 3), keys: "l")
        #expect(model.context.isPlaying)
        #expect(press(.control("c"), &model) == [])
        #expect(!model.context.isPlaying && !model.isFinished)
        _ = press(.control("c"), &model)
        #expect(model.isFinished)
    }

    @Test(
        "Nothing tells the result of a step before its arrows", arguments: [standardSize, Size(width: 120, height: 40)])
    func suspense(size: Size) {
        let playing = ticked(playing(size: size), 3)
        for key: Key in [.character("1"), .character("4"), .enter, .character("f")] {
            let text = view(after(playing, keys: key), size).text
            #expect(!text.contains("Note:") && !text.contains("Press n for step 1"), "\(key)")
        }
        #expect(view(after(playing, keys: .character("n"), .character("4")), size).text.contains("Note:"))
    }

    @Test(
        "The playback waits while another view covers it",
        arguments: [Key.enter, .character("x"), .character("?"), .character(":"), .character("f"), .character("w")])
    func covered(key: Key) throws {
        let model = try #require(
            (1...20).lazy.map { ticked(playing(), $0) }.first { after($0, keys: .enter).inspector != nil })
        #expect(model.pace == .walking)
        let covered = after(model, keys: key)
        #expect(covered.pace == .still && covered.focus != model.focus)
        let uncovered = after(ticked(covered, 20), keys: .escape)
        #expect(uncovered.context.shownArrows == model.context.shownArrows)
        #expect(uncovered.pace == .walking)
    }

    @Test("A step that played when it was done doesn't play again after the next one is cancelled")
    func cancelledSuccessor() {
        let model = after(playing(), keys: .character("n"), .character("n"), .escape, .escape)
        #expect(!model.context.isPlaying)
        let glyphs = Glyphs.unicode
        let marks = "\(glyphs.check)\(glyphs.pointer)\(glyphs.pending)\(glyphs.pending)"
        let text = view(after(model, keys: "b", "f"), standardSize).text
        #expect(text.contains("\(marks) Press n for step 2 of 4: Get Alice's token silently"), "\(text)")
        #expect(after(model, keys: .character("b")).context.isPlaying == false)
    }

    @Test("Beside an earlier step, the newest one waits, and shows neither its result nor its keys")
    func earlierStep() throws {
        let newest = playingSecond
        let model = after(newest, keys: .character("b"))
        #expect(model.walk?.shown == 0 && model.context.isPlaying)
        let text = view(model, standardSize).text
        for hidden in ["show all", "play/pause"] { #expect(!text.contains(hidden), "\(text)") }
        let marks = try #require(text.split(separator: "\n").first { $0.contains("1/4") })
        #expect(!marks.contains(Glyphs.unicode.check), "\(text)")
        #expect(model.pace == .still)
        let wide = view(model, Size(width: 120, height: 40))
        let runs = (0..<40).flatMap { StyleRun.row($0, of: wide) }
        #expect(try #require(runs.first { $0.text.contains("2 Get") }, "\(wide.text)").style.role != .muted)
        let later = after(ticked(model, 9), keys: .character("n"))
        #expect(later.context.shownArrows == newest.context.shownArrows && !later.context.isPaused)
    }

    @Test("That a step still runs is said no longer than it runs")
    func runningNotice() throws {
        var model = walked(2)
        _ = press(.character("n"), &model)
        let id = try #require(model.walk?.running)
        model = after(model, keys: .character("F"))
        #expect(model.notice?.text == "The step is still running.")
        #expect(after(model, .result(id, .waited)).notice == nil)
    }

    @Test("A scenario is exported after a step without a request, too", arguments: 1...4)
    func export(steps: Int) {
        #expect(after(walked(steps), keys: .character("x")).layer == "Export")
    }

    @Test("Who signs in is said of the step that is shown, not of the next one")
    func actor() throws {
        let size = Size(width: 120, height: 40)
        let played = after(playing(size: size), keys: "n")
        #expect(view(after(played, keys: "u"), size).text.contains("WHAT THE USER SEES"))
        let own = after(waitingForBrowser, .input(.resize(size)))
        let signedIn = after(
            own, .result(EffectID(2), .acquired(.success(acquisition))),
            .result(EffectID(3), .accounts(.success([alice]))))
        let text = view(signedIn, size).text
        #expect(text.contains("YOUR BROWSER") && !text.contains("The user saw no page."))
    }

    @Test("While a sign-in has the whole window, no key changes hidden panes")
    func hiddenPanes() {
        for key in [Key.tab, .backTab, "1", "3", "J"] {
            let pressed = after(waitingForBrowser, keys: key)
            #expect(pressed.newest(WalkState.self) == waitingForBrowser.newest(WalkState.self))
        }
        #expect(!view(waitingForBrowser, standardSize).text.contains("Tab pane"))
    }

    @Test("A field that the page has filled shows its text before the user types")
    func prefilled() {
        let visit = PageVisit(
            date: testTime, title: "Sign in",
            fields: [
                PageVisit.Field(.text, label: "Username", value: "ann@contoso.example", isPrefilled: true),
                PageVisit.Field(.password, label: "Password", value: "••••"),
            ], buttons: ["Sign in"], pressed: "Sign in")
        func text(_ progress: Int) -> String {
            PageView(visit: visit, progress: progress, glyphs: .unicode).lines(40).map { $0.spans.map(\.text).joined() }
                .joined(separator: "\n")
        }
        #expect(text(0).contains("ann@contoso.example") && !text(0).contains("•"))
        #expect(text(2).contains("••••"))
        #expect(visit.action == "enter the password, press Sign in")
    }

    @Test("Without an arrow, there is no message to open")
    func noArrow() {
        let model = after(after(listing([], walkProfile), .started), keys: .enter)
        #expect(model.notice?.text == "No message is shown yet.")
    }

    @Test(
        "n does the next step on each screen above the scenario's line",
        arguments: [
            [Key.character("f")], [.enter], [.escape, .escape, .character("H")], [.escape, .escape, .character("v")],
        ])
    func nextStepElsewhere(keys: [Key]) {
        var model = after(playing(), keys: .character("n"))
        for key in keys { model = after(model, keys: key) }
        // The line is gone once the scenario was left.
        let isLeft = keys.first == .escape
        #expect(
            view(model, standardSize).text.contains("Press n for step 2 of 4: Get Alice's token silently") != isLeft)
        #expect(press(.character("n"), &model).count == 1)
        #expect(model.walk?.running != nil && model.newest(WalkState.self) != nil)
    }
}

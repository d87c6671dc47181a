import Diagnosis
import TerminalUI
import Testing

@testable import Console

@Suite("Update: checking the set-up")
struct CheckUpdateTests {
    private let running = after(listing([alice]), keys: .character("v"))

    private func state(_ model: Model) -> CheckState? {
        guard let state = model.newest(CheckState.self) else { return nil }
        return state
    }

    @Test func theKeyStartsIt() {
        var model = listing([alice])
        #expect(update(&model, .input(.key(.character("v")))) == [.check(EffectID(2), profile)])
        #expect(model.focus == .check)
        #expect(model.pace == .tenTimesASecond)
    }

    @Test func problemsAreSelectedFirst() {
        let model = after(running, .checked(EffectID(2), checkReport, at: testTime))
        #expect(state(model)?.rows[state(model)?.selection ?? 0].finding.verdict == .failed)
        #expect(view(model, standardSize).text.contains("✗ 1 check failed. 1 warning."))
        #expect(model.pace == .still)
    }

    @Test func aStaleResultChangesNothing() {
        #expect(after(running, .checked(EffectID(9), checkReport, at: testTime)) == running)
        let left = after(running, keys: .escape)
        #expect(after(left, .checked(EffectID(2), checkReport, at: testTime)) == left)
    }

    @Test func checkingAgainKeepsTheFindingsUntilItEnds() {
        var model = after(running, .checked(EffectID(2), checkReport, at: testTime))
        #expect(update(&model, .input(.key(.character("r")))) == [.check(EffectID(3), profile)])
        #expect(state(model)?.report == checkReport && state(model)?.running == EffectID(3))
        #expect(update(&model, .input(.key(.character("r")))) == [])
        model = after(model, .checked(EffectID(3), goodReport, at: testTime))
        #expect(state(model)?.report == goodReport && state(model)?.selection == 0)
    }

    @Test func leavingCancelsIt() {
        var model = running
        #expect(update(&model, .input(.key(.escape))) == [.cancel(EffectID(2))])
        #expect(model.focus == .accounts)
    }

    @Test func allFindingsCanBeCopied() throws {
        let model = after(running, .checked(EffectID(2), checkReport, at: testTime))
        let text = try #require(model.copyable?.text)
        for finding in checkReport.findings {
            #expect(text.contains(finding.fact) && text.contains(finding.fix ?? finding.fact))
        }
        #expect(running.copyable == nil)
    }

    @Test(
        "A support report is written where the user says: from the findings, during the check, and from an error",
        arguments: [
            ("running", EffectID(3)), ("checked", EffectID(3)), ("failed", EffectID(2)),
        ])
    func report(screen: String, id: EffectID) {
        let screens = [
            "running": running, "failed": showingFailure(networkReport),
            "checked": after(running, .checked(EffectID(2), checkReport, at: testTime)),
        ]
        var model = screens[screen] ?? listing([])
        let routes = model.routes
        model = after(model, keys: .character("x"))
        #expect(view(model, standardSize).text.contains("./keyturn-report.txt"))
        #expect(update(&model, .input(.key(.enter))) == [.export(id, .supportReport, replaces: false, profile)])
        #expect(view(model, standardSize).text.contains("Writing the support report."))
        model = after(
            model, .exported(id, .supportReport, .success(Exported(path: "./r.txt", isPathCopied: true))))
        #expect(model.routes == routes)
        #expect(model.notice?.text == "Wrote the support report to ./r.txt. The path is in the clipboard.")
    }

    @Test func itIsOfferedAfterAFailure() {
        var failed = showingFailure(networkReport)
        #expect(update(&failed, .input(.key(.character("v")))) == [.check(EffectID(2), profile)])
        #expect(after(failed, keys: .escape).focus == .failure)
    }
}

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
        #expect(update(&model, .input(.key(.character("v")))) == [.work(EffectID(2), .check(profile))])
        #expect(model.focus == .check)
        #expect(model.pace == .tenTimesASecond)
    }

    @Test func problemsAreSelectedFirst() {
        let model = after(running, .result(EffectID(2), .checked(checkReport)))
        #expect(state(model)?.rows[state(model)?.selection ?? 0].finding.verdict == .failed)
        #expect(view(model, standardSize).text.contains("✗ 1 check failed. 1 warning."))
        #expect(model.pace == .still)
    }

    @Test func aStaleResultChangesNothing() {
        #expect(after(running, .result(EffectID(9), .checked(checkReport))) == running)
        let left = after(running, keys: .escape)
        #expect(after(left, .result(EffectID(2), .checked(checkReport))) == left)
    }

    @Test func checkingAgainKeepsTheFindingsUntilItEnds() {
        var model = after(running, .result(EffectID(2), .checked(checkReport)))
        #expect(update(&model, .input(.key(.character("r")))) == [.work(EffectID(3), .check(profile))])
        #expect(state(model)?.report == checkReport && state(model)?.running == EffectID(3))
        #expect(update(&model, .input(.key(.character("r")))) == [])
        model = after(model, .result(EffectID(3), .checked(goodReport)))
        #expect(state(model)?.report == goodReport && state(model)?.selection == 0)
    }

    @Test func leavingCancelsIt() {
        var model = running
        #expect(update(&model, .input(.key(.escape))) == [.cancel(EffectID(2))])
        #expect(model.focus == .accounts)
    }

    @Test func allFindingsCanBeCopied() throws {
        let model = after(running, .result(EffectID(2), .checked(checkReport)))
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
            "checked": after(running, .result(EffectID(2), .checked(checkReport))),
        ]
        var model = screens[screen] ?? listing([])
        let routes = model.routes
        model = after(model, keys: .character("x"))
        #expect(view(model, standardSize).text.contains("./keyturn-report.txt"))
        #expect(update(&model, .input(.key(.enter))) == [.work(id, .export(.supportReport, replaces: false, profile))])
        #expect(view(model, standardSize).text.contains("Writing the support report."))
        model = after(
            model, .result(id, .exported(.supportReport, .success(Exported(path: "./r.txt", isPathCopied: true)))))
        #expect(model.routes == routes)
        #expect(model.notice?.text == "Wrote the support report to ./r.txt. The path is in the clipboard.")
    }

    @Test func itIsOfferedAfterAFailure() {
        var failed = showingFailure(networkReport)
        #expect(update(&failed, .input(.key(.character("v")))) == [.work(EffectID(2), .check(profile))])
        #expect(after(failed, keys: .escape).focus == .failure)
    }
}

import Diagnosis
import Testing

@Suite("A report of findings")
struct CheckReportTests {
    private func report(_ verdicts: [CheckFinding.Verdict]...) -> CheckReport {
        let areas = CheckReport.Area.allCases
        return CheckReport(
            zip(areas, verdicts).map { area, verdicts in
                .init(area, verdicts.map { CheckFinding("a", $0, "b.") })
            })
    }

    @Test func theFirstAreaWithAProblemDecides() {
        #expect(report([.good], [.attention, .wrong], [.wrong]).worstArea == .application)
        #expect(report([.good], [.attention], [.notChecked]).worstArea == nil)
    }

    @Test func theSummaryIsOneSentence() {
        #expect(report([.good]).summary == "All checks passed.")
        #expect(report([.notChecked, .attention]).summary == "No check failed. 1 warning.")
        #expect(report([.wrong]).summary == "1 check failed.")
        #expect(
            report([.wrong, .attention], [.wrong, .attention]).summary == "2 checks failed. 2 warnings.")
    }

    @Test func anAreaWithoutFindingsIsLeftOut() {
        #expect(report([], [.good]).sections.map(\.area) == [.application])
    }

    @Test func mistakesOfAConfigurationHaveTheirPlace() {
        let findings = ConfigurationFindings(
            path: "/c.json",
            .mistakes([
                .init(line: 3, key: "profiles.a.way", problem: "\"x\" is no way", remedy: "Write browser."),
                .init(line: nil, key: "", problem: "cannot be read", remedy: "Name another."),
            ])
        ).all
        #expect(
            findings == [
                CheckFinding(
                    "Configuration", .wrong, "/c.json, line 3: profiles.a.way: \"x\" is no way.", fix: "Write browser."),
                CheckFinding("Configuration", .wrong, "/c.json: cannot be read.", fix: "Name another."),
            ])
        #expect(ConfigurationFindings(path: "/c.json", .missing).all.map(\.verdict) == [.notChecked])
        #expect(ConfigurationFindings(path: "/c.json", .profile(name: "a")).all.map(\.verdict) == [.good])
    }
}

import Diagnosis
import Testing

@Suite("A report of findings")
struct CheckReportTests {
    private func report(_ verdicts: [CheckFinding.Verdict]...) -> CheckReport {
        let areas = [CheckReport.Area.configuration, .application, .authority]
        return CheckReport(
            zip(areas, verdicts).map { area, verdicts in
                .init(area, verdicts.map { CheckFinding("a", $0, "b.") })
            })
    }

    @Test func theFirstAreaWithAProblemDecides() {
        #expect(report([.passed], [.warning, .failed], [.failed]).worst?.area == .application)
        #expect(report([.passed], [.warning], [.skipped]).worst == nil)
    }

    @Test func failuresComeFirst() {
        let sections = report([.passed, .warning], [.skipped], [.passed, .failed, .warning]).sections
        #expect(sections.map(\.area) == [.authority, .configuration, .application])
        #expect(sections[0].findings.map(\.verdict) == [.failed, .warning, .passed])
    }

    @Test func theSummaryIsOneSentence() {
        #expect(report([.passed]).summary == "All checks passed.")
        #expect(report([.skipped, .warning]).summary == "No check failed. 1 warning.")
        #expect(report([.failed]).summary == "1 check failed.")
        #expect(
            report([.failed, .warning], [.failed, .warning]).summary == "2 checks failed. 2 warnings.")
    }

    @Test func anAreaWithoutFindingsIsLeftOut() {
        #expect(report([], [.passed]).sections.map(\.area) == [.application])
    }

    @Test func mistakesOfAConfigurationHaveTheirPlace() {
        let findings = ConfigurationFindings(
            path: "/c.json",
            .mistakes([
                .init(line: 3, key: "profiles.a.method", problem: "\"x\" is no method", remedy: "Write browser"),
                .init(line: nil, key: "", problem: "cannot be read", remedy: "Name another"),
            ])
        ).all
        #expect(
            findings == [
                CheckFinding(
                    "Configuration", .failed, "/c.json, line 3: profiles.a.method: \"x\" is no method.",
                    fix: "Write browser."),
                CheckFinding("Configuration", .failed, "/c.json: cannot be read.", fix: "Name another."),
            ])
        #expect(ConfigurationFindings(path: "/c.json", .missing).all.map(\.verdict) == [.skipped])
        #expect(ConfigurationFindings(path: "/c.json", .profile(name: "a")).all.map(\.verdict) == [.passed])
        let demo = ConfigurationFindings(path: "/c.json", .unsavedProfile(name: "demo")).all
        #expect(demo.map(\.fact) == ["Profile demo, not saved."])
    }
}

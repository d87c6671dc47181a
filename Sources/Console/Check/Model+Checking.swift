import Diagnosis
import Foundation

extension Model {
    /// Looks at the set-up: on a screen of its own, or on that once more.
    mutating func check() -> [Effect] {
        let id = makeEffectID()
        spinner = 0
        if case .check(var state) = routes.last {
            state.running = id
            replaceTop(.check(state))
        } else {
            routes.append(.check(CheckState(running: id)))
        }
        return [.check(id, profile)]
    }

    /// The set-up is looked at for it, which may take a while: the screen stays as it is.
    mutating func writeReport() -> [Effect] {
        notice = Notice(.quiet, "Writing a support report…")
        return [.report(makeEffectID(), profile)]
    }

    mutating func take(report: CheckReport, of id: EffectID, at date: Date) {
        guard case .check(var state) = routes.last, state.running == id else { return }
        advance(to: date)
        state.take(report)
        replaceTop(.check(state))
    }
}

extension CheckState {
    /// All that was found, for somebody who helps.
    var copyable: CopiedText? {
        guard let report else { return nil }
        let lines = report.sections.flatMap { section in
            [section.area.title]
                + section.findings.map { finding in
                    ["  \(finding.verdict.word): \(finding.subject): \(finding.fact)", finding.fix.map { "    \($0)" }]
                        .compactMap(\.self).joined(separator: "\n")
                }
        }
        return CopiedText(
            "the findings", fileName: "check.txt", (lines + [report.summary]).joined(separator: "\n") + "\n")
    }
}

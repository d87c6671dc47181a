import Diagnosis

/// A finding for a program.
struct FindingDocument: Encodable, Equatable {
    var subject: String
    var verdict: CheckFinding.Verdict
    var fact: String
    var fix: String?

    init(_ finding: CheckFinding) {
        subject = finding.subject
        verdict = finding.verdict
        fact = finding.fact
        fix = finding.fix
    }
}

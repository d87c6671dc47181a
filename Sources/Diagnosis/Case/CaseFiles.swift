import Foundation
import MSAL

/// What a supporter passes on about a case: the redacted evidence, the answer, the handout and the versions. All of it is made from
/// the copy, so that it says nothing that the copy doesn't have.
package struct CaseFiles: Sendable, Equatable {
    package struct File: Sendable, Equatable {
        package let name: String
        package let text: String
    }

    package let files: [File]

    /// The name of the evidence before its ending.
    package static let evidence = "evidence"
    package static let summary = "answer.md"
    package static let handout = "handout.html"

    /// - Parameters:
    ///   - copied: the explanation of the copy.
    ///   - name: the name of the original, for the ending.
    package init(_ copy: Redaction, copied: Explanation?, name: String?) {
        let ending = Self.ending(of: name) ?? (copied?.kind == .har ? ".har" : ".txt")
        let evidence = "\(Self.evidence)\(ending)"
        let handout = copied?.handout.map { File(name: Self.handout, text: $0.text(.html)) }
        files =
            [
                File(name: evidence, text: copy.text),
                File(name: Self.summary, text: CaseSummary(copied, evidence: evidence, copy).text),
            ] + [handout].compactMap(\.self)
            + [File(name: "versions.txt", text: Self.versions(copied))]
    }

    /// The ending of a file's name, if it's a short word.
    private static func ending(of name: String?) -> String? {
        let parts = (name ?? "").split(separator: ".")
        guard parts.count > 1, let last = parts.last, last.count <= 5, last.utf8.allSatisfy(\.isASCIILetter) else {
            return nil
        }
        return ".\(last.lowercased())"
    }

    private static func versions(_ explanation: Explanation?) -> String {
        "keyturn \(Release.version)\nevidence: \(explanation?.summary ?? "Not recognised.")\n"
    }

    /// The name of the evidence among the names in a folder; `nil` if the folder is no case.
    package static func evidence(among names: [String]) -> String? {
        guard names.contains(summary) else { return nil }
        return names.sorted().first { $0.hasPrefix("\(evidence).") }
    }

    /// The evidence in the archive of a case; `nil` for anything else.
    package static func evidence(in archive: [UInt8]) -> [UInt8]? {
        StoredArchive.first(of: archive).flatMap { $0.name.hasPrefix("\(evidence).") ? $0.content : nil }
    }

    /// All files in one archive.
    package var archive: [UInt8] { StoredArchive(files.map { ($0.name, Array($0.text.utf8)) }).bytes }
}

/// The answer of a case: what happened, what to do, who must do it, and where the evidence says so.
struct CaseSummary {
    let text: String

    init(_ explanation: Explanation?, evidence: String, _ copy: Redaction) {
        let finding = explanation?.findings.first
        let ticket = explanation?.ticket
        let fix = ticket?.step ?? finding?.fix
        let title =
            ticket?.happened ?? finding?.fact ?? explanation?.summary ?? "The evidence isn't recognised."
        let rows =
            (finding.flatMap { explanation?.evidence(of: $0) } ?? [])
            + (explanation?.sections ?? []).filter { $0.title == "Details of the error" }.flatMap(\.rows)
        let facts = rows.map { "- \(Self.plain($0.name)): \(Self.plain($0.value))" }
        let cause = explanation?.cause.map { "\nCause: `\($0)`\n" } ?? ""
        let others = (explanation?.findings ?? []).dropFirst().map {
            "- \(Self.plain($0.subject)): \(Self.plain($0.fact))"
        }
        text =
            [
                "# \(Self.plain(title))\n\(cause)",
                fix.map { fix in
                    let who = ticket?.who ?? .init(addressedBy: fix)
                    return "## Next step\n\n\(Self.plain(fix))\n\nWho must act: \(who.words).\n"
                },
                "## Evidence\n\n- File: \(evidence), \(Self.plain(explanation?.summary ?? ""))\n"
                    + facts.map { $0 + "\n" }.joined(),
                others.isEmpty ? nil : "## Also found\n\n\(others.joined(separator: "\n"))\n",
                "## Copy\n\n\(copy.receipt.summary).\(copy.loss.map { " \(Self.plain($0.sentence))" } ?? "")\n",
            ].compactMap(\.self).joined(separator: "\n")
    }

    /// On one line, and without the signs of Markdown and HTML.
    private static func plain(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .replacing(#/[\\`*_<\[\]#|]/#) { "\\\($0.output)" }
    }
}

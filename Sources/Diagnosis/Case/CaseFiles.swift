import Foundation
import MSAL

/// What a supporter passes on about a case, made from the redacted copy, so that it says nothing that the copy doesn't have.
package struct CaseFiles: Sendable, Equatable {
    package struct File: Sendable, Equatable {
        package let name: String
        package let text: String
    }

    package let files: [File]

    package static let evidence = "evidence"
    package static let summary = "answer.md"
    package static let handout = "handout.html"

    /// - Parameter name: the name of the original, for the ending.
    package init(_ copy: Redaction, copied: Explanation?, name: String?) {
        let ending = Self.ending(of: name) ?? (copied?.kind == .har ? ".har" : ".txt")
        let evidence = "\(Self.evidence)\(ending)"
        let handout = copied?.handout.map { File(name: Self.handout, text: $0.text(.html)) }
        files =
            [
                File(name: evidence, text: copy.text),
                File(name: Self.summary, text: CaseSummary(copied, evidence: evidence, copy).text),
            ] + [handout].compactMap(\.self) + [File(name: "versions.txt", text: Self.versions(copied))]
    }

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

    package static func evidence(in archive: [UInt8]) -> [UInt8]? {
        StoredArchive.first(of: archive).flatMap { $0.name.hasPrefix("\(evidence).") ? $0.content : nil }
    }

    package var archive: [UInt8] { StoredArchive(files.map { ($0.name, Array($0.text.utf8)) }).bytes }
}

struct CaseSummary {
    let text: String

    init(_ explanation: Explanation?, evidence: String, _ copy: Redaction) {
        let finding = explanation?.findings.first
        let ticket = explanation?.ticket
        let fix = ticket?.step ?? finding?.fix
        let title = ticket?.happened ?? finding?.fact ?? explanation?.summary ?? "The evidence isn't recognised."
        let rows =
            (finding.flatMap { explanation?.evidence(of: $0) } ?? [])
            + (explanation?.sections ?? []).filter { $0.title == "Details of the error" }.flatMap(\.rows)
        let facts = rows.map { "- \(Self.plain($0.name)): \(Self.plain($0.value))" }
        let cause = explanation?.cause.map { "\nCause: `\($0)`\n" } ?? ""
        let others = (explanation?.findings ?? []).dropFirst().map {
            "- \(Self.plain($0.subject)): \(Self.plain($0.fact))"
        }
        text = [
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

/// A ZIP archive without compression (PKWARE APPNOTE 6.3.3, method 0): the same files give the same bytes.
struct StoredArchive {
    let bytes: [UInt8]

    /// - Parameter files: at most 65535, of together less than 4 GiB.
    init(_ files: [(name: String, content: [UInt8])]) {
        var (local, central) = ([UInt8](), [UInt8]())
        for (name, content) in files {
            let name = Array(name.utf8)
            let shared =
                // Version 2.0, names in UTF-8, stored, 1 January 1980.
                Self.number(20, 2) + Self.number(0x0800, 2) + Self.number(0, 2) + Self.number(0, 2)
                + Self.number(0x21, 2) + Self.number(Self.checksum(content), 4) + Self.number(UInt32(content.count), 4)
                + Self.number(UInt32(content.count), 4) + Self.number(UInt32(name.count), 2) + Self.number(0, 2)
            central += Self.number(0x0201_4b50, 4) + Self.number(0x0314, 2) + shared
            // No comment, first disk; a regular file for its owner only.
            central += Self.number(0, 2) + Self.number(0, 2) + Self.number(0, 2) + Self.number(0o100600 << 16, 4)
            central += Self.number(UInt32(local.count), 4) + name
            local += Self.number(0x0403_4b50, 4) + shared + name + content
        }
        let count = Self.number(UInt32(files.count), 2)
        bytes =
            local + central + Self.number(0x0605_4b50, 4) + Self.number(0, 4) + count + count
            + Self.number(UInt32(central.count), 4) + Self.number(UInt32(local.count), 4) + Self.number(0, 2)
    }

    static func first(of bytes: [UInt8]) -> (name: String, content: [UInt8])? {
        func number(at offset: Int, _ length: Int) -> Int {
            bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let header = 30
        // No bit of the flags but that of names in UTF-8, and no compression.
        guard bytes.count > header, number(at: 0, 4) == 0x0403_4b50, number(at: 6, 2) == 0x0800, number(at: 8, 2) == 0
        else { return nil }
        let (start, size) = (header + number(at: 26, 2) + number(at: 28, 2), number(at: 18, 4))
        guard bytes.count - start >= size else { return nil }
        let content = Array(bytes[start..<start + size])
        guard checksum(content) == UInt32(number(at: 14, 4)) else { return nil }
        return (String(decoding: bytes[header..<header + number(at: 26, 2)], as: UTF8.self), content)
    }

    /// Little-endian.
    private static func number(_ value: UInt32, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// CRC-32 (ITU-T V.42).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
}

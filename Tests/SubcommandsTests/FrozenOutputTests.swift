import Diagnosis
import Foundation
import KeyturnCrypto
import TestSupport
import Testing

@testable import Subcommands

/// What `explain` shows of all evidence in the tests, as digests, so that a change of structure shows that it changes nothing else.
///
/// With `KEYTURN_RECORD=1`, the digests are written to `frozen.txt`, and the outputs to `build/frozen/recorded`. A difference writes
/// the output to `build/frozen/shown`.
@Suite("Frozen outputs")
struct FrozenOutputTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let record = root.appending(path: "Tests/SubcommandsTests/frozen.txt")
    private static let outputs = root.appending(path: "build/frozen")
    private static let corpora = [
        "Tests/DiagnosisTests/Explanation/Evidence", "Tests/DiagnosisTests/Explanation/Cases",
        "Tests/EndToEnd/evidence",
        "Tests/FuzzingTests/Corpus",
    ]

    /// The digests by "PIECE KIND", one a line.
    private typealias Digests = [String: String]

    @Test("All evidence is explained, drawn and copied as recorded")
    func frozen() throws {
        let recorded = try Self.recorded()
        var shown = Digests()
        var changed: [String] = []
        for piece in try Self.pieces() {
            for (kind, output) in try Self.outputs(of: Data(contentsOf: Self.root.appending(path: piece))) {
                let name = "\(piece) \(kind)"
                shown[name] = SHA2.sha256(Array(output.utf8)).prefix(8).hexadecimal
                guard GoldenScreen.isRecording || shown[name] != recorded[name] else { continue }
                changed.append(name)
                try Self.write(output, of: piece, kind)
            }
        }
        guard GoldenScreen.isRecording else {
            let lost = recorded.keys.filter { shown[$0] == nil }
            let hint =
                "Compare with diff -r build/frozen/recorded build/frozen/shown; record the former before the change."
            #expect(changed.isEmpty && lost.isEmpty, "Changed: \(changed.sorted()). Missing: \(lost.sorted()). \(hint)")
            return
        }
        let lines = shown.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }
        try Data(lines.joined().utf8).write(to: Self.record)
        Issue.record("Recorded \(lines.count) outputs. Review the difference, then run the tests again.")
    }

    private static func recorded() throws -> Digests {
        guard let text = try? String(contentsOf: record, encoding: .utf8) else { return [:] }
        let pairs = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Digests(uniqueKeysWithValues: pairs.compactMap { $0.count == 2 ? ($0[1], $0[0]) : nil })
    }

    private static func pieces() throws -> [String] {
        try corpora.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).map {
                "\(folder)/\($0)"
            }
        }.filter { !$0.hasSuffix(".case.json") && !root.appending(path: $0).hasDirectory }.sorted()
    }

    private static func outputs(of evidence: Data) throws -> [(kind: String, output: String)] {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: now)
        do throws(Explainer.Rejection) {
            let (explanation, copy) = try explainer.examine(file: Array(evidence), copies: true)
            let report = ExplanationReport(explanation: explanation, copy: copy, now: now)
            let diagram = explanation.diagram.map { [$0.text(.markdown), $0.text(.svg)].joined() }
            return [("json", report.json), ("copy", copy?.text ?? ""), ("diagram", diagram ?? "")]
                .filter { !$0.1.isEmpty }
        } catch {
            return [("json", "\(error)")]
        }
    }

    private static func write(_ output: String, of piece: String, _ kind: String) throws {
        let folder = outputs.appending(path: GoldenScreen.isRecording ? "recorded" : "shown")
        let file = folder.appending(path: "\(piece.replacing("/", with: "-")).\(kind)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(output.utf8).write(to: file)
    }
}

extension URL {
    fileprivate var hasDirectory: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
}

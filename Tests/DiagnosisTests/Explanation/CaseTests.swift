import Foundation
import JSON
import Testing

@testable import Diagnosis

/// Evidence from public threads, rewritten, beside what caused it.
struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let evidence: [UInt8]
    /// Whether the evidence alone shows the cause.
    let isProvable: Bool
    let isHealthy: Bool
    /// The name of the cause that comes first; `nil` for settings, whose findings have none.
    let finding: String?
    /// What the first failure of settings says.
    let fact: String?

    var testDescription: String { name }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")
    private static let ending = ".case.json"

    static let all: [Case] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.sorted().filter { $0.hasSuffix(ending) }.compactMap { Case(file: $0, among: files) }
    }()

    private init?(file: String, among files: [String]) {
        name = String(file.dropLast(Self.ending.count))
        let other = files.first { [name] in $0.hasPrefix(name + ".") && !$0.hasSuffix(Self.ending) }
        guard let other, let content = try? Data(contentsOf: Self.folder.appending(path: other)),
            let text = try? Data(contentsOf: Self.folder.appending(path: file)),
            let json = try? JSONValue(parsing: Array(text)), let isProvable = json["provable"]?.bool,
            let cause = json["cause"]?.string, let thread = json["thread"]?.string,
            thread.hasPrefix("https://") || thread == "ours"
        else { return nil }
        evidence = Array(content)
        self.isProvable = isProvable
        isHealthy = cause == "nothing is wrong"
        finding = json["finding"]?.string
        fact = json["fact"]?.string
    }
}

@Suite("Cases from public threads")
struct CaseTests {
    private static func explain(_ bytes: [UInt8]) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        return try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000)
        )
        .explain(file: bytes)
    }

    @Test func everyCaseIsRead() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Case.all.count == files.count / 2 && Case.all.count >= 60)
    }

    @Test("The true cause comes first", arguments: Case.all.filter { $0.isProvable && !$0.isHealthy })
    func proven(given: Case) throws {
        let explanation = try Self.explain(given.evidence)
        #expect(explanation.cause == given.finding)
        #expect(given.finding != nil || given.fact != nil)
        if let fact = given.fact { #expect(explanation.findings.first?.fact == fact) }
        // An error alone has its meaning as the first line instead of a finding.
        #expect(explanation.kind == .errorCode || explanation.findings.first?.verdict == .failed)
    }

    @Test("What the evidence can't prove isn't claimed", arguments: Case.all.filter { !$0.isProvable })
    func guessed(given: Case) throws {
        let explanation = try Self.explain(given.evidence)
        #expect(given.finding == nil || explanation.cause == given.finding)
        let known = explanation.cause.flatMap(KnownCause.named)
        if known?.strength == .guessed { #expect(!explanation.findings.contains { $0.verdict == .failed }) }
    }

    @Test("Nothing is wrong", arguments: Case.all.filter(\.isHealthy))
    func healthy(given: Case) throws {
        #expect(try !Self.explain(given.evidence).findings.contains { $0.verdict == .failed })
    }
}

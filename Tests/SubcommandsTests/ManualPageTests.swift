import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

@Suite("The manual page")
struct ManualPageTests {
    @Test("Resources/keyturn.1 matches the command table")
    func committed() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Resources/keyturn.1")
        let text = ManualPage.text(version: Release.version)
        if ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            Issue.record("recorded")
        }
        let committed = try String(contentsOf: file, encoding: .utf8)
        #expect(committed == text, "Resources/keyturn.1 differs from the command table: run make manual.")
    }

    @Test("Lists every command, option, exit status and example")
    func complete() {
        let text = ManualPage.text(version: "1").replacing(#"\-"#, with: "-")
        for command in CommandTable.all {
            #expect(text.contains(".SS \(command.specification.invocation)"))
            for option in command.specification.options { #expect(text.contains("--\(option.long)")) }
        }
        for option in Option.everywhere { #expect(text.contains("--\(option.long)")) }
        for exitCode in ExitCode.allCases { #expect(text.contains(".B \(exitCode.rawValue)\n")) }
    }

    @Test("Contains no accidental formatter requests")
    func escaped() {
        let known: Set<String> = ["TH", "SH", "SS", "PP", "TP", "B", "BR", "RI", "nf", "fi", "\\\""]
        for line in ManualPage.text(version: "1").split(separator: "\n") where line.hasPrefix(".") {
            let request = line.dropFirst().prefix { $0 != " " }
            #expect(known.contains(String(request)), "\(line)")
        }
    }
}

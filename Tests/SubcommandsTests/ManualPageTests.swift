import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

@Suite("The manual pages")
struct ManualPageTests {
    private let pages = ManualPage.pages(version: Release.version)

    @Test("Resources/man matches the command table")
    func committed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Resources/man")
        if ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" {
            for (name, text) in pages { try Data(text.utf8).write(to: folder.appending(path: name)) }
            Issue.record("recorded")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == pages.keys.sorted())
        for (name, text) in pages {
            let committed = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(committed == text, "\(name) differs from the command table: run make docs.")
        }
    }

    @Test("List every command, option, exit status and example")
    func complete() throws {
        let pages = pages.mapValues { $0.replacing(#"\-"#, with: "-") }
        let text = try #require(pages["keyturn.1"])
        for command in CommandTable.all.map({ $0.specification }) {
            #expect(text.contains(".BR keyturn-\(command.name) (1)\n"))
            let page = try #require(pages["keyturn-\(command.name).1"])
            #expect(page.contains(".B \(command.invocation)\n"))
            for option in command.options { #expect(page.contains("--\(option.long)")) }
        }
        for option in Option.everywhere { #expect(text.contains("--\(option.long)")) }
        for exitCode in ExitCode.allCases { #expect(text.contains(".B \(exitCode.rawValue)\n")) }
    }

    @Test("Contain no accidental formatter requests")
    func escaped() {
        let known: Set<String> = ["TH", "SH", "SS", "PP", "TP", "B", "BR", "RI", "nf", "fi", "\\\""]
        for line in pages.values.joined().split(separator: "\n") where line.hasPrefix(".") {
            let request = line.dropFirst().prefix { $0 != " " }
            #expect(known.contains(String(request)), "\(line)")
        }
    }
}

import Console
import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Subcommands

@Suite("Choices that the program keeps between runs")
struct SavedChoicesFileTests {
    private func withFile(_ body: (SavedChoicesFile) throws -> Void) throws {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        try body(SavedChoicesFile(in: ["XDG_STATE_HOME": folder.path]))
    }

    private func expect(
        _ file: SavedChoicesFile, _ profile: String, _ choices: SavedChoices,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (savedChoices, trouble) = file.read(profile)
        #expect(savedChoices == choices && trouble == nil, sourceLocation: sourceLocation)
    }

    @Test("Are read back, separately for each profile, from a file that only its owner can read")
    func roundTrip() throws {
        try withFile { file in
            expect(file, "a", SavedChoices())
            let choices = SavedChoices(scopes: ["User.Read", "https://graph.example/Mail.Read"], order: .expiry)
            try file.save(choices, of: "a")
            try file.save(SavedChoices(order: .name), of: "日本")
            expect(file, "a", choices)
            expect(file, "日本", SavedChoices(order: .name))
            expect(file, "other", SavedChoices())
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: (file.path as NSString).deletingLastPathComponent)
            #expect(names == ["screen.json"])
        }
    }

    @Test(
        "A damaged file is reported and replaced",
        arguments: [
            "", "{", "[]", #"{"profiles":3}"#, #"{"profiles":{"a":{"order":7}}}"#, "\u{0}\u{FF}",
            String(repeating: " ", count: 300_000),
        ])
    func damaged(text: String) throws {
        try withFile { file in
            try file.save(SavedChoices(), of: "a")
            try text.write(toFile: file.path, atomically: false, encoding: .utf8)
            #expect(file.read("a").savedChoices == SavedChoices())
            #expect(file.read("a").trouble?.contains("They are reset") == true)
            try file.save(SavedChoices(order: .name), of: "a")
            expect(file, "a", SavedChoices(order: .name))
        }
    }

    @Test("A renamed profile keeps its choices, also its default account")
    func renamed() throws {
        try withFile { file in
            try file.save(SavedChoices(scopes: ["User.Read"], order: .name), of: "a")
            try file.change("a") { $0.account = "1.2" }
            try file.rename("a", to: "b")
            expect(file, "a", SavedChoices())
            expect(file, "b", SavedChoices(scopes: ["User.Read"], order: .name, account: "1.2"))
            try file.rename("none", to: "b")
            #expect(file.read("b").savedChoices.account == "1.2")
        }
    }

    @Test("The screen's choices leave the default account as it is")
    func defaultAccount() throws {
        try withFile { file in
            try file.change("a") { $0.account = "1.2" }
            try file.save(SavedChoices(order: .name), of: "a")
            #expect(try file.choices(of: "a").account == "1.2")
            try file.change("a") { $0.account = nil }
            expect(file, "a", SavedChoices(order: .name))
        }
    }

    @Test("A folder in its place is reported too")
    func folder() throws {
        try withFile { file in
            try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
            #expect(file.read("a").trouble != nil)
            #expect(throws: Failure.self) { try file.save(SavedChoices(), of: "a") }
        }
    }

    @Test(
        "Choices that cannot be stored are left out",
        arguments: [
            (#"["User.Read","two words","\u001b[31m","","\"x\""]"#, ["User.Read"]), ("null", []),
        ])
    func edited(scopes: String, expected: [String]) throws {
        try withFile { file in
            try file.save(SavedChoices(), of: "a")
            let text = #"{"profiles":{"a":{"order":"sideways","scopes":\#(scopes)}}}"#
            try text.write(toFile: file.path, atomically: false, encoding: .utf8)
            expect(file, "a", SavedChoices(scopes: expected))
        }
    }

    @Test("The theme and the mouse are kept for all profiles, beside their choices")
    func display() throws {
        try withFile { file in
            #expect(file.display == ScreenDisplay())
            try file.save(SavedChoices(order: .name), of: "a")
            try file.save(ScreenDisplay(theme: .contrast, usesMouse: true))
            try file.save(SavedChoices(order: .expiry), of: "b")
            #expect(file.display == ScreenDisplay(theme: .contrast, usesMouse: true))
            expect(file, "a", SavedChoices(order: .name))
        }
    }
}

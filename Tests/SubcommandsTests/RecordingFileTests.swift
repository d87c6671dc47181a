import Foundation
import KeyturnSystem
import MSAL
import TerminalUI
import Testing

@testable import Subcommands

@Suite("The file of a recording")
struct RecordingFileTests {
    /// A terminal of a known size.
    private struct Terminal: TextSink {
        let size: Size
        var isTerminal: Bool { true }
        var window: Size? { size }
        func write(_ text: String) throws(TextSinkFailure) {}
    }

    private static func recording(_ arguments: String...) throws -> RecordingFile? {
        let parser = OptionParser(options: DemoCommand.specification.options, command: "demo")
        return try RecordingFile(parser.parse(arguments))
    }

    @Test("A size is columns and rows within limits", arguments: ["120x40", "40X12", "300x100"])
    func sizes(word: String) throws {
        let recording = try #require(try Self.recording("--record", "a.svg", "--size", word))
        let size = recording.window(in: .test())
        #expect("\(size.width)x\(size.height)" == word.lowercased())
    }

    @Test(
        "Another size is an error",
        arguments: ["120", "120x", "x", "39x12", "40x11", "301x40", "80x24x1", "ax b", "-1x40"])
    func otherSizes(word: String) {
        #expect(throws: UsageError.self) { try Self.recording("--record", "a.svg", "--size=\(word)") }
    }

    @Test("Options of a recording need one")
    func alone() throws {
        #expect(throws: UsageError.self) { try Self.recording("--size", "120x40") }
        #expect(throws: UsageError.self) { try Self.recording("--replace") }
        #expect(try Self.recording() == nil)
    }

    @Test("The size is the terminal's, within the limits, or else 80x24")
    func window() throws {
        let recording = try #require(try Self.recording("--record", "a.svg"))
        #expect(recording.window(in: .test()) == Size(width: 80, height: 24))
        let terminal = Terminal(size: Size(width: 111, height: 33))
        #expect(recording.window(in: .test(output: terminal)) == terminal.size)
        #expect(recording.window(in: .test(errors: terminal)) == terminal.size)
        let tiny = Terminal(size: Size(width: 20, height: 500))
        #expect(recording.window(in: .test(output: tiny)) == Size(width: 40, height: 100))
    }

    @Test(
        "An existing file is replaced only if the user says so",
        arguments: [("y", true), ("Yes", true), ("", false), ("n", false)])
    func question(reply: String, replaces: Bool) async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let path = folder.path + "/a.svg"
        let recording = try #require(try Self.recording("--record", path))
        #expect(try await !recording.file(in: .test()).replaces)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: path))
        // Nobody can be asked.
        let failure = await #expect(throws: Failure.self) { try await recording.file(in: .test()) }
        #expect(failure?.reason == "\(path) already exists.")
        #expect(failure?.advice == "Use another file, or --replace.")
        let errors = MemorySink(columns: 80)
        var surroundings = Surroundings.test(errors: errors)
        surroundings.hasTypedInput = true
        surroundings.typedLine = { reply }
        if replaces {
            #expect(try await recording.file(in: surroundings).replaces)
        } else {
            await #expect(throws: CancellationError.self) { try await recording.file(in: surroundings) }
        }
        #expect(errors.text.contains("a.svg exists. Replace it?"))
        let forced = try #require(try Self.recording("--record", path, "--replace"))
        #expect(try await forced.file(in: .test()).replaces)
    }
}

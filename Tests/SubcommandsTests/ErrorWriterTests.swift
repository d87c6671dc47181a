import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("The object on standard error")
struct ErrorWriterTests {
    private struct NoTerminal: TextSink {
        func write(_ text: String) throws(TextSinkFailure) { throw TextSinkFailure(code: ENXIO) }
    }

    private let errors = MemorySink()

    private func surroundings(_ terminal: any TextSink) -> Surroundings {
        var surroundings = Surroundings.test(errors: errors)
        surroundings.terminal = terminal
        surroundings.errorWriter = ErrorWriter(on: errors)
        return surroundings
    }

    private func document() throws -> [String: Any]? {
        try JSONSerialization.jsonObject(with: Data(errors.text.utf8)) as? [String: Any]
    }

    @Test("Has the prompts that had no terminal, after every result", arguments: [true, false])
    func prompts(fails: Bool) throws {
        let surroundings = surroundings(NoTerminal())
        surroundings.tell("A step.\n")
        surroundings.prompt("Open this address:\nhttps://id.example/?a=1&b=\"2\"\n")
        #expect(errors.text.contains("https://id.example/?a=1"), "it is written before the end")
        surroundings.prompt("Again \u{1B}[2J")
        let failure = Failure(.cancelled, name: "nothingPasted", "Over.", nextStep: "")
        surroundings.errorWriter?.finish(with: fails ? Failure(reporting: failure) : nil)
        let prompts = try #require(try document()?["prompts"] as? [String])
        #expect(prompts.first == "Open this address:\nhttps://id.example/?a=1&b=\"2\"\n")
        #expect(prompts.count == 2 && !errors.text.contains("\u{1B}"))
        #expect((try document()?["error"] as? [String: Any])?["name"] as? String == (fails ? "nothingPasted" : nil))
    }

    @Test("Has only the error if a terminal took the prompts, and is absent without one")
    func noPrompts() throws {
        let terminal = MemorySink()
        let succeeding = surroundings(terminal)
        succeeding.prompt("Open this address.\n")
        succeeding.errorWriter?.finish(with: nil)
        #expect(terminal.text == "Open this address.\n" && errors.text.isEmpty)
        let failing = surroundings(terminal)
        failing.prompt("Open this address.\n")
        let failure = Failure(reporting: Failure(.cancelled, name: "x", "Over.", nextStep: ""))
        failing.errorWriter?.finish(with: failure)
        #expect(errors.text == failure.json())
    }
}

import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Console

private func transcript(
    _ name: String, _ lines: [String], on model: Model = newModel(), accounts: [AccountSummary] = [],
    where arrange: (inout PlainTranscript) -> Void = { _ in }
) -> (name: String, transcript: PlainTranscript) {
    var transcript = PlainTranscript(model, accounts: accounts)
    arrange(&transcript)
    transcript.run(lines)
    return (name, transcript)
}

/// Transcripts by the name of their golden file.
let plainTranscripts: [(name: String, transcript: PlainTranscript)] = [
    transcript("plain-sign-in", ["2", "r", "q", "q"]),
    transcript("plain-device-code", ["m"], on: newModel(demoProfile)),
    transcript("plain-chain", ["i", "q", "q"], on: newModel(chainProfile)) {
        $0.acquired = .failure(absentBrokerReport)
    },
    transcript(
        "plain-paste", ["p", "http://elsewhere.example/", "http://localhost:40711/?code=secret&state=1", "q", "q"]),
    transcript(
        "plain-call", ["a", "nonsense", "post https://api.contoso.example/admin", "q", "q"], accounts: [alice]),
    transcript(
        "plain-agreement", ["a", "https://mcp.example/mcp", "y", "q", "q", "q"], accounts: [alice]
    ) {
        $0.refused = [false: undecided(agreement)]
    },
    transcript("plain-paste-cancelled", ["p", "q", "q"]),
    transcript(
        "plain-which", ["1", "9", "2", "q", "D", "", "D", "3", "n", "D", "3", "y", "q"],
        accounts: [alice, bob, carol]),
    transcript("plain-filter", ["/", "bob", "q"], accounts: [alice, bob]),
    transcript("plain-interaction", ["1", "n", "q"], accounts: [alice]) {
        $0.silently = .failure(interactionReport)
    },
    transcript("plain-error", ["i", "Y", "y", "q", "q"]) { $0.acquired = .failure(rejectedReport) },
    transcript("plain-hostile", ["\u{1B}]0;x\u{7}", "q"], accounts: wideAccounts),
    transcript(
        "plain-set-up",
        ["1", "contoso", "", "https://login.contoso.example/common", "1", "2", "5", "work", "3", "1", "q", "q"],
        on: unconfigured()),
    transcript(
        "plain-set-up-back", ["1", ".", "1", "contoso.com", ".", "n", ".", "y", "w", "q"], on: unconfigured()),
    transcript("plain-options", ["o", "2", "6", "7", "ann@contoso.example", "7", "", "?", "q", "q"]),
    transcript("plain-compare", ["1", "=", "=", "d", "q", "q"], accounts: [alice]),
    transcript(
        "plain-pasted-token",
        [
            "t", "no token",
            jwt(#"{"iss":"https://login.contoso.example","sub":"a","exp":1795170000,"made_up":[1,2]}"#), "q", "q",
        ]),
    transcript("plain-renewal", ["R", "1", "R", "q", "R", "2", "s", "q"], accounts: accountsWithTokens),
    transcript(
        "plain-scenarios", ["w", "1", "2", "n", "n", "q", "n", "n", "q"], on: newModel(walkProfile),
        accounts: [alice]),
    transcript("plain-inspector", ["i", "f", "x", "", "x", "./mail.txt", "1", "3", "q", "q", "q", "q"]) {
        $0.exchanges = signInExchanges
    },
    transcript(
        "plain-profiles-add",
        ["P", "+", "1", "https://login.contoso.example/common", "11111111", "1", "q", "q"], accounts: [alice]),
    transcript(
        "plain-explain", ["e", "customer.har", "f", "f", "x", "", "e", "nonsense", "q", "q"], accounts: [alice]),
    transcript(
        "plain-claims-filter", ["1", "/", "issuer", "/", "", "=", "d", "q", "1", "y", "q", "q"], accounts: [alice]),
    transcript("plain-check", ["v", "x", "~/report.txt", "q", "q"]),
    transcript("plain-profiles", ["P", "E", "2", "", "q", "P", "*", "D", "y", "1", "2", "q"], accounts: [alice]),
    transcript(
        "plain-start-problem", ["q"],
        on: Model(
            .problem(problem, configPath: "/home/alice/.config/keyturn/config.json"),
            options: ProgramOptions(timeZone: testZone), size: standardSize)),
]

@Suite("Line mode")
struct PlainTests {
    @Test("Transcripts", arguments: plainTranscripts.map(\.name))
    func golden(name: String) throws {
        let transcript = try #require(plainTranscripts.first { $0.name == name }?.transcript)
        expectGolden(transcript.text, name: name)
        #expect(transcript.conversation.model.isFinished)
    }

    @Test(
        "A browser's response is never printed, nor are escape sequences",
        arguments: plainTranscripts.map(\.name))
    func secrets(name: String) throws {
        let text = try #require(plainTranscripts.first { $0.name == name }?.transcript).text
        #expect(!text.contains("code=secret"))
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test("A terminal hides pasted text, and nothing else")
    func hiding() {
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(ends: false)
        #expect(!transcript.conversation.hidesInput)
        transcript.handle(.line("p"))
        #expect(transcript.conversation.hidesInput)
        transcript.handle(.line("q"))
        #expect(!transcript.conversation.hidesInput)
    }

    @Test("Ctrl-C cancels the running activity, and ends the program when it is idle")
    func interruption() {
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(["p"], ends: false)
        transcript.handle(.message(.input(.interrupt)))
        #expect(transcript.conversation.model.focus == .accounts)
        #expect(transcript.text.contains("Cancelled."))
        transcript.handle(.message(.input(.interrupt)))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("A long question of a server can be answered, because line mode prints it whole")
    func longQuestion() {
        var transcript = PlainTranscript(newModel(), accounts: [alice], isInteractive: true)
        let scopes = (0..<200).map { "api://tasks/Scope\($0)" }
        transcript.refused = [false: undecided(demand(of: "https://tasks.example/api", scopes))]
        transcript.run(["a", "https://tasks.example/api"], ends: false)
        #expect(transcript.conversation.model.focus == .agreementDialog && transcript.text.contains("Scope199"))
        transcript.handle(.line("y"))
        #expect(transcript.conversation.model.focus != .agreementDialog)
    }

    @Test("Ctrl-C discards the lines typed during an activity")
    func linesBeforeAnInterruption() {
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(ends: false)
        // Without an answer to its effects, the sign-in goes on.
        var conversation = transcript.conversation
        for line in ["i", "i"] { _ = conversation.handle(.line(line)) }
        #expect(conversation.model.focus != .accounts)
        _ = conversation.handle(.message(.input(.interrupt)))
        #expect(conversation.model.focus == .accounts)
    }

    @Test("A line of before is no answer to a question that opens by itself")
    func linesBeforeAQuestion() {
        var transcript = PlainTranscript(newModel(), accounts: [alice], isInteractive: true)
        transcript.run(["a"], ends: false)
        var conversation = transcript.conversation
        let effects = conversation.handle(.line("https://mcp.example/mcp")).effects
        guard case .work(let id, .performStep) = effects.first else {
            Issue.record("no call")
            return
        }
        _ = conversation.handle(.line("y"))
        let asked = conversation.handle(.message(.result(id, .called(.failure(undecided(agreement))))))
        let events = asked.effects.compactMap { effect -> Message? in
            if case .work(let id, .readAccounts) = effect { .result(id, .accounts(.success([alice]))) } else { nil }
        }
        #expect(asked.effects.contains(.forgetTyped))
        for event in [.line("y")] + events.map(PlainConversation.Event.message) {
            #expect(conversation.handle(event).effects.isEmpty)
        }
        #expect(conversation.model.focus == .agreementDialog)
        _ = conversation.handle(.message(.input(.forgotten)))
        let answered = conversation.handle(.line("y")).effects
        #expect(answered.contains { if case .work(_, .performStep) = $0 { true } else { false } })
    }

    @Test("At the end of the input, the program waits for running activities")
    func endOfInput() {
        var transcript = PlainTranscript(newModel())
        transcript.run(["i"])
        #expect(transcript.text.contains("Signed in as"))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("Lines from a pipe wait for their question")
    func early() {
        var transcript = PlainTranscript(newModel())
        transcript.handle(.line("q"))
        #expect(!transcript.conversation.model.isFinished)
        transcript.handle(.message(.started))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("Random choices leave a valid state", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        var random = seed
        func below(_ limit: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % limit
        }
        let words = [
            "", "?", ".", "x", "i", "c", "p", "D", "P", "a", "e", "r", "Y", "/", "n", "y", "https://x.example", "日本",
        ]
        var transcript = PlainTranscript(newModel(), accounts: [alice, bob])
        transcript.run(ends: false)
        for _ in 0..<400 {
            let line = below(2) == 0 ? "\(1 + below(9))" : words[Int(below(UInt64(words.count)))]
            transcript.handle(.line(line))
            if transcript.conversation.model.isFinished {
                transcript = PlainTranscript(newModel(), accounts: [alice, bob])
                transcript.run(ends: false)
            }
        }
        transcript.handle(.ended)
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("After fg the question is repeated, and Ctrl-L repeats its page; neither happens at a pipe")
    func continued() {
        for isInteractive in [true, false] {
            var transcript = PlainTranscript(newModel(), isInteractive: isInteractive)
            transcript.run(ends: false)
            let before = transcript.text
            transcript.handle(.continued)
            #expect(transcript.text == before + (isInteractive ? "Your choice: " : ""))
        }
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(ends: false)
        let page = transcript.text.drop { $0 != "A" }
        transcript.handle(.line("\u{0C}"))
        #expect(transcript.text.hasSuffix(page))
        #expect(transcript.text.components(separatedBy: "Your choice: ").count == 3)
    }
}

import Console
import Foundation
import TerminalUI
import TestSupport
import Testing

@Suite("The program in lines")
struct PlainTests {
    private static func transcript(_ name: String) throws -> PlainTranscript {
        var transcript: PlainTranscript
        switch name {
        case "plain-sign-in":
            transcript = PlainTranscript(newModel())
            transcript.run("2", "r", "q", "q")
        case "plain-device-code":
            transcript = PlainTranscript(newModel(demoProfile))
            transcript.run("c")
        case "plain-chain":
            transcript = PlainTranscript(newModel(chainProfile))
            transcript.acquired = .failure(absentBrokerReport)
            transcript.run("i", "q", "q")
        case "plain-paste":
            transcript = PlainTranscript(newModel())
            transcript.run("p", "http://elsewhere.example/", "http://localhost:40711/?code=secret&state=1", "q", "q")
        case "plain-paste-cancelled":
            transcript = PlainTranscript(newModel())
            transcript.run("p", "q", "q")
        case "plain-which":
            transcript = PlainTranscript(newModel(), accounts: [alice, bob, carol])
            transcript.run("1", "9", "2", "q", "D", "", "D", "3", "n", "D", "3", "y", "q")
        case "plain-filter":
            transcript = PlainTranscript(newModel(), accounts: [alice, bob])
            transcript.run("/", "bob", "q")
        case "plain-interaction":
            transcript = PlainTranscript(newModel(), accounts: [alice])
            transcript.silently = .failure(interactionReport)
            transcript.run("1", "n", "q")
        case "plain-error":
            transcript = PlainTranscript(newModel())
            transcript.acquired = .failure(refusedReport)
            transcript.run("i", "Y", "q", "q")
        case "plain-hostile":
            transcript = PlainTranscript(newModel(), accounts: wideAccounts)
            transcript.run("\u{1B}]0;x\u{7}", "q")
        case "plain-set-up":
            transcript = PlainTranscript(unconfigured())
            transcript.run(
                "1", "contoso", "https://login.contoso.example/common", "1", "2", "5", "work", "3", "1", "q", "q")
        case "plain-set-up-back":
            transcript = PlainTranscript(unconfigured())
            transcript.run("1", ".", "1", "contoso.com", ".", "n", ".", "y", "t", "q")
        case "plain-options":
            transcript = PlainTranscript(newModel())
            transcript.run("o", "2", "6", "7", "ann@contoso.example", "7", "", "?", "q", "q")
        case "plain-compare":
            transcript = PlainTranscript(newModel(), accounts: [alice])
            transcript.run("1", "=", "=", "r", "q", "q")
        case "plain-pasted-token":
            transcript = PlainTranscript(newModel())
            let token = jwt(#"{"iss":"https://login.contoso.example","sub":"a","exp":1795170000,"made_up":[1,2]}"#)
            transcript.run("t", "no token", "t", token, "q", "q")
        case "plain-renewal":
            transcript = PlainTranscript(newModel(), accounts: accountsWithTokens)
            transcript.run("R", "1", "R", "q", "R", "2", "s", "q")
        case "plain-scenarios":
            transcript = PlainTranscript(newModel(walkProfile), accounts: [alice])
            transcript.run("w", "1", "2", "n", "n", "q", "n", "n", "q")
        case "plain-inspector":
            transcript = PlainTranscript(newModel())
            transcript.exchanges = signInExchanges
            transcript.run("i", "f", "T", "H", "1", "3", "q", "q", "q", "q")
        case "plain-profiles-add":
            transcript = PlainTranscript(newModel(), accounts: [alice])
            transcript.run("P", "a", "1", "https://login.contoso.example/common", "11111111", "1", "q", "q")
        case "plain-check":
            transcript = PlainTranscript(newModel())
            transcript.run("x", "q", "q")
        case "plain-profiles":
            transcript = PlainTranscript(newModel(), accounts: [alice])
            transcript.run("P", "e", "2", "", "q", "P", "*", "D", "y", "1", "2", "q")
        default:
            transcript = PlainTranscript(
                Model(
                    root: .problem(problem, configPath: "/home/alice/.config/keyturn/config.json"),
                    options: ProgramOptions(timeZone: testZone), size: standardSize))
            transcript.run("q")
        }
        return transcript
    }

    static let names = [
        "plain-sign-in", "plain-device-code", "plain-chain", "plain-paste", "plain-paste-cancelled", "plain-which",
        "plain-filter",
        "plain-interaction", "plain-error", "plain-hostile", "plain-set-up", "plain-set-up-back", "plain-options",
        "plain-compare", "plain-pasted-token", "plain-renewal", "plain-scenarios", "plain-inspector",
        "plain-check",
        "plain-profiles", "plain-profiles-add",
        "plain-start-problem",
    ]

    @Test("Transcripts", arguments: names)
    func golden(name: String) throws {
        let transcript = try Self.transcript(name)
        expectTranscript(transcript, name)
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("what a browser's answer holds is printed nowhere, and nothing that a terminal would obey", arguments: names)
    func secrets(name: String) throws {
        let text = try Self.transcript(name).text
        #expect(!text.contains("code=secret"))
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test("a person's terminal hides what is pasted, and nothing else")
    func hiding() {
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(ends: false)
        #expect(!transcript.conversation.hidesInput)
        transcript.take(.line("p"))
        #expect(transcript.conversation.hidesInput)
        transcript.take(.line("q"))
        #expect(!transcript.conversation.hidesInput)
    }

    @Test("Ctrl-C cancels what runs; where nothing does, it ends the program")
    func interruption() {
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run("p", ends: false)
        transcript.take(.message(.input(.interrupt)))
        #expect(transcript.conversation.model.focus == .accounts)
        #expect(transcript.text.contains("Cancelled."))
        transcript.take(.message(.input(.interrupt)))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("the end of the input waits for what runs")
    func endOfInput() {
        var transcript = PlainTranscript(newModel())
        transcript.run("i")
        #expect(transcript.text.contains("Signed in as"))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("lines at a pipe wait for their question")
    func early() {
        var transcript = PlainTranscript(newModel())
        transcript.take(.line("q"))
        #expect(!transcript.conversation.model.isFinished)
        transcript.take(.message(.started))
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("random answers leave a legal state", arguments: [1, 2, 3] as [UInt64])
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
            transcript.take(.line(line))
            if transcript.conversation.model.isFinished {
                transcript = PlainTranscript(newModel(), accounts: [alice, bob])
                transcript.run(ends: false)
            }
        }
        transcript.take(.ended)
        #expect(transcript.conversation.model.isFinished)
    }

    @Test("After fg the question is put again, and Ctrl-L reads its page again; at a pipe neither happens")
    func continued() {
        for isInteractive in [true, false] {
            var transcript = PlainTranscript(newModel(), isInteractive: isInteractive)
            transcript.run(ends: false)
            let before = transcript.text
            transcript.take(.continued)
            #expect(transcript.text == before + (isInteractive ? "Your choice: " : ""))
        }
        var transcript = PlainTranscript(newModel(), isInteractive: true)
        transcript.run(ends: false)
        let page = transcript.text.drop { $0 != "A" }
        transcript.take(.line("\u{0C}"))
        #expect(transcript.text.hasSuffix(page))
        #expect(transcript.text.components(separatedBy: "No account yet.").count == 3)
    }
}

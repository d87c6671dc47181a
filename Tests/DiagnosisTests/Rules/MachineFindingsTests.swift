import Diagnosis
import MSAL
import Testing

@Suite("Findings about this machine")
struct MachineFindingsTests {
    private func findings(
        handler: MachineFindings.Handler = .notNeeded, broker: MachineFindings.Broker = .notServed,
        term: String? = "xterm",
        isTerminal: Bool = true, characters: MachineFindings.Terminal.Characters = .utf8, isKnown: Bool? = true,
        configured: MachineFindings.Method.Configured? = nil
    ) -> [String: CheckFinding] {
        let all = MachineFindings(
            handler: handler, broker: broker,
            terminal: .init(name: term, isTerminal: isTerminal, characters: characters, isKnown: isKnown),
            method: .init(name: "device", reason: "Because.", configured: configured)
        ).all
        return Dictionary(uniqueKeysWithValues: all.map { ($0.subject, $0) })
    }

    @Test(
        "The handler of the scheme, and the result",
        arguments: [
            (.notNeeded, nil), (.ours(scheme: "a"), .passed), (.other(scheme: "a", name: "firefox.desktop"), .failed),
            (.other(scheme: "a", name: nil), .failed), (.unknown(scheme: "a"), .warning),
        ] as [(MachineFindings.Handler, CheckFinding.Verdict?)])
    func handlers(handler: MachineFindings.Handler, verdict: CheckFinding.Verdict?) {
        let finding = findings(handler: handler)["URL handler"]
        #expect(finding?.verdict == verdict)
        #expect((finding?.fix == nil) == (verdict == nil || verdict == .passed))
    }

    @Test(
        "TERM, terminal or not, terminfo entry or not, and the result",
        arguments: [
            ("xterm", true, true, .passed), ("xterm", true, nil, .passed), (nil, true, nil, .warning),
            ("", true, nil, .warning), ("dumb", true, true, .warning), ("no-such-term", true, false, .warning),
            ("dumb", false, true, .passed),
        ] as [(String?, Bool, Bool?, CheckFinding.Verdict)])
    func terminals(term: String?, isTerminal: Bool, isKnown: Bool?, verdict: CheckFinding.Verdict) {
        #expect(findings(term: term, isTerminal: isTerminal, isKnown: isKnown)["Terminal"]?.verdict == verdict)
    }

    @Test(
        "The state of the broker, the result, and the text",
        arguments: [
            (.notCalled, .skipped, "Checked only with a profile."),
            (.notServed, .passed, "Not supported by this authority. Other sign-in methods work."),
            (
                .absent(hasSessionBus: true, isWanted: false), .passed,
                "None on the session bus. Other sign-in methods work."
            ),
            (
                .absent(hasSessionBus: false, isWanted: false), .passed,
                "None: no session bus. Other sign-in methods work."
            ),
            (
                .absent(hasSessionBus: true, isWanted: true), .warning,
                "None on the session bus, but the profile uses one."
            ),
            (.responded(version: "2.0.1"), .passed, "Version 2.0.1, on the session bus."),
            (
                .failed(Failure(headline: "", reason: "Ann’s \"account\" failed.", advice: "Restart it.")), .warning,
                "The broker failed: \"Ann’s 'account' failed.\""
            ),
        ] as [(MachineFindings.Broker, CheckFinding.Verdict, String)])
    func brokers(broker: MachineFindings.Broker, verdict: CheckFinding.Verdict, fact: String) {
        let finding = findings(broker: broker)["Identity broker"]
        #expect(finding?.verdict == verdict)
        #expect(finding?.fact == fact)
        #expect((finding?.fix == nil) == (verdict != .warning))
    }

    @Test(
        "The locale's characters, and whether it's installed",
        arguments: [
            (.utf8, .passed, "UTF-8."), (.ascii, .warning, "The locale isn't UTF-8: names and lines appear in ASCII."),
            (
                .missing(name: "de_DE.UTF-8", substitute: "C.UTF-8"), .warning,
                "The locale de_DE.UTF-8 isn't installed. Keyturn uses C.UTF-8 instead."
            ),
            (
                .missing(name: "de_DE.UTF-8", substitute: nil), .warning,
                "The locale de_DE.UTF-8 isn't installed: names and lines appear in ASCII."
            ),
        ] as [(MachineFindings.Terminal.Characters, CheckFinding.Verdict, String)])
    func characters(characters: MachineFindings.Terminal.Characters, verdict: CheckFinding.Verdict, fact: String) {
        let finding = findings(characters: characters)["Characters"]
        #expect(finding?.verdict == verdict)
        #expect(finding?.fact == fact)
        #expect((finding?.fix == nil) == (verdict == .passed))
    }

    @Test func otherFindings() {
        #expect(findings()["Sign-in method"]?.fact == "device: Because.")
        let other = findings(configured: .init(name: "browser", objection: "No display."))["Sign-in method"]
        #expect(other?.verdict == .warning)
        #expect(other?.fact == "The profile uses browser. No display.")
    }
}

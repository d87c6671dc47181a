import Console
import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Signing in without a browser on this machine, with the built-in authority, over real sockets.
@Suite("Sign-in methods with the built-in authority", .serialized, .oneSessionAtATime)
struct MethodsTests {
    private typealias World = SignInTests.World

    /// Runs `sign-in`; `act` gets each printed text, and may paste.
    private func signIn(
        _ arguments: String..., world: World, machine: MachineFacts = MachineFacts(environment: [:]),
        act: @escaping @Sendable (String, AsyncStream<String>.Continuation) -> Void
    ) async -> World.Outcome {
        let (stream, paste) = AsyncStream.makeStream(of: String.self)
        let output = MemorySink()
        let errors = WatchedSink { act($0, paste) }
        let surroundings = Surroundings.test(
            world.environment, output: output, errors: errors, pastes: { stream }, machine: machine)
        let all = ["sign-in"] + arguments + ["--cache", world.folder.path + "/tokens.db"]
        let exitCode = await Program.run(all, in: surroundings)
        return World.Outcome(exitCode: exitCode, output: output.text, errors: errors.text)
    }

    /// Ann, with a browser on another machine: it reaches the authority, but no listener of this program.
    static func ann() -> ScriptedUser {
        let transport = CurlTransport()
        return ScriptedUser(username: "ann@contoso.example", password: "ann-likes-tea") {
            try await transport.send($0)
        }
    }

    @Test("A code entered on another device", .timeLimit(.minutes(10)))
    func device() async throws {
        try await withWorld { world in
            let ann = Self.ann()
            let outcome = await signIn("--method", "device", world: world) { text, _ in
                guard
                    let page = text.firstMatch(of: #/http:\S+user_code=\S+/#).flatMap({ URL(string: String($0.output)) }
                    )
                else { return }
                Task { try await ann.finish(from: page) }
            }
            #expect(outcome.exitCode == .done, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("ann@contoso.example  "))
            #expect(outcome.errors.contains("and enter the code "))
            #expect(!outcome.errors.contains("\u{1B}"), "no QR code without a terminal")
        }
    }

    @Test("A URL pasted in two pieces, after another text", .timeLimit(.minutes(10)))
    func paste() async throws {
        try await withWorld { world in
            let ann = Self.ann()
            let outcome = await signIn("--method", "paste", world: world) { text, paste in
                guard
                    let page = text.firstMatch(of: #/http:\S+authorize\S+/#).flatMap({ URL(string: String($0.output)) })
                else { return }
                Task {
                    paste.yield("what is this?\n")
                    let landing = try await ann.walk(from: page).absoluteString
                    paste.yield("\(landing.prefix(70))\n\(landing.dropFirst(70))\n")
                }
            }
            #expect(outcome.exitCode == .done, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("ann@contoso.example  "))
            #expect(outcome.errors.contains("! This is neither a URL nor a code."))
        }
    }

    @Test("Without input, the paste method fails", .timeLimit(.minutes(10)))
    func noInput() async throws {
        try await withWorld { world in
            let outcome = await signIn("--method", "paste", world: world) { _, paste in paste.finish() }
            #expect(outcome.exitCode == .interactionRequired)
            #expect(outcome.errors.contains("--method device"))
        }
    }

    @Test("After a response, a sign-in by paste needs no input", .timeLimit(.minutes(10)))
    func inputEndsAfterResponse() async throws {
        try await withWorld { world in
            let outcome = await signIn("--method", "paste", world: world) { text, paste in
                if text.contains("responded") { paste.finish() }
                guard
                    let page = text.firstMatch(of: #/http:\S+authorize\S+/#).flatMap({ URL(string: String($0.output)) })
                else { return }
                Task {
                    do { try await world.ann.walk(page) { _ in } } catch {
                        Issue.record(error)
                        paste.finish()
                    }
                }
            }
            #expect(outcome.exitCode == .done, "\(outcome.errors)")
            #expect(outcome.errors.contains("responded"))
        }
    }

    @Test("Over ssh, other methods are named, with the command that forwards the port")
    func overSSH() throws {
        let machine = MachineFacts(environment: ["SSH_CONNECTION": "10.0.0.2 50022 192.0.2.7 22", "USER": "alice"])
        let narrator = FlowNarrator(proposal: MethodProposal(machine))
        let url = try #require(URL(string: "https://login.example/a?redirect_uri=http%3A%2F%2Flocalhost%3A51234"))
        let pushed = try #require(URL(string: "https://login.example/a?client_id=c&request_uri=urn%3Aexample"))
        for (page, port) in [(url, nil), (pushed, 51234)] {
            var event = MSALFlowEvent(
                step: .openBrowser, phase: .started, detail: "", date: Date(), authorizationURL: page)
            event.redirectPort = port
            let lines = narrator.lines(event)
            #expect(lines.contains { $0.contains("'--method device'") })
            #expect(lines.last == "  ssh -N -L 51234:localhost:51234 alice@192.0.2.7")
        }
    }

    @Test("Device codes are not suggested if the authority does not offer them")
    func noDeviceCode() throws {
        let url = try #require(URL(string: "https://login.example/a?redirect_uri=http%3A%2F%2Flocalhost%3A51234"))
        let narrator = FlowNarrator(proposal: MethodProposal(MachineFacts(environment: [:]), offersDeviceCode: false))
        for (step, phase) in [
            (MSALFlowEvent.Step.openBrowser, MSALFlowEvent.Phase.started), (.waitForResponse, .noted),
        ] {
            let lines = narrator.lines(
                MSALFlowEvent(step: step, phase: phase, detail: "", date: Date(), authorizationURL: url))
            #expect(!lines.contains { $0.contains("--method device") })
            #expect(lines.contains { $0.contains("'--method paste'") })
        }
    }

    @Test(
        "While the browser is open, the redirect URI to register is named, but not for a client that registered itself",
        arguments: [SignInMethod.browser, .paste])
    func registration(method: SignInMethod) throws {
        let page = try #require(
            URL(string: "https://login.example/a?client_id=abc&redirect_uri=http%3A%2F%2Flocalhost%3A51234%2F"))
        let told = [
            "  If the sign-in page rejects the redirect URI, register this one for client ID abc:",
            "    http://localhost:51234/",
            "  Register it without the port if the authority accepts any port. If not, always sign in with --listen 51234.",
        ]
        let narrator = FlowNarrator(method: method, page: page)
        for (step, phase) in [
            (MSALFlowEvent.Step.openBrowser, MSALFlowEvent.Phase.started), (.waitForResponse, .noted),
        ] {
            let event = MSALFlowEvent(step: step, phase: phase, detail: "", date: Date(), authorizationURL: page)
            #expect(narrator.lines(event).joined(separator: "\n").contains(told.joined(separator: "\n")))
        }
        let own = FlowNarrator(method: method, page: page, isRegistered: true)
        let event = MSALFlowEvent(step: .openBrowser, phase: .started, detail: "", date: Date(), authorizationURL: page)
        #expect(own.lines(event).contains("  If the browser shows an error, press Ctrl-C and sign in again."))
        #expect(!own.lines(event).contains { $0.contains("check the redirect URI") })
        let fixed = RedirectRegistration(page: page, fixesPort: true)
        #expect(fixed?.lines.last == "Or use a registered one: --redirect-uri URI.")
        #expect(RedirectRegistration.fixesPort("http://127.0.0.1:8765/", nil))
        #expect(RedirectRegistration.fixesPort("http://localhost", MSALLoopbackListener("8400")))
        #expect(!RedirectRegistration.fixesPort("http://localhost", nil))
        let ownScheme = try #require(
            URL(string: "https://login.example/a?client_id=abc&redirect_uri=msauth.a%3A%2F%2Fauth"))
        #expect(RedirectRegistration(page: ownScheme, fixesPort: false)?.lines.count == 2)
        #expect(
            RedirectRegistration(page: try #require(URL(string: "https://login.example/logout")), fixesPort: false)
                == nil)
    }

    @Test("quiet prints only what the user needs while a sign-in waits")
    func quiet() throws {
        let page = try #require(
            URL(string: "https://login.example/a?client_id=abc&redirect_uri=http%3A%2F%2Flocalhost%3A51234%2F"))
        let narrator = FlowNarrator(page: page, isQuiet: true)
        func lines(_ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase) -> [String] {
            narrator.lines(
                MSALFlowEvent(step: step, phase: phase, detail: "A note.", date: Date(), authorizationURL: page))
        }
        #expect(lines(.openBrowser, .started).isEmpty && lines(.findAuthority, .succeeded).isEmpty)
        #expect(lines(.waitForCode, .noted).isEmpty && !lines(.openBrowser, .failed).isEmpty)
        let told = lines(.waitForResponse, .noted)
        #expect(told.starts(with: ["  A note.", page.absoluteString]))
        #expect(told.contains { $0.contains("register this one") })
        // The authority that sent a browser here accepts the redirect URI.
        var event = MSALFlowEvent(step: .waitForResponse, phase: .noted, detail: "A note.", date: Date())
        event.hasVisitor = true
        for isQuiet in [true, false] {
            let lines = FlowNarrator(page: page, isQuiet: isQuiet).lines(event)
            #expect(lines.first == "  A note." && !lines.contains { $0.contains("register") })
        }
    }

    @Test("The text about a device code", arguments: [true, false])
    func notice(drawsPicture: Bool) throws {
        let page = try #require(URL(string: "https://login.example/device"))
        let now = Date(timeIntervalSince1970: 0)
        let code = MSALDeviceCode(
            userCode: "BCDF\u{1B}-GHJK", verificationURL: page, expiresOn: now.addingTimeInterval(890), interval: 5,
            message: "")
        let text = DeviceCodeNotice(drawsPicture: drawsPicture, usesASCII: false).text(code, at: now)
        let bold = drawsPicture ? "\u{1B}[0;1m" : ""
        #expect(text.hasPrefix("Open https://login.example/device\nand enter the code \(bold)BCDF"))
        #expect(text.contains("expires in 15 minutes"))
        #expect(text.contains("▀") == drawsPicture)
        #expect(!text.contains("\u{1B}-"))
    }

    @Test(
        "The text about a device code has its URL once, with the code in it if the authority gives one",
        arguments: [
            (nil, "Open https://login.example/device\nand enter the code BCDF-GHJK.\nThe code"),
            (
                "https://login.example/device?user_code=BCDF-GHJK",
                "Open https://login.example/device?user_code=BCDF-GHJK\n"
                    + "and enter the code BCDF-GHJK if the page asks for it.\nThe code"
            ),
            (
                "https://short.example/BCDF",
                "Open https://login.example/device\nand enter the code BCDF-GHJK.\nOr open https://short.example/BCDF\nThe code"
            ),
        ])
    func deviceURL(complete: String?, _ expected: String) throws {
        let now = Date(timeIntervalSince1970: 0)
        let code = MSALDeviceCode(
            userCode: "BCDF-GHJK", verificationURL: try #require(URL(string: "https://login.example/device")),
            verificationURLComplete: complete.flatMap { URL(string: $0) }, expiresOn: now, interval: 5, message: "")
        let text = DeviceCodeNotice(drawsPicture: false, usesASCII: false).text(code, at: now)
        #expect(text.hasPrefix(expected), "\(text)")
    }
}

/// Passes on each text as it is written.
final class WatchedSink: TextSink {
    private let written = Locked("")
    private let watch: @Sendable (String) -> Void

    init(_ watch: @escaping @Sendable (String) -> Void) { self.watch = watch }

    var text: String { written.withLock { $0 } }

    func write(_ text: String) throws(TextSinkFailure) {
        written.withLock { $0 += text }
        watch(text)
    }
}

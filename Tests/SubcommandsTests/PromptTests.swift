import Console
import DemoAuthority
import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// What a sign-in without a browser prints for the user, and the method that it chooses.
@Suite("Prompts of a sign-in", .serialized, .oneSessionAtATime)
struct PromptTests {
    private typealias World = SignInTests.World

    /// Runs `sign-in` without a display; `act` gets each printed text, and may end the input.
    private func signIn(
        _ arguments: [String], _ environment: [String: String], cache: String,
        opening browser: (@Sendable (URL) async throws -> Void)? = nil,
        act: @escaping @Sendable (String, AsyncStream<String>.Continuation) -> Void
    ) async -> World.Outcome {
        let (stream, paste) = AsyncStream.makeStream(of: String.self)
        let (output, errors) = (MemorySink(), WatchedSink { act($0, paste) })
        let surroundings = Surroundings.test(
            environment, output: output, errors: errors, browser: browser, pastes: { stream })
        let exitCode = await Program.run(["sign-in"] + arguments + ["--cache", cache], in: surroundings)
        return World.Outcome(exitCode: exitCode, output: output.text, errors: errors.text)
    }

    private func address(_ pattern: Regex<Substring>, in text: String) -> URL? {
        text.firstMatch(of: pattern).flatMap { URL(string: String($0.output)) }
    }

    @Test("Without a display, the default is a device code", .timeLimit(.minutes(10)))
    func device() async throws {
        try await withWorld { world in
            let ann = MethodsTests.ann()
            let outcome = await signIn([], world.environment, cache: world.folder.path + "/tokens.db") { text, _ in
                guard let page = address(#/http:\S+user_code=\S+/#, in: text) else { return }
                Task { try await ann.finish(from: page) }
            }
            #expect(outcome.exitCode == .done, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("ann@contoso.example  "))
            #expect(outcome.errors.contains("and enter the code "))
            #expect(outcome.errors.ranges(of: "/device").count == 1, "\(outcome.errors)")
        }
    }

    @Test("With -o json, the URL is a prompt if no browser opens", .timeLimit(.minutes(10)))
    func noBrowserForScripts() async throws {
        struct NoBrowser: Error {}
        try await withWorld { world in
            let ann = MethodsTests.ann()
            let outcome = await signIn(
                ["--method", "browser", "-o", "json"], world.environment, cache: world.folder.path + "/tokens.db",
                opening: { _ in throw NoBrowser() }
            ) { text, _ in
                guard let page = address(#/http:\S+authorize[^\s"\\]+/#, in: text) else { return }
                Task {
                    let landing = try await ann.walk(from: page)
                    _ = try await CurlTransport().send(HTTPRequest(.get, landing))
                }
            }
            #expect(outcome.exitCode == .done, "\(outcome.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
            #expect((object?["prompts"] as? [String])?.first?.contains("authorize") == true)
            #expect(object?.count == 1)
        }
    }

    @Test("With -o json, a failure after a prompt is in the same object", .timeLimit(.minutes(10)))
    func failureAfterPrompt() async throws {
        try await withWorld { world in
            let outcome = await signIn(
                ["--method", "paste", "-o", "json"], world.environment, cache: world.folder.path + "/tokens.db"
            ) { _, paste in paste.finish() }
            #expect(outcome.exitCode == .interactionRequired)
            let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
            #expect((object?["prompts"] as? [String])?.isEmpty == false)
            #expect((object?["error"] as? [String: Any])?["name"] as? String == "nothingPasted")
        }
    }

    @Test(
        "Without device codes at the authority, the default is paste, also if discovery is never stored",
        .timeLimit(.minutes(10)), arguments: ["no-store", "max-age=3600"])
    func noDeviceCode(caching: String) async throws {
        let folder = try TemporaryFolder(in: [:])
        let origin = Locked("")
        let server = try LoopbackServer.start { request in
            let issuer = origin.withLock { $0 }
            let document = """
                {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
                "jwks_uri":"\(issuer)/keys"}
                """
            let body = request.url.path() == "/keys" ? #"{"keys":[]}"# : document
            return HTTPResponse(status: 200, headers: ["Cache-Control": caching], body: Array(body.utf8))
        }
        defer {
            server.stop()
            folder.remove()
        }
        origin.withLock { $0 = "http://127.0.0.1:\(server.port)" }
        let outcome = await signIn(
            ["--client-id", "native", "--authority", origin.withLock { $0 }], ["HOME": folder.path],
            cache: folder.path + "/tokens.db"
        ) { _, paste in paste.finish() }
        #expect(outcome.exitCode == .interactionRequired, "\(outcome.errors)")
        #expect(outcome.errors.contains("Open this URL in any browser and sign in:"))
        #expect(!outcome.errors.contains("device"), "\(outcome.errors)")

        let output = MemorySink()
        _ = await Program.run(
            [
                "check", "--client-id", "native", "--authority", origin.withLock { $0 }, "--cache",
                folder.path + "/new.db",
            ],
            in: .test(["HOME": folder.path, "PATH": "/usr/bin:/bin"], output: output))
        #expect(output.text.contains("paste: Sign in with any browser"), "\(output.text)")
    }

    @Test("A signal completes the JSON object once, before and after a prompt", arguments: [true, false])
    func signal(isPrompted: Bool) throws {
        let errors = MemorySink()
        let object = ErrorWriter(on: errors)
        if isPrompted {
            object.add(prompt: "Open this address.\n")
            object.note(page: URL(string: "https://id.example/?state=a"))
        }
        object.finish(with: Failure(reporting: Interrupted(signal: SIGTERM, losesResponse: false)))
        object.add(prompt: "Too late.")
        object.finish(with: Failure(reporting: CancellationError()))
        let document = try JSONSerialization.jsonObject(with: Data(errors.text.utf8)) as? [String: Any]
        let error = document?["error"] as? [String: Any]
        #expect(error?["name"] as? String == "interrupted" && error?["code"] as? Int == 143)
        #expect(error?["description"] as? String == "Ended by SIGTERM.")
        #expect((document?["prompts"] != nil) == isPrompted)
        #expect((error?["nextStep"] as? String)?.hasPrefix("Run the command again.") == true)
        #expect(error?["url"] as? String == (isPrompted ? "https://id.example/?state=a" : nil))
    }

    @Test("A signal that costs a response says so, and what to do")
    func lostResponse() {
        let lost = Failure(reporting: Interrupted(signal: SIGTERM, losesResponse: true))
        #expect(lost.reason == "Ended by SIGTERM. The authority's response to a token request is lost.")
        #expect(lost.advice.hasSuffix("If the authority has replaced the refresh token, sign in again."))
    }
}

import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Console
@testable import Diagnosis
@testable import Subcommands

/// Each replay is a test of the diagnosis: the recorded requests of its failing steps have the cause, and those of the fix have none.
@Suite("Replays", .oneSessionAtATime)
struct ReplayTests {
    /// The requests of a scenario as a proxy between all parties records them.
    private final class Recorder: Sendable {
        private let exchanges = Locked<[Exchange]>([])

        func add(_ request: HTTPRequest, _ response: HTTPResponse, at time: Date) {
            var exchange = Exchange(
                number: 0, time: time, milliseconds: 1, method: request.method.rawValue.uppercased(),
                url: request.url.absoluteString, requestHeaders: request.headers, status: response.status)
            exchange.form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            exchange.parameters = Parameters(
                Parameters(queryAndFragmentOf: exchange.url).pairs
                    + Parameters(formEncoded: String(decoding: request.body, as: UTF8.self)).pairs)
            exchange.responseHeaders = response.headers
            exchange.body = String(decoding: response.body, as: UTF8.self)
            append(exchange)
        }

        func add(_ landing: URL, isAccepted: Bool, at time: Date) {
            var exchange = Exchange(
                number: 0, time: time, method: "GET", url: landing.absoluteString, status: isAccepted ? 200 : 400)
            exchange.parameters = Parameters(queryAndFragmentOf: exchange.url)
            append(exchange)
        }

        private func append(_ exchange: Exchange) {
            exchanges.withLock { all in
                var exchange = exchange
                exchange.number = all.count + 1
                all.append(exchange)
            }
        }

        /// The recording since the last call.
        func take() -> [UInt8] {
            exchanges.withLock { all in
                defer { all = [] }
                return Array(HARFile.copy(of: all, by: "mitmproxy").utf8)
            }
        }
    }

    private static func explain(_ bytes: [UInt8]) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        return try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000)
        ).explain(file: bytes)
    }

    @Test("The failing steps have the cause, and the fixed ones none", arguments: Replay.rows.map(\.cause))
    func replayed(cause: String) async throws {
        let replay = try #require(Replay(cause: cause, CustomerRequest()))
        let world = try World(replay.scenario.settings)
        let recorder = Recorder()
        let time = world.time
        world.transport.tamper { request, response in
            recorder.add(request, response, at: time.now())
            return response
        }
        let opened = try world.opened(
            replay.scenario, onLand: { recorder.add($0, isAccepted: $1, at: time.now()) })
        var failing = [UInt8]()
        let model = await WalkPlayer(opened, now: { time.now() }).play(onStep: { model in
            if model.walk?.done == replay.failing, failing.isEmpty { failing = recorder.take() }
        })
        try Tour.check(model, of: replay.scenario)
        let explanation = try Self.explain(failing)
        #expect(explanation.cause == cause, "\(explanation.findings)")
        let fixed = try Self.explain(recorder.take())
        #expect(fixed.cause == nil, "\(fixed.findings)")
    }

    @Test("There are at least fifteen, and every other cause says why there is none")
    func reasons() {
        #expect(Replay.rows.count >= 15 && Set(Replay.rows.map(\.cause)).count == Replay.rows.count)
        let ids = CauseRules.all.compactMap(\.id) + KnownCause.bundled.map(\.id)
        for id in ids where Replay.row(for: id) == nil { #expect(Replay.reason(for: id).hasSuffix("."), "\(id)") }
        #expect(Replay.row(for: "AADSTS50011")?.cause == "redirect-uri-not-registered")
        #expect(Replay.reason(for: "AADSTS50105").contains("AADSTS50105"))
    }

    @Test("The customer's scopes, path and prompt are used, as far as the authority has them")
    func parameters() throws {
        var customer = CustomerRequest()
        customer.scopes = ["https://graph.microsoft.com/Mail.Read", "api://secret-project/Do.It"]
        (customer.redirectPath, customer.prompt) = ("/App1", "login")
        let scenario = try #require(Replay(cause: "redirect-uri-not-registered", customer)).scenario
        #expect(scenario.client.scopes == ["Mail.Read"])
        #expect(scenario.client.redirectURIs == ["http://localhost/App1", "http://localhost"])
        #expect(scenario.steps.allSatisfy { $0.prompt == .login })
        #expect(!scenario.story.contains("secret-project") && scenario.story.contains("/App1"))
    }

    @Test("A healthy sign-in of the built-in authority is one, and differs from a failed one at its first arrow")
    func healthy() async throws {
        let world = try World()
        let model = try await world.player(.plainSignIn).play(steps: 1)
        let archive = Array(model.archive.utf8)
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
        #expect(try !explainer.compare(archive, with: archive, as: .healthy).isDifferent)
        let failed =
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://id.example/authorize?client_id=a&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2F&scope=a&state=b"},"response":{"status":302}}]}}"#
        let comparison = try explainer.compare(Array(failed.utf8), with: archive, as: .healthy)
        #expect(comparison.isDifferent)
        #expect(comparison.steps.last?.differences.map(\.name) == ["code_challenge", "code_challenge_method"])
    }
}

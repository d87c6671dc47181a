import Console
import DemoAuthority
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import MSALTesting
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Held requests of a flow, with the built-in authority.
@Suite("Held requests", .timeLimit(.minutes(1))) struct StepTests {
    /// A flow and what it did.
    private struct Flow {
        var held: [MSALHeldRequest] = []
        var exchanges: [MSALFlowExchange] = []
        var failure: Failure?
        var isIgnored = false
        var world: TestSupport.World
    }

    /// An application whose sign-ins run beside those of other tests.
    private static func application(of world: TestSupport.World) throws -> MSALPublicClientApplication {
        var dependencies = world.dependencies
        dependencies.world = ObjectIdentifier(world.store)
        return try world.application(with: dependencies)
    }

    /// Signs Ann in by the browser and refreshes, with changes to the first request of a role.
    private func flow(
        _ changed: Exchange.Role?, _ edits: [MSALRequestEdit], silent: Bool = false,
        change: @escaping @Sendable (URL) -> URL = { $0 }
    ) async throws -> Flow {
        var world = try TestSupport.World()
        world.seat(.ann, change: change)
        let application = try Self.application(of: world)
        let (held, exchanges) = (Locked<[MSALHeldRequest]>([]), Locked<[MSALFlowExchange]>([]))
        let isIgnored = Locked(false)
        @Sendable func fill(_ parameters: MSALTokenParameters) {
            parameters.flowExchangeHandler = { exchange in exchanges.withLock { $0.append(exchange) } }
            parameters.flowRequestHandler = { request in
                let isFirst = held.withLock { held in
                    held.append(request)
                    return !held.dropLast().contains { $0.exchange.role == request.exchange.role }
                }
                return isFirst && request.exchange.role == changed ? edits : []
            }
        }
        func signIn(isHeld: Bool) async throws -> MSALResult {
            let parameters = MSALInteractiveTokenParameters(
                scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
            parameters.responseTimeout = 5
            guard isHeld else { return try await application.acquireToken(with: parameters) }
            fill(parameters)
            let (watch, heard) = AsyncStream.makeStream(of: Never.self)
            if edits == [.alter("state")] {
                parameters.flowEventHandler = { event in
                    guard event.isIgnoredResponse else { return }
                    isIgnored.withLock { $0 = true }
                    heard.finish()
                }
            }
            let call = Task { [parameters] in try await application.acquireToken(with: parameters) }
            let waiting = Task {
                for await _ in watch {}
                call.cancel()
            }
            defer { waiting.cancel() }
            return try await call.value
        }
        var flow = Flow(world: world)
        do {
            if silent {
                let account = try await signIn(isHeld: false).account
                let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
                parameters.forceRefresh = true
                fill(parameters)
                _ = try await application.acquireTokenSilent(with: parameters)
            } else {
                _ = try await signIn(isHeld: true)
            }
        } catch { flow.failure = Failure(error) }
        flow.isIgnored = isIgnored.withLock(\.self)
        (flow.held, flow.exchanges) = (held.withLock(\.self), exchanges.withLock(\.self))
        return flow
    }

    @Test("Each request is held once, in order, and without a change the flow is the ordinary one")
    func unchanged() async throws {
        let flow = try await flow(nil, [])
        #expect(flow.failure == nil)
        #expect(flow.held.map(\.exchange.role).contains(.authorize))
        #expect(flow.held.last?.exchange.role == .codeGrant)
        let sent = flow.exchanges.filter { $0.direction != .frontChannelResponse }
        #expect(sent.map(\.role) == flow.held.map(\.exchange.role) && sent.allSatisfy(\.changes.isEmpty))
        #expect(try flow.world.application().allAccounts().count == 1)
    }

    @Test("A held request shows its parameters without secrets, and only those can be changed")
    func shown() async throws {
        let held = try await flow(nil, []).held
        for request in held {
            let isForm = [.authorize, .codeGrant].contains(request.exchange.role)
            #expect(request.isEditable == isForm && request.exchange.status == nil)
        }
        let code = held.last?.exchange.parameters.first { $0.name == "code" }
        #expect(code?.isRedacted == true && code?.value.contains("‹redacted›") == true)
    }

    /// The built-in authority rejects, or this program notices, whatever a specification demands.
    @Test("Whatever must be rejected is rejected, and nothing of it is kept", arguments: WhatIf.all.indices)
    func lessons(_ index: Int) async throws {
        let what = WhatIf.all[index]
        let roles: [(Exchange.Role, Bool)] = [(.authorize, false), (.codeGrant, false), (.refreshGrant, true)]
        for (role, isSilent) in roles {
            let probe = try await flow(nil, [], silent: isSilent).held.last { $0.exchange.role == role }
            guard let probe, WhatIf.fitting(probe).contains(what) else { continue }
            let flow = try await flow(role, what.edits, silent: isSilent)
            let start = flow.exchanges.firstIndex { !$0.changes.isEmpty } ?? 0
            #expect(flow.failure != nil, "\(what.title) returned a token")
            let ending: ChangedFlowEnding =
                flow.failure?.headline == Failure.headlineOfChange
                ? .accepted
                : flow.exchanges.contains { $0.direction == .frontChannelResponse } || isSilent
                    ? .failed(flow.failure?.headline ?? "") : .cancelled
            let finding = what.finding(
                Array(flow.exchanges.dropFirst(start)), ending, isIgnored: flow.isIgnored)
            #expect([.passed, .skipped].contains(finding?.verdict), "\(role) \(what.title): \(finding?.fact ?? "-")")
            #expect(try flow.world.application().allAccounts().count == (isSilent ? 1 : 0))
            if isSilent {
                // The cached refresh token still works.
                let application = try flow.world.application()
                let account = try #require(try application.allAccounts().first)
                let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
                parameters.forceRefresh = true
                #expect(try await application.acquireTokenSilent(with: parameters).accessToken.isEmpty == false)
            }
        }
    }

    @Test("The document lists each change with what is demanded")
    func document() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/step.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        for what in WhatIf.all {
            let demanded =
                switch what.demand {
                case .rejected: "rejected by the authority"
                case .noticedHere: "noticed by Keyturn"
                case .open: "open"
                }
            let row = text.split(separator: "\n").contains {
                $0.hasPrefix("| \(what.title) |") && $0.hasSuffix("| \(demanded) | \(what.source) |")
            }
            #expect(row, "\(what.title), \(what.source)")
        }
        #expect(
            WhatIf.all.count
                == text.components(separatedBy: "\n").count {
                    $0.hasPrefix("| ") && $0.contains(" | RFC ") || $0.contains(" | OpenID ")
                })
    }

    @Test("A recorded request is put into an own sign-in with the own client, and the first difference is named")
    func like() async throws {
        let own = try await flow(nil, [])
        let page = try #require(own.held.first { $0.exchange.role == .authorize })
        let har = HARFile.text(of: own.exchanges, comment: "")
        let same = try RecordedSignIn(Array(har.utf8))
        #expect(WhatIf(like: same, in: page) == nil)
        #expect(same.firstDifference(from: own.exchanges).verdict == .passed)

        let customers = har.replacing("User.Read", with: "Mail.Read").replacing(
            DemoAuthorityServer.clientID, with: "11111111-0000-4000-8000-000000000000")
        let recorded = try RecordedSignIn(Array(customers.utf8))
        let what = try #require(WhatIf(like: recorded, in: page))
        #expect(what.edits.compactMap(\.parameter) == ["scope"])
        #expect(own.held.allSatisfy { $0.exchange.role == .authorize || WhatIf(like: recorded, in: $0) == nil })
        let walked = try await flow(.authorize, what.edits)
        #expect(walked.exchanges.contains { $0.changes == ["scope changed"] })
        let difference = recorded.firstDifference(from: own.exchanges)
        #expect(difference.verdict == .warning && difference.fact.contains("scope"))
    }

    @Test(
        "A file without a sign-in to walk is an error in one sentence",
        arguments: [
            ("{}", "has no request of a sign-in."), (#"{"log":{"version":"1.2","entries":[{"request":"#, "is cut off"),
            ("POST /token grant_type=client_credentials", "has"),
        ])
    func noRecording(_ text: String, _ words: String) async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let file = URL(fileURLWithPath: folder.path + "/customer.har")
        try Data(text.utf8).write(to: file)
        let errors = MemorySink()
        let exitCode = await Program.run(
            ["--plain", "step", "--like", file.path], in: .test(output: MemorySink(), errors: errors))
        #expect(exitCode == .failed && errors.text.contains(words), "\(errors.text)")
    }

    @Test("The secrets of a changed flow can't be revealed, and another value shows nothing of the real one")
    func withheld() async throws {
        let own = try await flow(nil, [])
        let code = try #require(own.exchanges.last?.parameters.first { $0.name == "code" })
        #expect(code.isRedacted && !code.reveal().contains("redacted"))
        let changed = try await flow(.authorize, [.replace("foo", with: "bar")])
        #expect(changed.failure?.headline == Failure.headlineOfChange)
        let tokens = changed.exchanges.last { $0.role == .codeGrant }?.parameters.filter { $0.kind == .secret } ?? []
        #expect(tokens.contains { $0.name == "refresh_token" } && tokens.allSatisfy { !$0.isRedacted })
        #expect(tokens.allSatisfy { $0.reveal() == $0.value && $0.value.contains("redacted") })

        let wrong = try await flow(.codeGrant, [.alter("client_id")])
        let sent = wrong.exchanges.last { $0.role == .codeGrant }?.parameters.first { $0.name == "client_id" }
        #expect(sent?.value.allSatisfy { "0a-".contains($0) } == true)
    }

    @Test("Several changes at once are judged together, without a lesson")
    func joined() throws {
        let (one, other) = (WhatIf.all[0], WhatIf(.replace("foo", with: "bar")))
        let joined = try #require(WhatIf(joining: [one, other]))
        #expect(joined.title == "\(one.title) and foo changed" && joined.demand == .open && joined.source.isEmpty)
        #expect(WhatIf(joining: [one]) == one && WhatIf(joining: []) == nil)
    }

    @Test("What was changed is said without its value")
    func changes() async throws {
        let flow = try await flow(
            .codeGrant, [.replace("code_verifier", with: "my-own-secret-value"), .leaveOut("scope")])
        let changed = flow.exchanges.first { !$0.changes.isEmpty }
        #expect(changed?.changes == ["code_verifier changed", "scope left out"])
        #expect(!"\(flow.exchanges)".contains("my-own-secret-value"))
    }

    @Test(
        "What makes no request is held again with the reason, and sends nothing",
        arguments: [
            (MSALRequestEdit.leaveOut("foo"), "The request has no parameter foo."),
            (.alter("foo"), "The request has no parameter foo."),
            (.replace("a b", with: "x"), "A parameter's name has only visible ASCII characters."),
            (
                .replace("redirect_uri", with: "example.com/cb"),
                "The value of redirect_uri is no URL: it needs a scheme, such as https:, and no spaces."
            ),
            (
                .replace("redirect_uri", with: "https://a b"),
                "The value of redirect_uri is no URL: it needs a scheme, such as https:, and no spaces."
            ),
            (.replace("code", with: "a\u{0}b"), "The value of code contains a control character."),
            (.replace("code", with: String(repeating: "a", count: 70_000)), "The value of code has more than 64 KiB."),
        ])
    func problems(_ edit: MSALRequestEdit, _ problem: String) async throws {
        let flow = try await flow(.codeGrant, [edit])
        let codes = flow.held.filter { $0.exchange.role == .codeGrant }
        #expect(codes.map(\.problem) == [nil, problem])
        // The second time it was sent as it is.
        #expect(flow.failure == nil && flow.exchanges.allSatisfy(\.changes.isEmpty))
    }

    @Test("A request that isn't released isn't sent, also where a code would be redeemed")
    func cancelled() async throws {
        var world = try TestSupport.World()
        world.seat(.ann)
        let application = try Self.application(of: world)
        let reached = Locked(0)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        parameters.flowRequestHandler = { request in
            guard request.exchange.role == .codeGrant else { return [] }
            signal.yield()
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            throw CancellationError()
        }
        parameters.flowExchangeHandler = { exchange in
            if exchange.role == .codeGrant { reached.withLock { $0 += 1 } }
        }
        let call = Task { [parameters] in try await application.acquireToken(with: parameters) }
        for await _ in signals { break }
        call.cancel()
        let failure = await #expect(throws: (any Error).self) { try await call.value }
        #expect(failure.map { Failure($0).kind } == .canceled)
        #expect(reached.withLock(\.self) == 0)
    }
}

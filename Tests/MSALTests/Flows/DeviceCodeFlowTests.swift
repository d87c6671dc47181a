import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Signing in with a device code at the built-in authority, in memory, and its failures.
@Suite struct DeviceCodeFlowTests {
    private let world: World
    private let codes = Codes()

    init() throws { world = try World() }

    private func parameters(_ log: EventLog? = nil) -> MSALDeviceCodeParameters {
        let codes = codes
        let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { codes.add($0) }
        parameters.flowEventHandler = log?.handler
        return parameters
    }

    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await work() }
        return try #require(error)
    }

    /// The user enters the code after this many polls.
    private func enter(
        after waits: Int, _ username: String = "ann@contoso.example", password: String = "ann-likes-tea",
        consent: ScriptedUser.Consent = .accept
    ) {
        let count = Locked(0)
        let transport = world.transport
        let codes = codes
        world.time.meanwhile { _ in
            let isTheirTurn = count.withLock { count in
                count += 1
                return count == waits
            }
            guard isTheirTurn, let page = codes.all.last?.verificationURLComplete else { return }
            let user = ScriptedUser(username: username, password: password, consent: consent) {
                try await transport.send($0)
            }
            _ = try await user.finish(from: page)
        }
    }

    private var questions: [HTTPRequest] {
        world.transport.requests.filter { String(decoding: $0.body, as: UTF8.self).contains("device_code=") }
    }

    @Test func aUserEntersTheCodeElsewhere() async throws {
        enter(after: 3)
        let application = try world.application()
        let log = EventLog()
        let result = try await application.acquireToken(with: parameters(log))

        #expect(result.account.username == "ann@contoso.example")
        #expect(!result.isFromCache)
        let met = Set(result.idTokenVerdicts.filter { $0.outcome == .passed }.map(\.rule))
        #expect(met.isSuperset(of: ["Signature", "Issuer", "Audience", "Expiry", "Access token hash"]))
        #expect(result.idTokenVerdicts.first { $0.rule == "Nonce" }?.outcome == .skipped)
        #expect(log.steps == [.findAuthority, .showCode, .waitForCode, .verifyIDToken, .saveTokens])
        #expect(questions.count == 3)
        #expect(world.time.now() == ManualTime.start.addingTimeInterval(15))

        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
    }

    @Test func theCodeIsShownOnceAndNoEventContainsIt() async throws {
        enter(after: 1)
        let log = EventLog()
        let result = try await world.application().acquireToken(with: parameters(log))
        let code = try #require(codes.all.first)
        #expect(codes.all.count == 1)
        #expect(code.verificationURL.absoluteString == "http://127.0.0.1:8400/device")
        #expect(code.expiresOn == ManualTime.start.addingTimeInterval(900))
        #expect(code.interval == 5)
        #expect(code.message.contains(code.userCode))
        let told = log.all.map(\.detail).joined(separator: "\n")
        #expect(!told.contains(code.userCode) && !told.contains(result.accessToken))
    }

    @Test func decliningIsACancellation() async throws {
        enter(after: 1, "wang@contoso.example", password: "wang-likes-jazz", consent: .decline)
        let log = EventLog()
        let error = try await failure { try await world.application().acquireToken(with: parameters(log)) }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "access_denied")
        #expect(log.all.last { $0.step == .waitForCode }?.detail == "The sign-in was declined")
        #expect(world.store.all.isEmpty)
    }

    @Test func aCodeThatIsNeverEnteredExpires() async throws {
        let error = try await failure { try await world.application().acquireToken(with: parameters()) }
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "expired_token")
        #expect(error.localizedRecoverySuggestion?.contains("Start again") == true)
        #expect(world.time.now() == ManualTime.start.addingTimeInterval(900))
        #expect(questions.count == 179)
    }

    @Test func slowDownIsObeyed() async throws {
        let times = Times()
        world.transport.tamper { [time = world.time] request, response in
            guard String(decoding: request.body, as: UTF8.self).contains("device_code=") else { return response }
            times.add(time.now())
            return times.all.count == 2
                ? HTTPResponse(status: 400, body: Array(#"{"error":"slow_down"}"#.utf8)) : response
        }
        enter(after: 4)
        let log = EventLog()
        _ = try await world.application().acquireToken(with: parameters(log))
        #expect(times.all.map { $0.timeIntervalSince(ManualTime.start) } == [5, 10, 20, 30])
        #expect(log.all.contains { $0.step == .waitForCode && $0.detail.contains("longer polling interval") })
    }

    @Test func networkErrorsSlowPollingDownAndEndNothing() async throws {
        let transport = world.transport
        let time = world.time
        let asked = Times()
        let codes = codes
        time.meanwhile { _ in
            let elapsed = time.now().timeIntervalSince(ManualTime.start)
            transport.trouble(elapsed < 60 ? .offline : elapsed < 120 ? .status(503) : nil)
            asked.add(time.now())
            guard elapsed > 120, let page = codes.all.last?.verificationURLComplete else { return }
            let user = ScriptedUser(username: "ann@contoso.example", password: "ann-likes-tea") {
                try await transport.send($0)
            }
            _ = try? await user.finish(from: page)
        }
        let result = try await world.application().acquireToken(with: parameters())
        #expect(result.account.username == "ann@contoso.example")
        #expect(asked.all.map { $0.timeIntervalSince(ManualTime.start) } == [5, 15, 35, 75, 135])
    }

    @Test func aPollIsNotRetried() async throws {
        let time = world.time
        world.transport.tamper { request, response in
            String(decoding: request.body, as: UTF8.self).contains("device_code=")
                ? HTTPResponse(status: 503, headers: ["Retry-After": "300"]) : response
        }
        let error = try await failure { try await world.application().acquireToken(with: parameters()) }
        #expect(questions.count == 3, "at 5, 305 and 605 seconds")
        #expect(error.failureKind == .unavailable, "not an expired code")
        #expect(time.now() == ManualTime.start.addingTimeInterval(900))
    }

    @Test("If the last poll fails, the network is the cause, not an expired code")
    func outageToTheEnd() async throws {
        let transport = world.transport
        world.time.meanwhile { _ in transport.trouble(.offline) }
        let error = try await failure { try await world.application().acquireToken(with: parameters()) }
        #expect(error.failureKind == .unavailable)
        #expect(error.localizedDescription.contains("Can't reach"))
    }

    @Test func cancellingEndsTheWait() async throws {
        let application = try world.application()
        let parameters = parameters()
        world.time.meanwhile { _ in withUnsafeCurrentTask { $0?.cancel() } }
        let log = EventLog()
        parameters.flowEventHandler = log.handler
        let task = Task { try await application.acquireToken(with: parameters) }
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(log.all.last?.detail == "Cancelled")
    }

    @Test func anotherUserIsRejected() async throws {
        enter(after: 1)
        let application = try world.application()
        let ann = try await application.acquireToken(with: parameters()).account
        enter(after: 1, "zoe@fabrikam.example", password: "zoe-likes-rain")
        let parameters = parameters()
        parameters.account = ann
        let error = try await failure { try await application.acquireToken(with: parameters) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(try application.allAccounts().map(\.username) == ["ann@contoso.example"])
    }

    @Test func anAuthorityWithoutDeviceCodesIsReported() async throws {
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("openid-configuration") else { return response }
            return HTTPResponse(
                status: 200, body: Array(response.text.replacing("device_authorization_endpoint", with: "x").utf8))
        }
        let error = try await failure { try await world.application().acquireToken(with: parameters()) }
        #expect(error.localizedDescription.contains("device_authorization_endpoint"))
        #expect(error.localizedRecoverySuggestion?.contains("browser") == true)
    }

    @Test func completionBlockGetsTheSameResult() async throws {
        enter(after: 1)
        let application = try world.application()
        let parameters = parameters()
        let username = await withCheckedContinuation { continuation in
            application.acquireToken(with: parameters) { result, _ in
                continuation.resume(returning: result?.account.username)
            }
        }
        #expect(username == "ann@contoso.example")
    }

    /// An OpenID provider that sends no ID token for a device code, as some do.
    @Test("Without an ID token, userinfo identifies the user", arguments: [true, false])
    func withoutIDToken(hasUserInfo: Bool) async throws {
        world.transport.tamper { request, response in
            if request.url.path().hasSuffix("openid-configuration") {
                let endpoint = #""userinfo_endpoint":"http://127.0.0.1:8400/userinfo","own":"#
                return HTTPResponse(
                    status: 200,
                    body: Array(response.text.replacing(#""userinfo_endpoint":"#, with: endpoint).utf8))
            }
            if request.url.path() == "/userinfo" {
                let isAllowed = request.headers["Authorization"]?.hasPrefix("Bearer ey") == true && hasUserInfo
                return HTTPResponse(
                    status: isAllowed ? 200 : 403,
                    body: Array(#"{"sub":"ann-at-home","preferred_username":"ann","name":"Ann"}"#.utf8))
            }
            return HTTPResponse(
                status: response.status, headers: response.headers,
                body: Array(response.text.replacing(#""id_token""#, with: #""other""#).utf8))
        }
        enter(after: 1)
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        guard hasUserInfo else {
            let error = try await failure { try await application.acquireToken(with: parameters()) }
            #expect(error.localizedDescription == "127.0.0.1:8400 did not identify the user (HTTP 403).")
            return #expect(world.store.all.isEmpty)
        }
        let result = try await application.acquireToken(with: parameters())
        #expect(result.account.username == "ann")
        #expect(result.idToken == nil && result.idTokenVerdicts.isEmpty)
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
        #expect(try await application.acquireTokenSilent(with: silent).isFromCache)
    }
}

private final class Codes: Sendable {
    private let codes = Locked<[MSALDeviceCode]>([])

    var all: [MSALDeviceCode] { codes.withLock { $0 } }

    func add(_ code: MSALDeviceCode) { codes.withLock { $0.append(code) } }
}

private final class Times: Sendable {
    private let times = Locked<[Date]>([])

    var all: [Date] { times.withLock { $0 } }

    func add(_ date: Date) { times.withLock { $0.append(date) } }
}

import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The telemetry headers that Entra gets, and a program's own telemetry (docs/upstream-behaviour.md §9.1 and §12).
@Suite(.oneSessionAtATime) struct RequestTelemetryTests {
    private static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }

    private static func error(_ oauth: String? = nil) -> NSError {
        var userInfo: [String: Any] = [MSALInternalErrorCodeKey: -42004]
        userInfo[MSALOAuthErrorKey] = oauth
        return NSError(domain: MSALErrorDomain, code: -50000, userInfo: userInfo)
    }

    @Test func theHeaderOfTheCurrentRequestIsTwoNumbers() {
        #expect(RequestTelemetry.current(.interactive, .notRequested) == "4|167,0|")
        #expect(RequestTelemetry.current(.silent, .due) == "4|34,4|")
    }

    @Test func theLastRequestsAreSentUntilTheyAreDelivered() {
        var telemetry = RequestTelemetry()
        #expect(telemetry.last.header == "4|0|||")
        telemetry.noteSilentHit()
        telemetry.noteSilentHit()
        telemetry.noteFailure(.silent, Self.id(1), Self.error("invalid_grant"))
        telemetry.noteFailure(.interactive, Self.id(2), Self.error())
        let last = telemetry.last
        #expect(
            last.header == """
                4|2|34,00000000-0000-0000-0000-000000000001,167,00000000-0000-0000-0000-000000000002|invalid_grant,-42004|
                """)
        telemetry.noteDelivery(of: last.failures)
        #expect(telemetry == RequestTelemetry())
    }

    @Test func entriesThatDoNotFitWaitForTheNextRequest() {
        var telemetry = RequestTelemetry()
        for number in 1...100 { telemetry.noteFailure(.silent, Self.id(UInt8(number)), Self.error()) }
        #expect(telemetry.failures.count == 75)
        var told = 0
        while !telemetry.failures.isEmpty {
            let last = telemetry.last
            #expect(last.header.utf8.count <= 350)
            #expect(!last.failures.isEmpty)
            guard !last.failures.isEmpty else { return }
            told += last.failures.count
            telemetry.noteDelivery(of: last.failures)
        }
        #expect(told == 75)
    }

    @Test(arguments: ["inv|alid", "a,b", "x\r\ny", "", "Ünicode", String(repeating: "a", count: 41)])
    func aServerErrorThatAHeaderCannotHoldIsSentAsANumber(word: String) {
        #expect(RequestTelemetry.code(of: Self.error(word)) == "-42004")
    }

    @Test(
        arguments: [
            (
                AccountReference(homeAccountID: "u.t", objectID: "u", tenantID: "t", username: "n"), nil,
                "Oid:u@t"
            ),
            (
                AccountReference(homeAccountID: "u", objectID: nil, tenantID: nil, username: "n"), "h",
                "UPN:n"
            ),
            (nil, "h", "UPN:h"), (nil, "", nil), (nil, nil, nil),
        ] as [(AccountReference?, String?, String?)])
    func theMailboxIsTheAccountsElseTheHints(account: AccountReference?, hint: String?, value: String?) {
        #expect(AnchorMailbox.value(account: account, loginHint: hint) == value)
    }

    @Test func aNameThatAHeaderCannotHoldIsLeftOut() {
        let metadata = ClientMetadata(
            system: SystemDescription(version: "6.1"), applicationName: "Größe\r\nX: y", applicationVersion: "1.2")
        #expect(metadata.headers["x-app-name"] == nil)
        #expect(metadata.headers["x-app-ver"] == "1.2")
        #expect(metadata.headers["x-client-SKU"] == "MSAL.Linux")
        #expect(metadata.headers["x-client-OS"] == "6.1")
        #expect(metadata.headers["x-client-CPU"] == "64" || metadata.headers["x-client-CPU"] == "32")
        #expect(metadata.application["x-app-name"] == "Größe\r\nX: y")
    }

    private func signIn(
        _ application: MSALPublicClientApplication, _ log: EventLog? = nil
    ) async throws -> MSALAccount {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log?.handler
        parameters.loginHint = "ann@contoso.example"
        return try await application.acquireToken(with: parameters).account
    }

    private func tokenHeaders(_ world: World) throws -> HTTPHeaders {
        try #require(world.transport.requests.last { $0.url.path().hasSuffix("/token") }).headers
    }

    @Test func entraGetsTheApplicationAndTheReason() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let log = EventLog()
        let account = try await signIn(application, log)
        #expect(try tokenHeaders(world)["x-client-current-telemetry"] == "4|167,0|")
        let page = AuthorizationResponse.parameters(of: try #require(log.all.compactMap(\.authorizationURL).first))
        #expect(page["x-client-SKU"] == "MSAL.Linux")
        #expect(page["X-AnchorMailbox"] == "UPN:ann@contoso.example")

        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        _ = try await application.acquireTokenSilent(with: silent)
        silent.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: silent)
        var headers = try tokenHeaders(world)
        #expect(headers["x-client-current-telemetry"] == "4|34,1|")
        #expect(headers["x-client-last-telemetry"] == "4|1|||")
        #expect(headers["x-client-Ver"] == MSAL__Framework_VersionString)
        #expect(headers["x-client-OS"] == "6.1.0-test")
        #expect(headers["client-request-id"] != nil)
        let id = try #require(account.homeAccountId)
        #expect(headers["X-AnchorMailbox"] == "Oid:\(id.objectId ?? "")@\(id.tenantId ?? "")")

        silent.forceRefresh = false
        silent.scopes = ["Mail.Read"]
        _ = try? await application.acquireTokenSilent(with: silent)
        #expect(try tokenHeaders(world)["x-client-current-telemetry"] == "4|34,2|")
        silent.scopes = ["User.Read"]
        world.time.advance(by: 3600)
        _ = try await application.acquireTokenSilent(with: silent)
        headers = try tokenHeaders(world)
        #expect(headers["x-client-current-telemetry"] == "4|34,3|")
    }

    @Test func aFailureIsSentWithTheNextSuccessfulRequest() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let account = try await signIn(application)
        world.transport.trouble(.status(503))
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        silent.forceRefresh = true
        let correlation = UUID()
        silent.correlationId = correlation
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: silent)
        }
        world.transport.trouble(nil)
        world.time.advance(by: 7200)
        _ = try await application.acquireTokenSilent(with: silent)
        let told = try #require(tokenHeaders(world)["x-client-last-telemetry"])
        #expect(told.hasPrefix("4|0|34,\(correlation.uuidString.lowercased())|"))
        _ = try await application.acquireTokenSilent(with: silent)
        #expect(try tokenHeaders(world)["x-client-last-telemetry"] == "4|0|||")
    }

    @Test func anOpenIDProviderGetsNoTelemetry() async throws {
        var world = try World()
        world.seat(.ann)
        let issuer = try #require(Directory.standard.tenants.first).id + "/v2.0"
        let application = try world.application(authority: issuer, isOpenID: true)
        let log = EventLog()
        _ = try await signIn(application, log)
        let page = AuthorizationResponse.parameters(of: try #require(log.all.compactMap(\.authorizationURL).first))
        let names = try tokenHeaders(world).fields.map(\.name) + page.pairs.map(\.name)
        #expect(!names.contains { $0.lowercased().hasPrefix("x-") || $0.lowercased().contains("request-id") })
    }

    @Test(arguments: [(false, false, 2), (true, false, 1), (false, true, 2)])
    func aProgramGetsTheTelemetryItRequests(failuresOnly: Bool, pii: Bool, count: Int) async throws {
        var world = try World()
        world.seat(.ann)
        world.telemetry.notifyOnFailureOnly = failuresOnly
        world.telemetry.piiEnabled = pii
        let told = Told()
        world.telemetry.telemetryCallback = { told.add($0) }
        let application = try world.application()
        let account = try await signIn(application)
        try application.remove(account)
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: silent)
        }
        let all = told.all
        #expect(all.count == count)
        #expect(all.last?["msal.error_code"] == "-50002")
        #expect(all.last?["msal.api_id"] == "34")
        #expect(all.contains { $0["msal.user_id"] == account.identifier } == pii)
        #expect(!all.description.contains("ann@contoso.example"))
    }
}

private final class Told: Sendable {
    private let events = Locked<[[String: String]]>([])
    var all: [[String: String]] { events.withLock { $0 } }
    func add(_ event: [String: String]) { events.withLock { $0.append(event) } }
}

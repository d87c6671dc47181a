import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The log of whole sign-ins: names according to the masking level, tokens never.
@Suite(.oneSessionAtATime) struct EngineLogTests {
    private struct Line: Sendable {
        var level: MSALLogLevel
        var text: String
        var isPersonal: Bool
    }

    private final class Lines: Sendable {
        private let lines = Locked<[Line]>([])
        var all: [Line] { lines.withLock { $0 } }
        var text: String { all.map(\.text).joined(separator: "\n") }

        func listen(to configuration: MSALLoggerConfig) {
            configuration.setLogCallback { [self] level, text, isPersonal in
                lines.withLock { $0.append(Line(level: level, text: text ?? "", isPersonal: isPersonal)) }
            }
        }
    }

    @Test("Each type of web view is the system's browser, and the log says so", arguments: MSALWebviewType.allCases)
    func webviewTypes(type: MSALWebviewType) async throws {
        var world = try World()
        let log = Lines()
        log.listen(to: world.logging)
        world.seat(.ann)
        let webview = MSALWebviewParameters()
        webview.webviewType = type
        let application = try world.application()
        let account = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        ).account
        let parameters = MSALSignoutParameters(webviewParameters: webview)
        parameters.signoutFromBrowser = true
        _ = try await application.signout(with: account, signoutParameters: parameters)
        let said = log.all.filter { $0.text.contains("the system's browser shows them instead") }
        #expect(said.count == ([.wkWebView, .safariViewController].contains(type) ? 2 : 0))
    }

    /// A sign-in, a cached token, a refresh, an error whose text repeats the refresh token, and a removal.
    private func story(_ masking: MSALLogMaskingLevel) async throws -> (
        log: Lines, secrets: [String], account: MSALAccount
    ) {
        var world = try World()
        let log = Lines()
        world.logging.logLevel = .verbose
        world.logging.logMaskingLevel = masking
        log.listen(to: world.logging)
        world.seat(.ann)
        let application = try world.application()
        let signIn = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        let first = try await application.acquireToken(with: signIn)
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: first.account)
        _ = try await application.acquireTokenSilent(with: silent)
        silent.forceRefresh = true
        let second = try await application.acquireTokenSilent(with: silent)
        var secrets = [first.accessToken, second.accessToken, first.idToken, second.idToken].compactMap(\.self)
        secrets += world.store.all.filter { $0.key.kind == .refreshToken }.compactMap { $0.members["secret"]?.string }
        for request in world.transport.requests {
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            secrets += ["code", "code_verifier", "refresh_token", "passwd", "password"].compactMap { form[$0] }
        }
        let refreshToken = try #require(secrets.last { !$0.isEmpty })
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token") else { return response }
            let body = #"{"error":"\#(refreshToken)","error_description":"ann@contoso.example sent \#(refreshToken)"}"#
            return HTTPResponse(status: 400, body: Array(body.utf8))
        }
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: silent)
        }
        try application.remove(first.account)
        return (log, secrets.filter { $0.utf8.count > 6 }, first.account)
    }

    @Test(arguments: [MSALLogMaskingLevel.settingsMaskAllPII, .settingsMaskEUIIOnly, .settingsMaskSecretsOnly])
    func noSecretIsLoggedAtAnyLevel(masking: MSALLogMaskingLevel) async throws {
        let (log, secrets, _) = try await story(masking)
        #expect(secrets.count >= 7)
        #expect(log.all.count > 20)
        for secret in secrets { #expect(!log.text.contains(secret)) }
    }

    @Test(arguments: [
        (MSALLogMaskingLevel.settingsMaskAllPII, false, false), (.settingsMaskEUIIOnly, false, true),
        (.settingsMaskSecretsOnly, true, true),
    ])
    func namesAndIdentifiersAreLoggedWhereTheLevelAllows(
        masking: MSALLogMaskingLevel, showsNames: Bool, showsIdentifiers: Bool
    ) async throws {
        let (log, _, account) = try await story(masking)
        #expect(log.text.lowercased().contains("ann@contoso.example") == showsNames)
        #expect(log.text.contains(try #require(account.identifier)) == showsIdentifiers)
        #expect(log.all.contains { $0.isPersonal } == (showsNames || showsIdentifiers))
    }

    @Test func aLineHasTimeRequestAndApplication() async throws {
        let world = try World()
        let log = Lines()
        log.listen(to: world.logging)
        let application = try world.application()
        let parameters = MSALSilentTokenParameters(
            scopes: ["User.Read"],
            account: MSALAccount(
                username: "x", homeAccountId: MSALAccountId("x.y"), environment: "", tenantProfiles: nil, claims: nil))
        let correlation = UUID()
        parameters.correlationId = correlation
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        let last = try #require(log.all.last)
        #expect(last.level == .error)
        #expect(
            last.text == """
                MSAL \(MSAL__Framework_VersionString) Linux 6.1.0-test [2026-01-01 00:00:00 UTC - \(correlation.uuidString)] \
                The request failed: MaskedError(MSALErrorDomain, -50002)
                """)
    }

    @Test(arguments: [
        (MSALLogLevel.nothing, 0), (.error, 1), (.warning, 2), (.info, 3), (.verbose, 4),
    ])
    func onlyWhatTheLevelWantsIsLogged(level: MSALLogLevel, count: Int) {
        let configuration = MSALLoggerConfig()
        configuration.logLevel = level
        let lines = Lines()
        lines.listen(to: configuration)
        let log = EngineLog(
            configuration: configuration, time: ManualTime(), system: SystemDescription(), correlationID: nil)
        log.error("e")
        log.warning("w")
        log.info("i")
        log.verbose("v")
        #expect(lines.all.count == count)
    }

    @Test func theFirstCallbackStays() {
        let configuration = MSALLoggerConfig()
        let first = Lines()
        let second = Lines()
        first.listen(to: configuration)
        second.listen(to: configuration)
        EngineLog(configuration: configuration, time: ManualTime(), system: SystemDescription(), correlationID: nil)
            .error("e")
        #expect(first.all.count == 1 && second.all.isEmpty)
    }

    @Test func withoutACallbackNoMessageIsBuilt() {
        let log = EngineLog(
            configuration: MSALLoggerConfig(), time: ManualTime(), system: SystemDescription(), correlationID: nil)
        var made = 0
        func message() -> LogMessage {
            made += 1
            return "e"
        }
        log.error(message())
        #expect(made == 0)
    }
}

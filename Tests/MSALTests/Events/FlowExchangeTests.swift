import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The exchanges of whole flows, as the inspector receives them.
@Suite("Flow exchanges", .oneSessionAtATime) struct FlowExchangeTests {
    private func steps(_ log: ExchangeLog) -> [String] {
        log.all.map { exchange in
            let path = exchange.address.split(separator: "/").last ?? ""
            return "\(exchange.number) \(exchange.direction) \(exchange.method) \(path) \(exchange.status ?? 0)"
        }
    }

    @Test func aSignInReportsEveryExchangeFromDiscoveryToTheTokens() async throws {
        var world = try World()
        world.seat(.ann)
        let log = ExchangeLog()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowExchangeHandler = log.handler
        let result = try await world.application().acquireToken(with: parameters)
        #expect(
            steps(log) == [
                "1 backChannel GET instance 200", "2 backChannel GET openid-configuration 200",
                "3 backChannel GET keys 200", "4 frontChannelRequest GET authorize 0",
                "5 frontChannelResponse GET localhost:51234 0", "6 backChannel POST token 200",
            ])
        #expect(Set(log.all.map(\.correlationId)) == [result.correlationId])
        let refreshToken = world.store.all.first { $0.key.kind == .refreshToken }?.members["secret"]?.string
        let told = log.all.map { "\($0) \($0.parameters.map(\.shareableValue))" }.joined()
        for secret in [result.accessToken, result.idToken, refreshToken] {
            #expect(!told.contains(try #require(secret)))
        }
        let notes = log.all.flatMap(\.parameters).compactMap(\.note)
        #expect(notes.contains("the same as state above") && notes.contains("the same as code above"))
        #expect(notes.contains("its SHA-256 is the code_challenge above"))
    }

    @Test func theOpenedPageIsReportedBeforeItsURL() async throws {
        var world = try World()
        world.seat(.ann)
        let log = ExchangeLog()
        let opened = Locked<[Int]>([])
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowExchangeHandler = log.handler
        parameters.flowEventHandler = { event in
            guard event.authorizationURL != nil else { return }
            let count = log.all.count { $0.direction == .frontChannelRequest }
            opened.withLock { $0.append(count) }
        }
        _ = try await world.application().acquireToken(with: parameters)
        #expect(opened.withLock(\.self) == [1])
    }

    @Test func cachedDocumentsAreNotRequestedAndARefreshIsOneExchange() async throws {
        let world = try await SignedInWorld()
        _ = try await world.token(force: true)
        let log = ExchangeLog()
        let parameters = world.parameters(force: true)
        parameters.flowExchangeHandler = log.handler
        _ = try await world.application.acquireTokenSilent(with: parameters)
        #expect(steps(log) == ["1 backChannel POST token 200"])
    }

    @Test func aRetriedRequestIsReportedTwice() async throws {
        let world = try World()
        world.transport.trouble(.status(503))
        let log = ExchangeLog()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowExchangeHandler = log.handler
        let application = try world.application()
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireToken(with: parameters)
        }
        #expect(steps(log) == ["1 backChannel GET instance 503", "2 backChannel GET instance 503"])
    }

    @Test func aRequestWithARefreshTokenIsReportedOnce() async throws {
        let world = try await SignedInWorld()
        let log = ExchangeLog()
        let parameters = world.parameters(force: true)
        parameters.flowExchangeHandler = log.handler
        world.answer { _ in HTTPResponse(status: 503) }
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await world.application.acquireTokenSilent(with: parameters)
        }
        #expect(steps(log).filter { $0.contains("POST") } == ["3 backChannel POST token 503"])
    }

    @Test func deviceCodePollsAreReported() async throws {
        let world = try World()
        let log = ExchangeLog()
        let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in }
        parameters.flowExchangeHandler = log.handler
        world.transport.tamper { request, response in
            request.url.path().hasSuffix("/token") ? .rejection("expired_token") : response
        }
        await #expect(throws: MSALAuthenticationError.self) {
            _ = try await world.application().acquireToken(with: parameters)
        }
        #expect(steps(log).last == "5 backChannel POST token 400")
        let code = log.all.flatMap(\.parameters).first { $0.name == "user_code" }
        let shown = "\(log.all)"
        #expect(code?.isRedacted == true)
        #expect(!shown.contains(try #require(code?.reveal())))
    }
}

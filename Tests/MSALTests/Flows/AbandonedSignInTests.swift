import Foundation
import KeyturnSystem
import TestSupport
import Testing

@testable import MSAL

/// A sign-in that the user abandons ends by itself, and a second one names the first.
@Suite("Abandoned sign-ins", .oneSessionAtATime, .timeLimit(.minutes(10))) struct AbandonedSignInTests {
    /// A sign-in whose page opens, but is never completed.
    private struct Abandoned: Sendable {
        let world: World
        let log = EventLog()
        let application: MSALPublicClientApplication

        init() throws {
            world = try World()
            application = try world.application()
        }

        func parameters(_ change: @Sendable (MSALInteractiveTokenParameters) -> Void = { _ in })
            -> MSALInteractiveTokenParameters
        {
            let webview = MSALWebviewParameters()
            webview.openURLHandler = { _ in }
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
            parameters.flowEventHandler = log.handler
            change(parameters)
            return parameters
        }

        func start(
            _ change: @Sendable (MSALInteractiveTokenParameters) -> Void = { _ in }
        ) async throws -> Task<MSALResult, any Error> {
            let parameters = parameters(change)
            let task = Task { [application] in try await application.acquireToken(with: parameters) }
            try await wait(until: "the wait is told") { log.saysThatItWaits }
            return task
        }
    }

    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await work() }
        return try #require(error)
    }

    @Test("It ends after 15 minutes, closes its listener, and the next sign-in works")
    func ends() async throws {
        let abandoned = try Abandoned()
        let task = try await abandoned.start()
        #expect(abandoned.log.all.contains { $0.detail.contains("Times out after 15 min.") })
        abandoned.world.time.advance(by: MSALInteractiveTokenParameters.defaultResponseTimeout - BrowserVisit.patience)
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(
            error.localizedDescription
                == "The sign-in at 127.0.0.1:8400 was not completed within 15 minutes.")
        #expect(error.userInfo[MSALHeadlineKey] as? String == "The sign-in timed out.")
        #expect(abandoned.world.receiver.opened == 1 && abandoned.world.receiver.closed == 1)
        #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())

        var world = abandoned.world
        world.seat(.ann)
        let next = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        #expect(try await world.application().acquireToken(with: next).account.username == "ann@contoso.example")
    }

    @Test("A second sign-in fails at once, and names the first and its end")
    func second() async throws {
        let abandoned = try Abandoned()
        let task = try await abandoned.start()
        abandoned.world.time.advance(by: 165)
        let error = try await failure { try await abandoned.application.acquireToken(with: abandoned.parameters()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorInteractiveSessionAlreadyRunning.rawValue)
        let client = abandoned.application.configuration.clientId
        #expect(
            error.localizedDescription
                == "The sign-in of client \(client) at 127.0.0.1:8400 has been waiting for the browser for 3 min.")
        #expect(error.localizedRecoverySuggestion?.contains("It times out in 12 min.") == true)
        #expect(abandoned.world.receiver.opened == 1)
        #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
        _ = try await failure { try await task.value }
    }

    @Test("The program sets the time, also to no limit")
    func settable() async throws {
        let short = try Abandoned()
        var task = try await short.start { $0.responseTimeout = 60 }
        #expect(short.log.all.contains { $0.detail.contains("Times out after 60 s.") })
        short.world.time.advance(by: 45)
        #expect(try await failure { try await task.value }.localizedDescription.contains("within 60 seconds"))

        let endless = try Abandoned()
        task = try await endless.start { $0.responseTimeout = .infinity }
        endless.world.time.advance(by: 1e8)
        #expect(!endless.log.all.contains { $0.detail.contains("Times out") })
        let error = try await failure { try await endless.application.acquireToken(with: endless.parameters()) }
        #expect(error.localizedRecoverySuggestion == "Complete it, or cancel it (cancelCurrentWebAuthSession).")
        #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession())
        #expect(try await failure { try await task.value }.localizedDescription == "Sign-in cancelled.")
    }

    @Test("A time of no length is rejected", arguments: [0, -1, Double.nan])
    func invalid(seconds: Double) async throws {
        let abandoned = try Abandoned()
        let error = try await failure {
            try await abandoned.application.acquireToken(
                with: abandoned.parameters { $0.responseTimeout = seconds })
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(abandoned.world.receiver.opened == 0)
    }

    @Test("The broker's window has the same limit, and is closed")
    func broker() async throws {
        let brokered = try await BrokeredWorld()
        brokered.runUntilCancelled()
        let application = try brokered.application()
        let task = Task { try await application.acquireToken(with: BrokeredWorld.parameters()) }
        try await wait(until: "the broker is called") { !brokered.world.broker.requests.isEmpty }
        let second = try await failure { try await application.acquireToken(with: BrokeredWorld.parameters()) }
        #expect(second.localizedDescription.contains("waiting for the identity broker for 0 s"))
        brokered.world.time.advance(by: 900)
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.localizedDescription.contains("was not completed within 15 minutes"))
        #expect(brokered.world.broker.methods.last == .cancelInteractiveFlow)
    }
}

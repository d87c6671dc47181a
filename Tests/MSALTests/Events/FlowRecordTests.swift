import Foundation
import KeyturnSystem
import MSAL
import TestSupport
import Testing

@Suite("Records of finished requests", .oneSessionAtATime)
struct FlowRecordTests {
    private let records = Locked<[MSALFlowRecord]>([])

    private func application(_ world: World) throws -> MSALPublicClientApplication {
        try world.application { [records] configuration in
            configuration.flowRecordHandler = { record in records.withLock { $0.append(record) } }
        }
    }

    @Test func signInsAndRefreshesAreRecordedAndCacheHitsAreNot() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try application(world)
        let signedIn = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        let first = try #require(records.withLock { $0.first })
        #expect(first.kind == .interactive && first.failure == nil)
        #expect(first.correlationId == signedIn.correlationId)
        #expect(first.events.contains { $0.step == .redeemCode && $0.phase == .succeeded })
        #expect(first.exchanges.contains { $0.address.hasSuffix("/token") && $0.status == 200 })

        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: signedIn.account)
        _ = try await application.acquireTokenSilent(with: parameters)
        #expect(records.withLock { $0.count } == 1)
        parameters.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: parameters)
        #expect(records.withLock { $0.map(\.kind) } == [.interactive, .silent])
    }

    @Test func aFailureIsRecordedAndTheCallersHandlersRunToo() async throws {
        let world = try World()
        world.transport.trouble(.offline)
        let told = Locked(0)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = { _ in told.withLock { $0 += 1 } }
        parameters.flowExchangeHandler = { _ in told.withLock { $0 += 100 } }
        await #expect(throws: MSALAuthenticationError.self) {
            try await application(world).acquireToken(with: parameters)
        }
        let record = try #require(records.withLock { $0.first })
        #expect(record.failure?.code == MSALError.internal.rawValue)
        #expect(!record.exchanges.isEmpty && !record.events.isEmpty)
        #expect(told.withLock { $0 } == record.events.count + 100 * record.exchanges.count)
    }
}

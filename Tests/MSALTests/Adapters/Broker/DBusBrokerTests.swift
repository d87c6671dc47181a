import Foundation
import MSAL
import OAuthCore
import Testing

/// The broker's D-Bus side: its presence, and calls that never return. `Tests/EndToEnd/test_broker.py` tests its
/// responses.
@Suite struct DBusBrokerTests {
    private static let request = BrokerRequest.version

    private func withBus(_ body: (PrivateBus, DBusBroker) async throws -> Void) async throws {
        let bus = try PrivateBus()
        defer { bus.close() }
        try await body(bus, DBusBroker(environment: bus.environment))
    }

    private func failure(
        of broker: DBusBroker, within limit: Double? = 30, _ request: BrokerRequest = Self.request
    ) async -> BrokerFailure? {
        do throws(BrokerFailure) {
            _ = try await broker.response(to: request, correlationID: UUID(), within: limit, whenCancelled: nil)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Without a bus there is no broker",
        arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["XDG_RUNTIME_DIR": "/nowhere"], ["XDG_RUNTIME_DIR": "run"]])
    func noBus(environment: [String: String]) async {
        let broker = DBusBroker(environment: environment)
        #expect(broker.presence() == .absent("There is no session bus, so no identity broker."))
        #expect(await failure(of: broker)?.kind == .absent)
    }

    @Test func aBusThatIsGoneCountsAsAbsent() async {
        let broker = DBusBroker(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
        #expect(
            broker.presence() == .absent("No identity broker is available. Can't reach the session bus."))
        #expect(await failure(of: broker)?.kind == .absent)
    }

    @Test func theBrokersNameHasNoOwner() async throws {
        try await withBus { _, broker in
            #expect(broker.presence() == .absent("No identity broker is on the session bus."))
            #expect(await failure(of: broker)?.kind == .absent)
        }
    }

    @Test func anUnresponsiveBrokerIsPresent() async throws {
        try await withBus { bus, broker in
            try bus.takeName()
            #expect(broker.presence() == .running)
            #expect(await failure(of: broker, within: 0.1)?.kind == .unanswered)
        }
    }

    @Test("A cancelled call ends", .timeLimit(.minutes(10)))
    func cancelling() async throws {
        try await withBus { bus, broker in
            try bus.takeName()
            let task = Task { await failure(of: broker, within: nil) }
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
        }
    }
}

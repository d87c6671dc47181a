import KeyturnSystem
import MSAL

/// The flow events of one call, in order.
package final class EventLog: Sendable {
    private let events = Locked<[MSALFlowEvent]>([])

    package init() {}

    package var all: [MSALFlowEvent] { events.withLock { $0 } }

    package var steps: [MSALFlowEvent.Step] { all.filter { $0.phase == .succeeded }.map(\.step) }

    /// Whether the flow has told that it still waits for the authorization response.
    package var saysThatItWaits: Bool { all.contains { $0.step == .waitForResponse && $0.phase == .noted } }

    package var handler: @Sendable (MSALFlowEvent) -> Void {
        { [self] event in events.withLock { $0.append(event) } }
    }
}

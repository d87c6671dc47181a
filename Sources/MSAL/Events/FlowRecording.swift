import Foundation
import KeyturnSystem

/// Collects the events and exchanges of a request for a flow record.
final class FlowRecording: Sendable {
    private struct Gathered {
        var events: [MSALFlowEvent] = []
        var exchanges: [MSALFlowExchange] = []
    }

    private let handler: @Sendable (MSALFlowRecord) -> Void
    private let correlationID: UUID
    private let startDate: Date
    private let gathered = Locked(Gathered())

    init(correlationID: UUID, startDate: Date, handler: @escaping @Sendable (MSALFlowRecord) -> Void) {
        self.handler = handler
        self.correlationID = correlationID
        self.startDate = startDate
    }

    func note(_ event: MSALFlowEvent) { gathered.withLock { $0.events.append(event) } }

    func note(_ exchange: MSALFlowExchange) { gathered.withLock { $0.exchanges.append(exchange) } }

    /// Passes the record on, except for a token from the cache, which involves no exchange.
    func finish(_ kind: MSALFlowRecord.Kind, at endDate: Date, _ failure: MSALAuthenticationError?) {
        let gathered = gathered.withLock { $0 }
        guard failure != nil || !gathered.exchanges.isEmpty else { return }
        handler(
            MSALFlowRecord(
                kind: kind, correlationId: correlationID, startDate: startDate, endDate: endDate,
                events: gathered.events, exchanges: gathered.exchanges, failure: failure))
    }
}

extension FlowRecording? {
    /// A handler that also adds events to the recording. `nil` if there is neither.
    func observing(_ handler: (@Sendable (MSALFlowEvent) -> Void)?) -> (@Sendable (MSALFlowEvent) -> Void)? {
        guard let recording = self else { return handler }
        return { event in
            recording.note(event)
            handler?(event)
        }
    }

    func observing(_ handler: (@Sendable (MSALFlowExchange) -> Void)?) -> (@Sendable (MSALFlowExchange) -> Void)? {
        guard let recording = self else { return handler }
        return { exchange in
            recording.note(exchange)
            handler?(exchange)
        }
    }
}

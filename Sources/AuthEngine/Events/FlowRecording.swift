import Foundation
import Locks

/// Gathers what a request tells of itself, for whoever wants it whole when it is over. There is none unless somebody does.
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

    /// A token that was in the cache asked nobody and is nothing to look at: it stays as quick as it was.
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
    /// A handler that tells the recording too; `nil` when nobody wants to be told.
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

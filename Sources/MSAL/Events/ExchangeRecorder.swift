import Foundation
import KeyturnSystem
import OAuthCore

/// Reports the exchanges of one request to an exchange handler.
package final class ExchangeRecorder: Sendable {
    private let handler: (@Sendable (MSALFlowExchange) -> Void)?
    private let time: any TimeSource
    private let transcript: Locked<FlowTranscript>

    package init(
        time: any TimeSource, correlationID: UUID, handler: (@Sendable (MSALFlowExchange) -> Void)?
    ) {
        self.time = time
        self.handler = handler
        transcript = Locked(FlowTranscript(correlationID: correlationID))
    }

    func opened(_ page: HTTPRequest) { tellBrowser(.frontChannelRequest, page) }

    /// From now on, secrets can't be revealed.
    func withhold() { transcript.withLock { $0.isWithheld = true } }

    func received(_ response: URL) { tellBrowser(.frontChannelResponse, HTTPRequest(.get, response)) }

    /// The next exchange before its request is sent.
    func preview(_ request: HTTPRequest, as direction: MSALFlowExchange.Direction) -> MSALFlowExchange {
        var transcript = transcript.withLock(\.self)
        return transcript.exchange(.init(direction: direction, request: request, startDate: time.now()))
    }

    package func recording(
        _ transport: any HTTPTransport, as direction: MSALFlowExchange.Direction = .backChannel
    ) -> any HTTPTransport {
        RecordingTransport(transport: transport, recorder: self, direction: direction)
    }

    func recording(
        _ transport: any HTTPTransport, as direction: MSALFlowExchange.Direction = .backChannel, heldBy hold: FlowHold?
    ) -> any HTTPTransport {
        let recording = recording(transport, as: direction)
        return hold?.holding(recording, as: direction) ?? recording
    }

    private func tellBrowser(_ direction: MSALFlowExchange.Direction, _ request: HTTPRequest) {
        tell(.init(direction: direction, request: request, startDate: time.now()))
    }

    fileprivate func now() -> Date { time.now() }

    fileprivate func tell(_ message: FlowTranscript.Message) {
        let exchange = transcript.withLock { $0.exchange(message) }
        handler?(exchange)
    }
}

/// Reports each finished exchange unchanged. Placed below retries, so that it sees each one.
private struct RecordingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let recorder: ExchangeRecorder
    let direction: MSALFlowExchange.Direction

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = recorder.now()
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            tell(request, .success(response), since: start)
            return response
        } catch {
            tell(request, .failure(error), since: start)
            throw error
        }
    }

    private func tell(_ request: HTTPRequest, _ result: Result<HTTPResponse, TransportFailure>, since start: Date) {
        recorder.tell(
            FlowTranscript.Message(
                direction: direction, request: request, result: result, startDate: start,
                duration: recorder.now().timeIntervalSince(start)))
    }
}

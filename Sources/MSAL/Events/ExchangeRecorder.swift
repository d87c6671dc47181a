import Foundation
import KeyturnSystem
import OAuthCore

/// Reports the exchanges of one request to an exchange handler.
package final class ExchangeRecorder: Sendable {
    private let handler: @Sendable (MSALFlowExchange) -> Void
    private let time: any TimeSource
    private let transcript: Locked<FlowTranscript>

    package init(
        time: any TimeSource, correlationID: UUID, handler: @escaping @Sendable (MSALFlowExchange) -> Void
    ) {
        self.time = time
        self.handler = handler
        transcript = Locked(FlowTranscript(correlationID: correlationID))
    }

    func opened(_ page: URL) { tellBrowser(.frontChannelRequest, page) }

    func received(_ response: URL) { tellBrowser(.frontChannelResponse, response) }

    package func recording(
        _ transport: any HTTPTransport, as direction: MSALFlowExchange.Direction = .backChannel
    ) -> any HTTPTransport {
        RecordingTransport(transport: transport, recorder: self, direction: direction)
    }

    private func tellBrowser(_ direction: MSALFlowExchange.Direction, _ url: URL) {
        tell(.init(direction: direction, request: HTTPRequest(.get, url), startDate: time.now()))
    }

    fileprivate func now() -> Date { time.now() }

    fileprivate func tell(_ message: FlowTranscript.Message) {
        handler(transcript.withLock { $0.exchange(message) })
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

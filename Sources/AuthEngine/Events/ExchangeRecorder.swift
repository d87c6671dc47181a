import Foundation
import Locks
import OAuthCore

/// Tells the exchanges of one request to whoever inspects it. There is none unless somebody does.
package final class ExchangeRecorder: Sendable {
    private let handler: @Sendable (MSALFlowExchange) -> Void
    private let time: any TimeSource
    private let redactor: Locked<ExchangeRedactor>

    package init(
        time: any TimeSource, correlationID: UUID, handler: @escaping @Sendable (MSALFlowExchange) -> Void
    ) {
        self.time = time
        self.handler = handler
        redactor = Locked(ExchangeRedactor(correlationID: correlationID))
    }

    /// The browser is sent to a page.
    func opened(_ page: URL) { tellBrowser(.frontChannelRequest, page) }

    /// The browser came back.
    func received(_ answer: URL) { tellBrowser(.frontChannelResponse, answer) }

    /// `transport`, with everything that goes through it told.
    package func recording(_ transport: any HTTPTransport) -> any HTTPTransport {
        RecordingTransport(transport, recorder: self)
    }

    private func tellBrowser(_ direction: MSALFlowExchange.Direction, _ url: URL) {
        tell(.init(direction: direction, request: HTTPRequest(.get, url), startDate: time.now()))
    }

    fileprivate func now() -> Date { time.now() }

    fileprivate func tell(_ message: ExchangeRedactor.Message) {
        handler(redactor.withLock { $0.exchange(message) })
    }
}

/// Tells each exchange when it is over, and changes nothing about it. It stands next to the wire, so that a repeated
/// request is seen as often as it was sent.
private struct RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recorder: ExchangeRecorder

    init(_ transport: any HTTPTransport, recorder: ExchangeRecorder) {
        self.transport = transport
        self.recorder = recorder
    }

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

    private func tell(_ request: HTTPRequest, _ answer: Result<HTTPResponse, TransportFailure>, since start: Date) {
        recorder.tell(
            ExchangeRedactor.Message(
                request: request, answer: answer, startDate: start,
                duration: recorder.now().timeIntervalSince(start)))
    }
}

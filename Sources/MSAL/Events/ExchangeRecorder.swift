import Foundation
import KeyturnSystem
import OAuthCore

/// Reports the exchanges of one request to an exchange handler.
package final class ExchangeRecorder: Sendable {
    private let handler: (@Sendable (MSALFlowExchange) -> Void)?
    private let time: any TimeSource
    private let transcript: Locked<FlowTranscript>

    package init(time: any TimeSource, correlationID: UUID, handler: (@Sendable (MSALFlowExchange) -> Void)?) {
        self.time = time
        self.handler = handler
        transcript = Locked(FlowTranscript(correlationID: correlationID))
    }

    func opened(_ page: HTTPRequest) { tellBrowser(.frontChannelRequest, page) }

    func received(_ response: URL) { tellBrowser(.frontChannelResponse, HTTPRequest(.get, response)) }

    /// From now on, secrets can't be revealed.
    func withhold() { transcript.withLock { $0.isWithheld = true } }

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

/// Creates the exchanges of one flow from its messages: numbers them, and points out equal secrets. ``Privacy`` decides what
/// they show.
struct FlowTranscript: Sendable {
    struct Message: Sendable {
        var direction = MSALFlowExchange.Direction.backChannel
        var request: HTTPRequest
        var result: Result<HTTPResponse, TransportFailure>?
        var startDate: Date
        var duration: TimeInterval = 0
    }

    private let correlationID: UUID
    private var privacy = Privacy()
    private var number = 0
    /// Whether secrets are nobody's to see, because they come of a changed request.
    var isWithheld = false
    /// The name of the parameter that had a secret first.
    private var seen: [Secret: String] = [:]
    private var challenges: Set<String> = []

    init(correlationID: UUID) { self.correlationID = correlationID }

    mutating func exchange(_ message: Message) -> MSALFlowExchange {
        number += 1
        let response = try? message.result?.get()
        let fields = MessageFields(message.request, response).all
        privacy.learn(fields)
        let parameters = fields.map { parameter($0) }
        note(fields)
        return MSALFlowExchange(
            number: number, direction: message.direction, correlationId: correlationID,
            startDate: message.startDate, duration: message.duration, method: message.request.method.rawValue,
            address: privacy.redacted(message.request.url.withoutParameters), status: response?.status,
            mediaType: response?.mediaType.map { privacy.redacted($0).lowercased() },
            requestSize: message.request.body.count, responseSize: response?.body.count ?? 0, parameters: parameters,
            changes: message.request.changes, failure: message.result?.failure.map { privacy.redacted($0.reason) })
    }

    private func parameter(_ field: MessageField) -> MSALFlowParameter {
        let shown = privacy.text(of: field, for: .screen)
        return MSALFlowParameter(
            name: privacy.redacted(field.name), place: field.place, kind: field.kind, value: shown,
            shareableValue: privacy.text(of: field, for: .shareable),
            note: field.kind == .secret ? remark(on: field) : nil,
            whole: shown == field.text || (isWithheld && field.kind == .secret) ? nil : field.text)
    }

    /// A fact about a secret that doesn't disclose it.
    private func remark(on field: MessageField) -> String? {
        if field.name == "code_verifier", let verifier = CodeVerifier(field.text),
            challenges.contains(verifier.challenge)
        {
            return "its SHA-256 is the code_challenge above"
        }
        return seen[Secret(field.text)].map { "the same as \($0) above" }
    }

    private mutating func note(_ fields: [MessageField]) {
        for field in fields where !field.text.isEmpty {
            if field.kind == .secret, seen[Secret(field.text)] == nil {
                seen[Secret(field.text)] = field.name
            }
            if field.name == "code_challenge" { challenges.insert(field.text) }
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension HTTPResponse {
    /// The media type without its parameters (RFC 9110 §8.3.1).
    var mediaType: String? {
        headers["Content-Type"].map { String($0.prefix { $0 != ";" && $0 != " " }) }
    }
}

extension URL {
    /// Scheme, host and path. User info, query and fragment can contain secrets.
    var withoutParameters: String {
        let path = path(percentEncoded: true)
        guard !lowercasedHost.isEmpty else { return String(absoluteString.prefix { $0 != "?" && $0 != "#" }) }
        return origin + (path.isEmpty ? "/" : path)
    }
}

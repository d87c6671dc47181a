import Foundation
import OAuthCore

/// Creates the exchanges of one flow from its messages: numbers them, and points out equal secrets. ``Privacy`` decides what
/// they show.
struct FlowTranscript: Sendable {
    /// A message before redaction.
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

    init(correlationID: UUID) {
        self.correlationID = correlationID
    }

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
            requestSize: message.request.body.count,
            responseSize: response?.body.count ?? 0, parameters: parameters, changes: message.request.changes,
            failure: message.result?.failure.map { privacy.redacted($0.reason) })
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
    fileprivate var withoutParameters: String {
        let path = path(percentEncoded: true)
        guard !lowercasedHost.isEmpty else {
            return String(absoluteString.prefix { $0 != "?" && $0 != "#" })
        }
        return origin + (path.isEmpty ? "/" : path)
    }
}

import Foundation
import KeyturnCrypto
import OAuthCore

/// Creates redacted exchanges from messages. Remembers the secrets of one flow, to find them in later messages and to
/// point out equal values.
struct ExchangeRedactor: Sendable {
    /// A message before redaction.
    struct Message: Sendable {
        var direction = MSALFlowExchange.Direction.backChannel
        var request: HTTPRequest
        var result: Result<HTTPResponse, TransportFailure>?
        var startDate: Date
        var duration: TimeInterval = 0
    }

    private let correlationID: UUID
    private var redaction = Redaction()
    private var number = 0
    /// The name of the parameter that had a secret first.
    private var seen: [Secret: String] = [:]
    private var challenges: Set<String> = []

    init(correlationID: UUID) {
        self.correlationID = correlationID
    }

    mutating func exchange(_ message: Message) -> MSALFlowExchange {
        number += 1
        let response = try? message.result?.get()
        let fields = MessageFields(message.request, response)
        for field in fields.all where field.kind == .secret {
            redaction.learn(field.text)
            // The token without its scheme, which an API can repeat in its body.
            if field.name.lowercased() == "authorization", let blank = field.text.firstIndex(of: " ") {
                redaction.learn(String(field.text[field.text.index(after: blank)...]))
            }
        }
        for member in fields.all.compactMap(\.json) { learnSecrets(in: member) }
        let parameters = fields.all.map { parameter($0) }
        note(fields.all)
        return MSALFlowExchange(
            number: number, direction: message.direction, correlationId: correlationID,
            startDate: message.startDate, duration: message.duration, method: message.request.method.rawValue,
            address: redaction.redacted(message.request.url.withoutParameters), status: response?.status,
            mediaType: response?.mediaType.map { redaction.redacted($0).lowercased() },
            requestSize: message.request.body.count,
            responseSize: response?.body.count ?? 0, parameters: parameters,
            failure: message.result?.failure.map { redaction.redacted($0.reason) })
    }

    /// Collects the secrets in nested members.
    private mutating func learnSecrets(in value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { learnSecrets(in: element) }
        case .object(let members):
            for (name, value) in members {
                if let text = value.string, ParameterNames.secret.contains(name.lowercased()) { redaction.learn(text) }
                learnSecrets(in: value)
            }
        case .null, .bool, .integer, .large, .number, .string: break
        }
    }

    private func parameter(_ field: MessageField) -> MSALFlowParameter {
        let shown = text(of: field, hiding: [.secret])
        let shareable = text(of: field, hiding: [.secret, .personal])
        return MSALFlowParameter(
            name: redaction.redacted(field.name), place: field.place, kind: field.kind, value: shown,
            shareableValue: field.kind == .personal ? String.personalPlaceholder : shareable.withoutMailAddresses,
            note: field.kind == .secret ? remark(on: field) : nil, whole: shown == field.text ? nil : field.text)
    }

    private func text(of field: MessageField, hiding hidden: Set<MSALFlowParameter.Kind>) -> String {
        if field.kind == .secret {
            let count = field.text.count
            return count == 0 ? "" : "\(Secret.placeholder) \(count) \(count == 1 ? "character" : "characters")"
        }
        guard let json = field.json, json.string == nil else {
            let text = redaction.redacted(field.text)
            return Self.serverTexts.contains(field.name.lowercased()) ? text.withoutRandomRuns() : text
        }
        return redaction.redacted(json, isPublic: field.isPublic, hiding: hidden).serialized
    }

    /// The parameters that a server words freely.
    private static let serverTexts: Set<String> = ["error", "error_description", "error_uri"]

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
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
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

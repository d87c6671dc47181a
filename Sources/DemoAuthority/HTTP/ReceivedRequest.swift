import Foundation
import OAuthCore

/// A request with the time and identifiers that its responses repeat.
struct ReceivedRequest: Sendable {
    let request: HTTPRequest
    let now: Date
    let traceID: String
    /// The client's request identifier, unchanged, if it's a GUID; otherwise a new one.
    private(set) var correlationID: String
    let query: Parameters

    init(_ request: HTTPRequest, at now: Date, identifier: () -> String) {
        (self.request, self.now) = (request, now)
        traceID = identifier()
        let text = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedQuery
        query = Parameters(formEncoded: text ?? "")
        let requested = request.headers["client-request-id"] ?? query["client-request-id"]
        correlationID = Self.correlationID(requested) ?? identifier()
    }

    static func correlationID(_ text: String?) -> String? {
        text.flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
    }

    /// With the correlation ID that the client sent at the start of the sign-in, if any.
    func belonging(to correlationID: String?) -> ReceivedRequest {
        var received = self
        received.correlationID = correlationID ?? self.correlationID
        return received
    }

    /// The time in Entra's format: `2026-01-31 09:30:00Z`.
    var timestamp: String {
        now.formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
            + "Z"
    }

    /// The parameters of a form body; nil if the body isn't a form.
    var form: Parameters? {
        guard let type = request.headers["Content-Type"]?.split(separator: ";").first,
            type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
        else { return nil }
        return Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
    }

    var isRefresh: Bool { form?["grant_type"] == "refresh_token" }

    /// RFC 6265 §5.4
    func cookie(_ name: String) -> String? {
        request.headers.all("Cookie").flatMap { $0.split(separator: ";") }.lazy.compactMap { pair in
            let halves = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return halves.count == 2 && halves[0] == name ? halves[1] : nil
        }.first
    }

    var wantsCorrelationIDBack: Bool {
        (request.headers["return-client-request-id"] ?? query["return-client-request-id"])?.lowercased() == "true"
    }
}

extension Parameters {
    func checkRepetition() throws(AuthorityError) {
        guard let name = firstRepeatedName else { return }
        throw AuthorityError(.repeatedParameter, detail: "Parameter: \(quoted(name)).")
    }

    /// A non-empty value. A parameter without a value counts as omitted (RFC 6749 §3.1).
    func value(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}

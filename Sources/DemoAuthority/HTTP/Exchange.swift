import Foundation
import OAuthCore

/// One request with what every answer to it repeats: the time and the identifiers to quote.
struct Exchange: Sendable {
    let request: HTTPRequest
    let now: Date
    let traceID: String
    /// The client's own identifier of the request, as it wrote it, when it sent one that is a GUID, else ours.
    private(set) var correlationID: String
    let query: Parameters

    init(_ request: HTTPRequest, at now: Date, identifier: () -> String) {
        self.request = request
        self.now = now
        traceID = identifier()
        let text = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedQuery
        query = Parameters(formEncoded: text ?? "")
        let asked = request.headers["client-request-id"] ?? query["client-request-id"]
        correlationID = Self.correlationID(asked) ?? identifier()
    }

    static func correlationID(_ text: String?) -> String? {
        text.flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
    }

    /// The same as part of the sign-in that the client began under this identifier, if it gave it one.
    func belonging(to correlationID: String?) -> Exchange {
        var exchange = self
        exchange.correlationID = correlationID ?? self.correlationID
        return exchange
    }

    /// Entra's form: `2026-01-31 09:30:00Z`.
    var timestamp: String {
        now.formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
            + "Z"
    }

    /// The parameters of a form body; `nil` when the body is not one.
    var form: Parameters? {
        guard let type = request.headers["Content-Type"]?.split(separator: ";").first,
            type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
        else { return nil }
        return Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
    }

    /// Whether tokens are asked for with a refresh token.
    var isRenewal: Bool { form?["grant_type"] == "refresh_token" }

    /// The value of a cookie (RFC 6265 §5.4).
    func cookie(_ name: String) -> String? {
        for header in request.headers.all("Cookie") {
            for pair in header.split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name {
                    return halves[1].trimmingCharacters(in: .whitespaces)
                }
            }
        }
        return nil
    }

    var wantsCorrelationIDBack: Bool {
        (request.headers["return-client-request-id"] ?? query["return-client-request-id"])?.lowercased() == "true"
    }
}

extension Parameters {
    /// A value that is there and not empty: a parameter without a value counts as left out (RFC 6749 §3.1).
    func value(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

import Foundation
import JSON
import MSAL
import OAuthCore

/// Writes what ``HARFile`` reads.
extension HARFile {
    /// A redacted copy, which has the members that the rules read.
    static func copy(of exchanges: [Exchange], by creator: String) -> String {
        let creator: JSONValue = ["name": .string(creator), "version": ""]
        return "{\"log\":{\"version\":\"1.2\",\"creator\":\(creator.serialized),\"entries\":[\n"
            + exchanges.map { entry($0).serialized }.joined(separator: ",\n") + "\n]}}\n"
    }

    /// A flow as an HTTP Archive 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html), for browser developer tools and
    /// HTTP debuggers. Contains only shareable values.
    ///
    /// The browser's requests have no status, because this program doesn't see the authority's responses to the browser.
    package static func text(of flow: [MSALFlowExchange], comment: String) -> String {
        let log: JSONValue = [
            "version": "1.2",
            "creator": ["name": .string(keyturn), "version": .string(MSALPublicClientApplication.sdkVersion ?? "")],
            "entries": .array(flow.map { entry(Exchange($0), of: $0) }), "comment": .string(comment),
        ]
        return JSONValue.object(["log": log]).document
    }

    /// - Parameter flow: the exchange for a complete entry; `nil` for an entry of a copy.
    private static func entry(_ exchange: Exchange, of flow: MSALFlowExchange? = nil) -> JSONValue {
        let wait = exchange.milliseconds.map(JSONValue.number)
        return JSONValue(members: [
            "startedDateTime": exchange.time.map {
                .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            },
            "time": flow.flatMap { _ in wait },
            "request": request(exchange, of: flow), "response": response(exchange, of: flow),
            "cache": flow.map { _ in [:] },
            "timings": wait.map { flow == nil ? ["wait": $0] : ["send": 0, "wait": $0, "receive": 0] },
            "comment": flow.map {
                .string("\($0.role.title). \($0.direction.sentence)\($0.changeNote.map { " \($0)" } ?? "")")
            },
            "_resourceType": exchange.isPreflight ? "preflight" : nil,
        ])
    }

    private static func request(_ exchange: Exchange, of flow: MSALFlowExchange?) -> JSONValue {
        let form = exchange.form
        let fields: JSONValue = flow == nil ? .string(form.formEncoded) : list(form)
        let body: JSONValue = [
            "mimeType": "application/x-www-form-urlencoded", flow == nil ? "text" : "params": fields,
        ]
        return JSONValue(members: [
            "method": .string(exchange.method), "url": .string(exchange.url), "headers": list(exchange.requestHeaders),
            "postData": form.isEmpty ? nil : body, "httpVersion": flow.map { _ in "unknown" },
            "cookies": flow.map { _ in [] },
            "queryString": flow.map { _ in list(Parameters(queryAndFragmentOf: exchange.url)) },
            "headersSize": flow.map { _ in -1 }, "bodySize": flow.map { JSONValue($0.requestSize) },
        ])
    }

    private static func response(_ exchange: Exchange, of flow: MSALFlowExchange?) -> JSONValue {
        let isJSON = exchange.body.map { (try? JSONValue(parsing: $0)) != nil } ?? false
        let type = flow.map { $0.mediaType ?? "" } ?? (isJSON ? "application/json" : "text/html")
        let content = JSONValue(members: [
            "mimeType": .string(type), "text": exchange.body.map(JSONValue.string),
            "size": flow.map { JSONValue($0.responseSize) },
        ])
        return JSONValue(members: [
            "status": JSONValue(exchange.status), "headers": list(exchange.responseHeaders),
            "content": exchange.body == nil && flow == nil ? nil : content,
            // Why there is no response, as Chromium writes it.
            "_error": exchange.failure.map(JSONValue.string),
            "statusText": flow.map { _ in "" }, "httpVersion": flow.map { _ in "unknown" },
            "cookies": flow.map { _ in [] }, "redirectURL": flow.map { _ in "" }, "headersSize": flow.map { _ in -1 },
            "bodySize": flow.map { JSONValue($0.responseSize) },
        ])
    }

    private static func list(_ headers: HTTPHeaders) -> JSONValue {
        .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private static func list(_ parameters: Parameters) -> JSONValue {
        .array(parameters.pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

import Diagnosis
import Foundation
import JSON
import MSAL

/// A flow as an HTTP Archive 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html), for browser developer tools
/// and HTTP debuggers.
///
/// Contains only shareable values. The browser's requests have no status, because this program doesn't see the
/// authority's responses to the browser.
struct HARDocument {
    private let log: JSONValue

    init(_ trace: FlowTrace) {
        log = [
            "version": "1.2",
            "creator": ["name": "Keyturn", "version": .string(MSALPublicClientApplication.sdkVersion ?? "")],
            "entries": .array(trace.exchanges.map(\.entry)),
            "comment": .string(TraceReport.promise),
        ]
    }

    var text: String { JSONValue.object(["log": log]).prettyPrinted + "\n" }
}

extension Date {
    /// The nearest millisecond. The formatter truncates, and binary fractions are often slightly too small.
    fileprivate var toNearestMillisecond: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000 + 0.000_1)
    }
}

extension MSALFlowExchange {
    fileprivate var entry: JSONValue {
        let milliseconds = JSONValue.number(max(0, duration * 1000))
        let start = startDate.toNearestMillisecond.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return [
            "startedDateTime": .string(start), "time": milliseconds, "request": request, "response": response,
            "cache": [:], "timings": ["send": 0, "wait": milliseconds, "receive": 0],
            "comment": .string("\(ExchangePurpose(self).title). \(direction.sentence)"),
        ]
    }

    private var request: JSONValue {
        let query = pairs(.query)
        let form = pairs(.requestBody)
        let body: JSONValue = ["mimeType": "application/x-www-form-urlencoded", "params": Self.json(form)]
        return JSONValue(members: [
            "method": .string(method), "url": .string(address + Self.text(ofQuery: query)), "httpVersion": "unknown",
            "cookies": [], "headers": Self.json(pairs(.requestHeader)), "queryString": Self.json(query),
            "postData": form.isEmpty ? nil : body, "headersSize": -1, "bodySize": JSONValue(requestSize),
        ])
    }

    private var response: JSONValue {
        JSONValue(members: [
            "status": JSONValue(status ?? 0), "statusText": "", "httpVersion": "unknown", "cookies": [],
            "headers": Self.json(pairs(.responseHeader)),
            "content": JSONValue(members: [
                "size": JSONValue(responseSize), "mimeType": .string(mediaType ?? ""),
                "text": Self.text(of: pairs(.responseBody)),
            ]),
            "redirectURL": "", "headersSize": -1, "bodySize": JSONValue(responseSize),
            // Why there is no response, as Chromium writes it.
            "_error": failure.map(JSONValue.string),
        ])
    }

    /// A JSON object, as the authority sent it, but with all values as strings.
    private static func text(of members: [Pair]) -> JSONValue? {
        guard !members.isEmpty else { return nil }
        let object = Dictionary(members.map { ($0.name, JSONValue.string($0.value)) }) { first, _ in first }
        return .string(JSONValue.object(object).serialized)
    }

    private static func text(ofQuery query: [Pair]) -> String {
        guard !query.isEmpty else { return "" }
        let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
            .union(CharacterSet(charactersIn: "-._~"))
        let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        return "?" + query.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private typealias Pair = (name: String, value: String)

    private func pairs(_ place: MSALFlowParameter.Place) -> [Pair] {
        parameters.filter { $0.place == place }.map { ($0.name, $0.shareableValue) }
    }

    private static func json(_ pairs: [Pair]) -> JSONValue {
        .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

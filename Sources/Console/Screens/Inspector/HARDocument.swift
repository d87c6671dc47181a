import Diagnosis
import Foundation
import MSAL

/// A flow as an HTTP Archive 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html), for browser developer tools
/// and HTTP debuggers.
///
/// Contains only shareable values. The browser's requests have no status, because this program doesn't see the
/// authority's responses to the browser.
struct HARDocument: Encodable {
    struct Log: Encodable {
        var version = "1.2"
        var creator: Creator
        var entries: [Entry]
        var comment = TraceReport.promise
    }

    struct Creator: Encodable {
        var name = "Keyturn"
        var version: String
    }

    struct Entry: Encodable {
        var startedDateTime: String
        /// Milliseconds.
        var time: Double
        var request: Request
        var response: Response
        var cache: [String: String] = [:]
        var timings: Timings
        var comment: String
    }

    struct Timings: Encodable {
        var send = 0.0
        var wait: Double
        var receive = 0.0
    }

    struct Pair: Encodable {
        var name: String
        var value: String
    }

    struct Request: Encodable {
        var method: String
        var url: String
        var httpVersion = "unknown"
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair]
        var postData: PostData?
        var headersSize = -1
        var bodySize: Int
    }

    struct PostData: Encodable {
        var mimeType: String
        var params: [Pair]
    }

    struct Response: Encodable {
        var status: Int
        var statusText: String
        var httpVersion = "unknown"
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL = ""
        var headersSize = -1
        var bodySize: Int
        /// Why there is no response, as Chromium writes it.
        var failure: String?

        enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case failure = "_error"
        }
    }

    struct Content: Encodable {
        var size: Int
        var mimeType: String
        var text: String?
    }

    var log: Log

    init(_ trace: FlowTrace) {
        let version = MSALPublicClientApplication.sdkVersion ?? ""
        log = Log(creator: Creator(version: version), entries: trace.exchanges.map(Entry.init))
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and finite numbers can't fail.
        guard let data = try? encoder.encode(self) else { return "" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

extension HARDocument.Entry {
    init(_ exchange: MSALFlowExchange) {
        let milliseconds = max(0, exchange.duration * 1000)
        self.init(
            startedDateTime: exchange.startDate.toNearestMillisecond.formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            time: milliseconds, request: HARDocument.Request(exchange), response: HARDocument.Response(exchange),
            timings: HARDocument.Timings(wait: milliseconds),
            comment: "\(ExchangePurpose(exchange).title). \(exchange.direction.sentence)")
    }
}

extension Date {
    /// The nearest millisecond. The formatter truncates, and binary fractions are often slightly too small.
    fileprivate var toNearestMillisecond: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000 + 0.000_1)
    }
}

extension HARDocument.Request {
    init(_ exchange: MSALFlowExchange) {
        let query = exchange.pairs(.query)
        let form = exchange.pairs(.requestBody)
        self.init(
            method: exchange.method, url: exchange.address + Self.text(of: query),
            headers: exchange.pairs(.requestHeader), queryString: query,
            postData: form.isEmpty
                ? nil : HARDocument.PostData(mimeType: "application/x-www-form-urlencoded", params: form),
            bodySize: exchange.requestSize)
    }

    private static func text(of query: [HARDocument.Pair]) -> String {
        guard !query.isEmpty else { return "" }
        let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
            .union(CharacterSet(charactersIn: "-._~"))
        let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        return "?" + query.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }
}

extension HARDocument.Response {
    init(_ exchange: MSALFlowExchange) {
        self.init(
            status: exchange.status ?? 0, statusText: "", headers: exchange.pairs(.responseHeader),
            content: HARDocument.Content(
                size: exchange.responseSize, mimeType: exchange.mediaType ?? "",
                text: Self.text(of: exchange.pairs(.responseBody))),
            bodySize: exchange.responseSize, failure: exchange.failure)
    }

    /// A JSON object, as the authority sent it, but with all values as strings.
    private static func text(of members: [HARDocument.Pair]) -> String? {
        guard !members.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let object = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension MSALFlowExchange {
    fileprivate func pairs(_ place: MSALFlowParameter.Place) -> [HARDocument.Pair] {
        parameters.filter { $0.place == place }.map { HARDocument.Pair(name: $0.name, value: $0.shareableValue) }
    }
}

import Foundation
import JSON
import MSAL
import OAuthCore

/// An HTTP archive (HAR 1.2) as browsers and mitmproxy write it. It can be large: read entry by entry, only what the rules need.
package struct HARFile {
    let creator: String?
    let exchanges: [Exchange]
    let unreadable: Int
    /// Whether the file is damaged or ends after the last of ``exchanges``.
    let isCut: Bool

    init?(_ bytes: [UInt8]) {
        guard let (start, entries, isComplete) = Self.entries(in: bytes) else { return nil }
        isCut = !isComplete
        let writer = Self.start(of: "creator", in: Array(bytes[..<start]))
            .flatMap { try? JSONReader.value(of: bytes, in: $0..<start) }?["name"]?.string
        creator = Self.creators.first { $0 == writer }
        var read: [Exchange] = []
        for (index, range) in entries.enumerated() where !Task.isCancelled {
            guard var exchange = Self.exchange(bytes, range, number: index + 1) else { continue }
            exchange.mayLackResponse = creator == Self.keyturn && exchange.status == 0 && exchange.failure == nil
            read.append(exchange)
        }
        unreadable = entries.count - read.count
        // Browsers sort entries by the end of the response, or as listed.
        var sorted = read.sorted { ($0.time ?? .distantFuture, $0.number) < ($1.time ?? .distantFuture, $1.number) }
        // The rules compare numbers.
        if sorted.map(\.number) != read.map(\.number) {
            for index in sorted.indices { sorted[index].number = index + 1 }
        }
        exchanges = sorted
    }

    /// Without reading them; nil if the text isn't a HAR.
    package static func requestCount(in bytes: [UInt8]) -> Int? { entries(in: bytes)?.ranges.count }

    /// Where the list starts, and its elements; nil if there is none. Firefox's API for extensions returns only the inner object.
    private static func entries(in bytes: [UInt8]) -> (start: Int, ranges: [Range<Int>], isComplete: Bool)? {
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"), let start = start(of: "entries", in: bytes),
            bytes[start] == UInt8(ascii: "[")
        else { return nil }
        let (entries, isComplete) = JSONReader.leadingElements(of: bytes, from: start)
        return isComplete || !entries.isEmpty ? (start, entries, isComplete) : nil
    }

    static func isStart(_ bytes: [UInt8]) -> Bool {
        bytes.first { !$0.isJSONSpace } == UInt8(ascii: "{") && start(of: "log", in: bytes) != nil
            && (try? JSONReader.members(of: bytes)) == nil
    }

    private static func start(of name: String, in bytes: [UInt8]) -> Int? {
        // A string, such as the title of a page, can be the name alone.
        let found = ["", " "].lazy.compactMap { TextScanner.upperBound(of: "\"\(name)\"\($0):", in: bytes) }.first
        return found.flatMap { bytes[$0...].firstIndex { !$0.isJSONSpace } }
    }

    private static let creators = [
        "WebInspector", "Firefox", "WebKit Web Inspector", "mitmproxy", "Fiddler", "Charles Proxy", "Proxyman", keyturn,
    ]
    /// The program itself. It doesn't see the responses to the browser.
    static let keyturn = "Keyturn"

    private static func exchange(_ bytes: [UInt8], _ range: Range<Int>, number: Int) -> Exchange? {
        guard let entry = try? JSONReader.members(of: bytes, in: range),
            let request = value(bytes, entry, "request"), let url = request["url"]?.string
        else { return nil }
        let response = entry.range("response").flatMap { try? JSONReader.members(of: bytes, in: $0) } ?? []
        var exchange = Exchange(
            number: number, time: value(bytes, entry, "startedDateTime")?.string.flatMap(Self.time),
            milliseconds: wait(value(bytes, entry, "timings")), method: request["method"]?.string ?? "GET", url: url,
            requestHeaders: headers(request["headers"]),
            status: value(bytes, response, "status")?.double.flatMap { Int(exactly: $0.rounded()) } ?? 0)
        exchange.responseHeaders = headers(value(bytes, response, "headers"))
        // The cache has the time of an earlier response.
        if entry.range("_fromCache") != nil { exchange.responseHeaders["Date"] = nil }
        let redirect = value(bytes, response, "redirectURL")?.visibleText
        if exchange.responseHeaders["Location"] == nil { exchange.responseHeaders["Location"] = redirect }
        exchange.failure = (value(bytes, response, "_error") ?? value(bytes, entry, "_error"))?.visibleText
        exchange.isPreflight = value(bytes, entry, "_resourceType")?.string == "preflight"
        exchange.form = form(request["postData"])
        exchange.body = body(bytes, response)
        return exchange
    }

    private static func value(_ bytes: [UInt8], _ members: [JSONReader.Member], _ name: String) -> JSONValue? {
        members.range(name).flatMap { try? JSONReader.value(of: bytes, in: $0) }
    }

    private static func headers(_ value: JSONValue?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in value?.array ?? [] {
            if let name = field["name"]?.string, let value = field["value"]?.string { headers.append(name, value) }
        }
        return headers
    }

    /// Parses the body as sent, because Chromium doesn't decode its parsed lists.
    private static func form(_ data: JSONValue?) -> Parameters {
        let isForm = data?["mimeType"]?.string?.lowercased().contains("x-www-form-urlencoded") ?? false
        guard isForm else { return Parameters() }
        if let text = data?["text"]?.visibleText { return Parameters(formEncoded: text) }
        return (data?["params"]?.array ?? []).reduce(into: Parameters()) { form, field in
            if let name = field["name"]?.string { form.append(name, field["value"]?.string ?? "") }
        }
    }

    private static let unread = ["javascript", "css", "image/", "font", "audio/", "video/", "wasm"]

    /// `nil` if it is long, binary or missing.
    private static func body(_ bytes: [UInt8], _ response: [JSONReader.Member]) -> String? {
        guard let range = response.range("content"), let content = try? JSONReader.members(of: bytes, in: range),
            let text = content.range("text"), text.count <= Exchange.mostBody,
            case let type = value(bytes, content, "mimeType")?.string ?? "",
            !unread.contains(where: { type.contains($0) }),
            let body = (try? JSONReader.value(of: bytes, in: text))?.string
        else { return nil }
        guard value(bytes, content, "encoding")?.string == "base64" else { return body }
        return Data(base64Encoded: body).flatMap { String(data: $0, encoding: .utf8) }
    }

    private static func wait(_ timings: JSONValue?) -> Double? {
        let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { timings?[$0]?.double }
        return parts.isEmpty ? nil : parts.filter { $0 > 0 && $0 < 1e9 }.reduce(0, +)
    }

    /// Parses an RFC 3339 time, with any number of fractional digits and, as Firefox writes it, a local offset.
    private static func time(_ text: String) -> Date? {
        let whole = text.prefix { $0 != "." }
        let fraction = text[whole.endIndex...].prefix { $0 == "." || $0.isNumber }
        let date = try? Date(String(whole + text[fraction.endIndex...]), strategy: .iso8601)
        return date?.addingTimeInterval(Double("0" + fraction) ?? 0)
    }
}

extension [JSONReader.Member] {
    fileprivate func range(_ name: String) -> Range<Int>? { last { $0.name == name }?.value }
}

extension HARFile {
    /// A redacted copy, which has the members that the rules read.
    static func copy(of exchanges: [Exchange], by creator: String) -> String {
        let creator: JSONValue = ["name": .string(creator), "version": ""]
        return "{\"log\":{\"version\":\"1.2\",\"creator\":\(creator.serialized),\"entries\":[\n"
            + exchanges.map { entry($0).serialized }.joined(separator: ",\n") + "\n]}}\n"
    }

    /// A flow as HAR 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html), with only shareable values.
    /// The browser's requests have no status: this program doesn't see the authority's responses to the browser.
    package static func text(of flow: [MSALFlowExchange], comment: String) -> String {
        let log: JSONValue = [
            "version": "1.2",
            "creator": ["name": .string(keyturn), "version": .string(MSALPublicClientApplication.sdkVersion ?? "")],
            "entries": .array(flow.map { entry(Exchange($0), of: $0) }), "comment": .string(comment),
        ]
        return JSONValue.object(["log": log]).document
    }

    /// `flow` is `nil` for an entry of a copy, which is shorter.
    private static func entry(_ exchange: Exchange, of flow: MSALFlowExchange? = nil) -> JSONValue {
        let wait = exchange.milliseconds.map(JSONValue.number)
        return JSONValue(members: [
            "startedDateTime": exchange.time.map {
                .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            },
            "time": flow.flatMap { _ in wait }, "request": request(exchange, of: flow),
            "response": response(exchange, of: flow), "cache": flow.map { _ in [:] },
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

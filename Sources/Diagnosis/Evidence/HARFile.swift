import Foundation
import OAuthCore

/// An HTTP archive (HAR 1.2) as Chromium, Firefox, Safari and mitmproxy write it.
///
/// Reads entries one at a time, and only the members that the rules need, because an archive can be large.
package struct HARFile {
    /// The program that wrote it, if known.
    let creator: String?
    let exchanges: [Exchange]
    /// The number of unreadable entries.
    let unreadable: Int
    /// Whether the file is damaged or ends after the last of ``exchanges``.
    let isCut: Bool

    /// Returns `nil` if the text isn't a HAR.
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
        exchanges = read.sorted {
            ($0.time ?? .distantFuture, $0.number) < ($1.time ?? .distantFuture, $1.number)
        }
    }

    /// The number of requests, without reading them; nil if the text isn't a HAR.
    package static func requestCount(in bytes: [UInt8]) -> Int? { entries(in: bytes)?.ranges.count }

    /// Where the list starts, and its elements; nil if there is none. Firefox's API for extensions returns only the inner object.
    private static func entries(in bytes: [UInt8]) -> (start: Int, ranges: [Range<Int>], isComplete: Bool)? {
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"), let start = start(of: "entries", in: bytes),
            bytes[start] == UInt8(ascii: "[")
        else { return nil }
        let (entries, isComplete) = JSONReader.leadingElements(of: bytes, from: start)
        return isComplete || !entries.isEmpty ? (start, entries, isComplete) : nil
    }

    /// Whether a text that isn't a HAR looks like the start of one.
    static func isStart(_ bytes: [UInt8]) -> Bool {
        bytes.first { !$0.isJSONSpace } == UInt8(ascii: "{") && start(of: "log", in: bytes) != nil
            && (try? JSONReader.members(of: bytes)) == nil
    }

    /// Where the value of the first member with this name starts.
    private static func start(of name: String, in bytes: [UInt8]) -> Int? {
        guard let upperBound = TextScanner.upperBound(of: "\"\(name)\"", in: bytes) else { return nil }
        let value = bytes[upperBound...].drop { $0.isJSONSpace }
        guard value.first == UInt8(ascii: ":") else { return nil }
        return value.dropFirst().firstIndex { !$0.isJSONSpace }
    }

    private static let creators = [
        "WebInspector", "Firefox", "WebKit Web Inspector", "mitmproxy", "Fiddler", "Charles Proxy", "Proxyman",
        keyturn,
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

    /// Whether a body of this type can be a response or a page of the authority.
    private static func isReadable(_ mimeType: String) -> Bool {
        !["javascript", "css", "image/", "font", "audio/", "video/", "wasm"].contains { mimeType.contains($0) }
    }

    /// The text of a body; `nil` if it is long, binary or missing.
    private static func body(_ bytes: [UInt8], _ response: [JSONReader.Member]) -> String? {
        guard let range = response.range("content"), let content = try? JSONReader.members(of: bytes, in: range),
            let text = content.range("text"), text.count <= Exchange.mostBody,
            isReadable(value(bytes, content, "mimeType")?.string ?? ""),
            let body = (try? JSONReader.value(of: bytes, in: text))?.string
        else { return nil }
        guard value(bytes, content, "encoding")?.string == "base64" else { return body }
        return Data(base64Encoded: body).flatMap { String(data: $0, encoding: .utf8) }
    }

    private static func wait(_ timings: JSONValue?) -> Double? {
        let parts = ["blocked", "dns", "connect", "send", "wait"].compactMap { timings?[$0]?.double }
        return parts.isEmpty ? nil : parts.filter { $0 > 0 }.reduce(0, +)
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

extension UInt8 {
    fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

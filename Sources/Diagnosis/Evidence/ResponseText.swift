import Foundation
import OAuthCore

/// HTTP responses in a text: with headers, as `curl -i` and `curl -v` print them, or the JSON body of an error alone.
struct ResponseText {
    private(set) var exchanges: [Exchange] = []

    /// `nil` if the text contains no response.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Explainer.maximumLength else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let alone = Self.response(status: 0, url: "", body: text)
        if alone.json != nil {
            guard alone.refusal != nil else { return nil }
            exchanges = [alone]
        } else {
            read(text)
            if exchanges.isEmpty { return nil }
        }
    }

    private mutating func read(_ text: String) {
        var (path, host, isBody) = ("", "", false)
        var requestHeaders = HTTPHeaders()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // curl marks what it sends, receives and does.
            let received = line.hasPrefix("<") ? line.dropFirst().drop { $0 == " " } : line
            if let status = received.prefixMatch(of: #/HTTP\/[0-9.]+ (?<code>[1-5][0-9][0-9])\b/#)?.code {
                exchanges.append(
                    Self.response(
                        number: exchanges.count + 1, status: Int(status) ?? 0,
                        url: host.isEmpty ? "" : "https://\(host)\(path)", body: ""))
                exchanges[exchanges.count - 1].requestHeaders = requestHeaders
                (isBody, requestHeaders) = (false, HTTPHeaders())
            } else if let request = line.prefixMatch(of: #/> [A-Z]+ (?<path>\/\S*) HTTP\//#) {
                path = String(request.path)
            } else if let request = line.prefixMatch(of: #/(?i)> host: (?<host>\S+)/#) {
                host = String(request.host)
            } else if let request = line.prefixMatch(of: #/(?i)> authorization: (?<value>.+)/#) {
                requestHeaders.append("Authorization", String(request.value))
            } else if !exchanges.isEmpty, !line.hasPrefix("* "), !line.hasPrefix("> ") {
                let last = exchanges.count - 1
                if isBody {
                    exchanges[last].body?.append(line + "\n")
                } else if received.allSatisfy(\.isWhitespace) {
                    isBody = true
                } else if let field = received.prefixMatch(of: #/(?<name>[A-Za-z0-9-]+):\s*(?<value>.*)/#) {
                    exchanges[last].responseHeaders.append(String(field.name), String(field.value))
                }
            }
        }
    }

    private static func response(number: Int = 1, status: Int, url: String, body: String) -> Exchange {
        var exchange = Exchange(number: number, method: "", url: url, status: status)
        exchange.body = body
        return exchange
    }
}

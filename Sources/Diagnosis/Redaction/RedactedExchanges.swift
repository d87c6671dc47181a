import Foundation
import MSAL
import OAuthCore

/// Puts placeholders into the requests of a recording.
struct RedactedExchanges {
    var placeholders: Placeholders

    init(_ exchanges: [Exchange], _ placeholders: Placeholders) {
        self.placeholders = placeholders
        for exchange in exchanges {
            if let verifier = exchange.parameters["code_verifier"] { self.placeholders.connect(verifier: verifier) }
        }
    }

    mutating func redacted(_ exchange: Exchange) -> Exchange {
        let url = placeholders.url(exchange.url)
        var copy = Exchange(
            number: exchange.number, time: exchange.time, milliseconds: exchange.milliseconds,
            method: method(of: exchange), url: placeholders.withoutHidden(url),
            requestHeaders: headers(exchange.requestHeaders),
            status: exchange.status)
        copy.form = placeholders.parameters(exchange.form).pairs.reduce(into: Parameters()) { form, pair in
            form.append(pair.name, placeholders.withoutHidden(pair.value))
        }
        copy.responseHeaders = headers(exchange.responseHeaders)
        copy.body = exchange.body.map { placeholders.withoutHidden(body($0, isHTML: exchange.isHTML)) }
        copy.failure = exchange.failure.map(Self.failure)
        copy.isPreflight = exchange.isPreflight
        return copy
    }

    private func method(of exchange: Exchange) -> String {
        Self.methods.contains(exchange.method) ? exchange.method : "OTHER"
    }

    private static let methods: Set<String> = ["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "CONNECT", "PATCH"]

    /// The known text in a browser's reason.
    private static func failure(_ text: String) -> String {
        let line = Array(text.utf8)
        let known = LogFile.known(in: line).max { $0.count < $1.count }
        return known.map { String(decoding: line[$0], as: UTF8.self) } ?? Statement.essence(of: line)
            ?? "net::ERR_FAILED"
    }

    private mutating func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var shown = HTTPHeaders()
        for field in headers.fields {
            guard let value = placeholders.value(field.value, ofHeader: field.name) else {
                placeholders.leftOut += 1
                continue
            }
            shown.append(field.name.lowercased(), placeholders.withoutHidden(value))
        }
        return shown
    }

    /// JSON member by member; of a page only the error.
    private mutating func body(_ body: String, isHTML: Bool) -> String {
        if let value = try? JSONValue(parsing: body) { return shown(value, of: "").serialized }
        placeholders.leftOut += 1
        let line = Array(body.utf8)
        let known = Set(LogFile.known(in: line).map { String(decoding: line[$0], as: UTF8.self) })
        let number = body.firstMatch(of: Exchange.pageCode.regex).map { "AADSTS\($0.number)" }
        let text = ([number].compactMap(\.self) + known.sorted()).joined(separator: " ")
        return isHTML ? "<html>\(text)</html>" : text
    }

    private mutating func shown(_ value: JSONValue, of name: String) -> JSONValue {
        switch value {
        case .object(let members):
            var shown: [String: JSONValue] = [:]
            for (name, value) in members {
                if WireParameter.isCopied(member: name) {
                    shown[name] = self.shown(value, of: name)
                } else {
                    placeholders.leftOut += 1
                }
            }
            return .object(shown)
        case .array(let elements): return .array(elements.map { shown($0, of: name) })
        case .string(let text): return .string(placeholders.value(text, of: name))
        case .bool, .null: return value
        case .integer, .large, .number:
            let text = value.serialized
            let isShown = Privacy.shown(text, of: name, to: .redactedCopy) != nil
            return isShown ? value : .string(placeholders.hide(text, as: "number"))
        }
    }
}

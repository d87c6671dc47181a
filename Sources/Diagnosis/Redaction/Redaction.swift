import Foundation
import MSAL
import OAuthCore

/// A copy of evidence without secrets, names and addresses.
///
/// The copy is written anew from what was understood. What couldn't be parsed is left out, not copied.
package struct Redaction: Sendable, Equatable {
    /// What was replaced.
    package struct Receipt: Sendable, Equatable {
        package struct Row: Sendable, Equatable {
            /// The name of the parameter, or `host`, `path`, `name`…
            package var kind: String
            /// The number of different values.
            package var values: Int
            /// The number of places.
            package var places: Int
        }

        package var rows: [Row]
        /// The number of headers, members, bodies and pieces of lines that the copy lacks.
        package var leftOut: Int

        /// The numbers in words.
        package var summary: String {
            let (values, places) = (rows.reduce(0) { $0 + $1.values }, rows.reduce(0) { $0 + $1.places })
            let replaced = values == 0 ? "no secrets found" : Self.replaced(values, in: places)
            return "\(replaced), \(leftOutInWords)"
        }

        fileprivate static func replaced(_ values: Int, in places: Int) -> String {
            "\(values) \(values == 1 ? "value" : "values") replaced in \(places) \(places == 1 ? "place" : "places")"
        }

        fileprivate var leftOutInWords: String {
            switch leftOut {
            case 0: "none left out"
            case 1: "1 part left out"
            default: "\(leftOut) parts left out"
            }
        }
    }

    package let text: String
    package let receipt: Receipt

    init(_ archive: HARFile) {
        var writer = RedactedExchanges(archive.exchanges)
        let copies = archive.exchanges.compactMap { Task.isCancelled ? nil : writer.redacted($0) }
        text = HARFile.copy(of: copies, by: archive.creator ?? "unknown")
        receipt = Receipt(rows: writer.placeholders.rows, leftOut: writer.leftOut + archive.unreadable)
    }

    /// A log, an error or any other text, line by line.
    package init(lines bytes: [UInt8]) {
        let requests = RequestText(bytes).exchanges.filter { $0.ownRole != .message }
        var archive = RedactedExchanges(requests)
        var writer = RedactedLines(placeholders: archive.placeholders)
        let lines = writer.text(of: bytes)
        archive.placeholders = writer.placeholders
        let section = requests.map { archive.line($0) }
        text = ([lines] + (section.isEmpty ? [] : ["", "Requests in this text:"]) + section).joined(separator: "\n")
        receipt = Receipt(rows: archive.placeholders.rows, leftOut: writer.leftOut + archive.leftOut)
    }
}

extension Explanation {
    /// The explanation with the receipt.
    package func adding(_ receipt: Redaction.Receipt) -> Explanation {
        var explanation = self
        let rows = receipt.rows.map { Row($0.kind, Redaction.Receipt.replaced($0.values, in: $0.places)) }
        explanation.sections.append(
            Section(
                title: "Redacted copy",
                rows: (rows.isEmpty ? [Row("secrets", "none found")] : rows)
                    + [Row("other text", receipt.leftOutInWords)]))
        return explanation
    }
}

/// Puts placeholders into the requests of a recording.
private struct RedactedExchanges {
    var placeholders = Placeholders()
    var leftOut = 0

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            if let verifier = exchange.parameters["code_verifier"] { placeholders.connect(verifier: verifier) }
        }
    }

    mutating func redacted(_ exchange: Exchange) -> Exchange {
        let url = placeholders.url(exchange.url)
        var copy = Exchange(
            number: exchange.number, time: exchange.time, milliseconds: exchange.milliseconds,
            method: method(of: exchange), url: url, requestHeaders: headers(exchange.requestHeaders),
            status: exchange.status)
        copy.form = placeholders.parameters(exchange.form)
        copy.responseHeaders = headers(exchange.responseHeaders)
        copy.body = exchange.body.map { body($0, isHTML: exchange.isHTML) }
        copy.failure = exchange.failure.map(Self.failure)
        copy.isPreflight = exchange.isPreflight
        return copy
    }

    /// A request as an HTTP library logs it, so that ``RequestText`` reads it again.
    mutating func line(_ exchange: Exchange) -> String {
        let form = placeholders.parameters(exchange.form)
        let time = exchange.time.map {
            $0.formatted(.iso8601).trimmingSuffix(exchange.hasLocalTime ? "Z" : "") + " "
        }
        let url = exchange.url.isEmpty ? "" : placeholders.url(exchange.url)
        let date = exchange.responseHeaders["Date"].flatMap { placeholders.value($0, ofHeader: "date") }
        let body = exchange.json.map { " " + shown(.object($0), of: "").serialized }
        return (form.isEmpty ? "" : form.formEncoded + "\n") + (time ?? "")
            + "\"\(method(of: exchange)) \(url.isEmpty ? "/" : url) HTTP/1.1\""
            + (exchange.status == 0 ? "" : " \(exchange.status)") + (date.map { " date: \($0)" } ?? "") + (body ?? "")
    }

    private func method(of exchange: Exchange) -> String {
        Self.methods.contains(exchange.method) ? exchange.method : "OTHER"
    }

    private static let methods: Set<String> = ["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "CONNECT", "PATCH"]

    /// The known text in a browser's reason.
    private static func failure(_ text: String) -> String {
        let line = Array(text.utf8)
        let known = LogFile.known(in: line).max { $0.count < $1.count }
        return known.map { String(decoding: line[$0], as: UTF8.self) } ?? "net::ERR_FAILED"
    }

    private mutating func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var shown = HTTPHeaders()
        for field in headers.fields {
            guard let value = placeholders.value(field.value, ofHeader: field.name) else {
                leftOut += 1
                continue
            }
            shown.append(field.name.lowercased(), value)
        }
        return shown
    }

    /// JSON member by member; of a page only the error.
    private mutating func body(_ body: String, isHTML: Bool) -> String {
        if let value = try? JSONValue(parsing: body) { return shown(value, of: "").serialized }
        leftOut += 1
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
                    leftOut += 1
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

/// Writes the known texts, codes, times and URLs of each line; the rest is left out.
private struct RedactedLines {
    var placeholders: Placeholders
    var leftOut = 0

    mutating func text(of bytes: [UInt8]) -> String {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Task.isCancelled ? "" : line($0) }
            .joined(separator: "\n")
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>) -> String {
        let line = String(decoding: bytes, as: UTF8.self)
        var (shown, end) = ("", line.startIndex)
        let isDelimiter = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || "\"'<>\\)]}".unicodeScalars.contains(scalar)
        }
        for url in line.urls(with: "://", upTo: isDelimiter) where !Task.isCancelled {
            shown += words(line[end..<url.start]) + placeholders.url(String(line[url.start..<url.end]))
            end = url.end
        }
        return shown + words(line[end...])
    }

    /// Of a text without URLs, the times and known texts as they are, and placeholders for GUIDs.
    private mutating func words(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var (shown, end) = ("", 0)
        for piece in FixedForms(in: bytes).pieces {
            let text = String(decoding: bytes[piece.range], as: UTF8.self)
            shown +=
                known(Array(bytes[end..<piece.range.lowerBound]))
                + (piece.isTime ? text : placeholders.hide(text.lowercased(), as: "id"))
            end = piece.range.upperBound
        }
        return shown + known(Array(bytes[end...]))
    }

    /// The texts that the rules know, with an ellipsis for the rest.
    private mutating func known(_ bytes: [UInt8]) -> String {
        var (shown, end) = ("", 0)
        for range in LogFile.known(in: bytes).sorted(by: {
            ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound)
        })
        where range.lowerBound >= end {
            shown += gap(bytes[end..<range.lowerBound]) + String(decoding: bytes[range], as: UTF8.self)
            end = range.upperBound
        }
        return shown + gap(bytes[end...])
    }

    /// The spaces and signs between words, which the rules need.
    private mutating func gap(_ bytes: ArraySlice<UInt8>) -> String {
        let isSign = { (byte: UInt8) in " :=,()[]{}\"\t".utf8.contains(byte) }
        let (start, rest) = (bytes.prefix(while: isSign), bytes.drop(while: isSign))
        guard !rest.isEmpty else { return String(decoding: start, as: UTF8.self) }
        leftOut += 1
        let tail = rest.reversed().prefix(while: isSign).reversed()
        return String(decoding: start, as: UTF8.self) + "…" + String(decoding: tail, as: UTF8.self)
    }
}

import Foundation
import MSAL
import OAuthCore

/// A copy without secrets, names and addresses, written anew from what was understood: what couldn't be parsed is left out.
package struct Redaction: Sendable, Equatable {
    package struct Receipt: Sendable, Equatable {
        package struct Row: Sendable, Equatable {
            /// The name of the parameter, or `host`, `path`, `name`…
            package var kind: String
            package var values: Int
            package var places: Int
        }

        package var rows: [Row]
        /// Headers, members, bodies and pieces of lines.
        package var leftOut: Int

        package var summary: String {
            let (values, places) = counts
            let replaced = values == 0 ? "no secrets found" : Self.replaced(values, in: places)
            return "\(replaced), \(leftOutInWords)"
        }

        package var counts: (values: Int, places: Int) {
            (rows.reduce(0) { $0 + $1.values }, rows.reduce(0) { $0 + $1.places })
        }

        fileprivate static func replaced(_ values: Int, in places: Int) -> String {
            "\(values) \(values == 1 ? "value" : "values") replaced in \(places) \(places == 1 ? "place" : "places")"
        }

        fileprivate var leftOutInWords: String {
            leftOut == 0 ? "none left out" : "\(leftOut) \(leftOut == 1 ? "part" : "parts") left out"
        }
    }

    package let text: String
    package let receipt: Receipt
    /// `nil` if the copy shows the same cause as the original.
    package internal(set) var loss: CopyLoss?
    /// `nil` if it isn't recognised.
    package internal(set) var copied: Explanation?

    init(_ archive: HARFile, hiding texts: [String] = []) {
        let (copies, placeholders) = Self.exchanges(archive, Placeholders(hiding: texts))
        self.init(HARFile.copy(of: copies, by: archive.creator ?? "unknown"), placeholders, archive.unreadable)
    }

    /// A log, an error or any other text, line by line. `texts` are left out, whatever the rules keep.
    package init(lines bytes: [UInt8], hiding texts: [String] = []) {
        let (lines, placeholders) = Self.lines(bytes, Placeholders(hiding: texts))
        self.init(lines.joined(separator: "\n"), placeholders)
    }

    private init(_ text: String, _ placeholders: Placeholders, _ unreadable: Int = 0) {
        self.text = text
        receipt = Receipt(rows: placeholders.rows, leftOut: placeholders.leftOut + unreadable)
    }

    static func exchanges(
        _ archive: HARFile, _ placeholders: Placeholders
    ) -> (exchanges: [Exchange], placeholders: Placeholders) {
        var writer = RedactedExchanges(archive.exchanges, placeholders)
        let copies = archive.exchanges.compactMap { Task.isCancelled ? nil : writer.redacted($0) }
        // Written again if a secret was kept before it was known to be one.
        return writer.placeholders.restarted.map { exchanges(archive, $0) } ?? (copies, writer.placeholders)
    }

    static func lines(_ bytes: [UInt8], _ placeholders: Placeholders) -> (lines: [String], placeholders: Placeholders) {
        let isWindows = TextScanner.upperBound(of: "\r\n", in: bytes) != nil
        var placeholders = RedactedExchanges(RequestText(bytes).exchanges, placeholders).placeholders
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            if Task.isCancelled { return "" }
            let line = Array(isWindows && line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            let copy = placeholders.text(line)
            return placeholders.withoutHidden(copy)
        }
        // Written again if a secret was kept before it was known to be one.
        return placeholders.restarted.map { Self.lines(bytes, $0) } ?? (lines, placeholders)
    }
}

extension Explanation {
    package func adding(_ copy: Redaction) -> Explanation {
        var explanation = self
        let receipt = copy.receipt
        let rows = receipt.rows.map { Row($0.kind, Redaction.Receipt.replaced($0.values, in: $0.places)) }
        let others = [
            Row("other text", receipt.leftOutInWords), Row("cause", copy.loss == nil ? "the same" : "another"),
        ]
        explanation.sections.append(
            Section(title: "Redacted copy", rows: (rows.isEmpty ? [Row("secrets", "none found")] : rows) + others))
        return explanation
    }
}

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
            method: Self.methods.contains(exchange.method) ? exchange.method : "OTHER",
            url: placeholders.withoutHidden(url),
            requestHeaders: headers(exchange.requestHeaders), status: exchange.status)
        copy.form = placeholders.parameters(exchange.form).pairs.reduce(into: Parameters()) { form, pair in
            form.append(pair.name, placeholders.withoutHidden(pair.value))
        }
        copy.responseHeaders = headers(exchange.responseHeaders)
        copy.body = exchange.body.map { placeholders.withoutHidden(body($0, isHTML: exchange.isHTML)) }
        copy.failure = exchange.failure.map { placeholders.withoutHidden(Self.failure($0)) }
        copy.isPreflight = exchange.isPreflight
        return copy
    }

    private static let methods: Set<String> = ["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "CONNECT", "PATCH"]

    private static func failure(_ text: String) -> String {
        let line = Array(text.utf8)
        let known = LogFile.known(in: line).max { $0.count < $1.count }.map {
            String(decoding: line[$0], as: UTF8.self)
        }
        return known ?? Statement.essence(of: line) ?? "net::ERR_FAILED"
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

package struct CopyLoss: Sendable, Equatable {
    package let original: String
    /// `nil` if it isn't recognised.
    package let copy: String?
    /// Whether the original states a cause that nothing explains.
    var isUnknown = false

    package var sentence: String {
        isUnknown
            ? "Keyturn doesn't know the cause, so it can't tell whether the copy shows it. Read the copy first."
            : "The copy shows another cause. The original: \(original) "
                + (copy.map { "The copy: \($0)" } ?? "The copy isn't recognised.")
    }
}

extension Explainer {
    func copy(of bytes: [UInt8], _ archive: HARFile?, explained: Explanation, hiding texts: [String]) -> Redaction {
        var redaction = archive.map { Redaction($0, hiding: texts) } ?? Redaction(lines: bytes, hiding: texts)
        let copy = try? explain(file: Array(redaction.text.utf8))
        redaction.copied = copy
        if copy?.gist != explained.gist || explained.cause == Cause.unknown {
            redaction.loss = CopyLoss(
                original: explained.told, copy: copy?.told, isUnknown: explained.cause == Cause.unknown)
        }
        return redaction
    }
}

extension Explanation {
    /// What must be the same in a copy: the name of the cause, the sentence of the first finding, or the summary.
    fileprivate var gist: String {
        if let cause { return cause }
        if let finding = findings.first { return finding.fact.withoutValues }
        return kind == .log ? kind.rawValue : summary.withoutValues
    }

    fileprivate var told: String { findings.first.map { "\($0.subject): \($0.fact)" } ?? summary }
}

extension String {
    /// Without values: quoted texts, URLs, GUIDs and names with dots, which a copy replaces.
    fileprivate var withoutValues: String {
        replacing(#/"[^"]*"|“[^”]*”|\S+:\/\/\S*|\S*[0-9A-Fa-f]{8}-\S+|\S+\.\S+/#, with: "…")
    }
}

/// The original and its copy, line by line. What may be secret has a placeholder on both sides.
package struct CopyReview: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package let original: String
        package let copy: String
    }

    package private(set) var lines: [Line] = []

    package init(of content: [UInt8], hiding texts: [String] = []) {
        let bytes = Explainer.decoded(content)
        let sides = [Placeholders(for: .original), Placeholders(hiding: texts)]
        let copies =
            if let archive = HARFile(bytes) {
                sides.map { Redaction.exchanges(archive, $0).exchanges.map(Self.rows) }
            } else {
                sides.map { Redaction.lines(bytes, $0).lines.map { [$0] } }
            }
        lines = zip(copies[0], copies[1]).flatMap { zip($0, $1).map(Line.init) }
    }

    private static func rows(_ exchange: Exchange) -> [String] {
        ["\(exchange.method) \(exchange.endpoint)" + (exchange.status == 0 ? "" : " \(exchange.status)")]
            + exchange.parameters.pairs.map { "  \($0.name)=\($0.value)" }
            + (exchange.body.map { ["  \($0.prefix(longest))"] } ?? [])
    }

    private static let longest = 2000
}

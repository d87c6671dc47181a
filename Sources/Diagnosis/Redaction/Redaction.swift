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
            let (values, places) = counts
            let replaced = values == 0 ? "no secrets found" : Self.replaced(values, in: places)
            return "\(replaced), \(leftOutInWords)"
        }

        /// The numbers of different values that were replaced, and of their places.
        package var counts: (values: Int, places: Int) {
            (rows.reduce(0) { $0 + $1.values }, rows.reduce(0) { $0 + $1.places })
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
    /// What the copy lost; `nil` if it shows the same cause as the original.
    package internal(set) var loss: CopyLoss?
    /// The explanation of the copy; `nil` if it isn't recognised.
    package internal(set) var copied: Explanation?

    /// - Parameter texts: what the user hides, whatever the rules keep.
    init(_ archive: HARFile, hiding texts: [String] = []) {
        let (copies, placeholders) = Self.exchanges(archive, Placeholders(hiding: texts))
        self.init(HARFile.copy(of: copies, by: archive.creator ?? "unknown"), placeholders, archive.unreadable)
    }

    /// A log, an error or any other text, line by line.
    /// - Parameter texts: what the user hides, whatever the rules keep.
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

    static func lines(
        _ bytes: [UInt8], _ placeholders: Placeholders
    ) -> (lines: [String], placeholders: Placeholders) {
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
    /// The explanation with the receipt.
    package func adding(_ copy: Redaction) -> Explanation {
        var explanation = self
        let receipt = copy.receipt
        let rows = receipt.rows.map { Row($0.kind, Redaction.Receipt.replaced($0.values, in: $0.places)) }
        explanation.sections.append(
            Section(
                title: "Redacted copy",
                rows: (rows.isEmpty ? [Row("secrets", "none found")] : rows)
                    + [
                        Row("other text", receipt.leftOutInWords),
                        Row("cause", copy.loss == nil ? "the same" : "another"),
                    ]))
        return explanation
    }
}

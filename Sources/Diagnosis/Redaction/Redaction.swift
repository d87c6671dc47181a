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

    /// What the user keeps and hides against the rules.
    package struct Choices: Sendable, Equatable {
        package var shown: Set<CopyReview.Item> = []
        package var hidden: Set<CopyReview.Item> = []
        /// Whether to list the lines of original and copy in ``Redaction/review``.
        package var isReviewed = false

        package init() {}

        /// The choices for a review.
        package var reviewed: Choices {
            var choices = self
            choices.isReviewed = true
            return choices
        }
    }

    package let text: String
    package let receipt: Receipt
    /// Empty unless ``Choices/isReviewed``.
    package let review: CopyReview
    /// What the copy lost; `nil` if it shows the same cause as the original.
    package internal(set) var loss: CopyLoss?
    /// The explanation of the copy; `nil` if it isn't recognised.
    package internal(set) var copied: Explanation?

    init(_ archive: HARFile, _ choices: Choices = .init()) {
        self = Self.settled(choices) { placeholders in
            var writer = RedactedExchanges(archive.exchanges, placeholders)
            var review = CopyReview()
            let copies = archive.exchanges.compactMap { exchange in
                guard !Task.isCancelled else { return nil as Exchange? }
                let copy = writer.redacted(exchange)
                let values = writer.placeholders.takeSeen()
                if choices.isReviewed { review.add(exchange, copy, values) }
                return copy
            }
            writer.placeholders.leftOut += archive.unreadable
            let text = HARFile.copy(of: copies, by: archive.creator ?? "unknown")
            return (Redaction(text, writer.placeholders, review), writer.placeholders)
        }
    }

    /// A log, an error or any other text, line by line.
    /// - Parameter listsRequests: whether the requests found in it follow, for rules that can't read them in the lines.
    package init(lines bytes: [UInt8], _ choices: Choices = .init(), listsRequests: Bool = false) {
        let requests = RequestText(bytes).exchanges.filter { $0.ownRole != .message }
        let isWindows = TextScanner.upperBound(of: "\r\n", in: bytes) != nil
        self = Self.settled(choices) { placeholders in
            var archive = RedactedExchanges(requests, placeholders)
            var review = CopyReview()
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
                if Task.isCancelled { return "" }
                let line = Array(isWindows && line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
                let copy = archive.placeholders.text(line)
                let values = archive.placeholders.takeSeen()
                if choices.isReviewed {
                    review.lines.append(.init(String(decoding: line, as: UTF8.self), copy, values))
                }
                return copy
            }
            let section = listsRequests ? requests.map { archive.line($0) } : []
            let text = (lines + (section.isEmpty ? [] : ["", "Requests in this text:"]) + section).joined(
                separator: "\n")
            return (Redaction(text, archive.placeholders, review), archive.placeholders)
        }
    }

    private init(_ text: String, _ placeholders: Placeholders, _ review: CopyReview) {
        self.text = text
        receipt = Receipt(rows: placeholders.rows, leftOut: placeholders.leftOut)
        self.review = review
    }

    /// Written again if a secret was kept before it was known to be one.
    private static func settled(
        _ choices: Choices, _ write: (Placeholders) -> (copy: Redaction, placeholders: Placeholders)
    ) -> Redaction {
        let first = write(Placeholders(choices))
        return first.placeholders.lateSecretIDs.map { write(Placeholders(choices, secretIDs: $0)).copy } ?? first.copy
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

import Foundation
import OAuthCore

/// A flow as a sequence of messages between parties, as drawn on the screen and exported.
///
/// All texts are on one line, without control characters.
package struct SequenceDiagram: Sendable, Equatable {
    /// A lifeline, in the order from left to right.
    package enum Party: Int, Sendable, Comparable, CaseIterable {
        case application, browser, authority, api, cache

        package var title: String {
            switch self {
            case .application: "Application"
            case .browser: "Browser"
            case .authority: "Authority"
            case .api: "API"
            case .cache: "Token cache"
            }
        }

        /// The title for narrow columns.
        package var shortTitle: String {
            switch self {
            case .application: "App"
            case .cache: "Cache"
            case .browser, .authority, .api: title
            }
        }

        package static func < (left: Party, right: Party) -> Bool { left.rawValue < right.rawValue }
    }

    /// The message of an exchange that an arrow shows.
    package enum Message: Sendable, Equatable { case request, response }

    package enum Outcome: Sendable, Equatable {
        /// A request, or a step of one party.
        case sent
        /// A successful response.
        case responded
        /// An error, or a message without a response.
        case rejected
    }

    package struct Arrow: Sendable, Equatable {
        package var from: Party
        /// The same as ``from`` for a step of one party.
        package var to: Party
        /// A few words, for the picture.
        package private(set) var label: String
        /// The whole message in words.
        package fileprivate(set) var text: String
        package var outcome: Outcome
        /// Remarks that belong to the picture, such as the text of an error.
        package fileprivate(set) var notes: [String]
        /// The number of the exchange with the parameters; nil if there is none.
        package var exchange: Int?
        package var message: Message
        /// The index of the page that the user sees; nil if the arrow isn't about a page.
        package var page: Int?
        /// The heading above the arrow, in a diagram of several flows.
        package fileprivate(set) var heading: String?
        /// How often the message was sent in a row.
        package fileprivate(set) var count = 1

        package init(
            _ from: Party, _ to: Party, _ label: String, text: String? = nil, outcome: Outcome = .sent,
            notes: [String] = [], exchange: Int? = nil, message: Message = .request, page: Int? = nil
        ) {
            self.from = from
            self.to = to
            self.label = label.onOneLine
            self.text = (text ?? label).onOneLine
            self.outcome = outcome
            self.notes = notes.map(\.onOneLine).filter { !$0.isEmpty }
            self.exchange = exchange
            self.message = message
            self.page = page
        }

        /// The label, with a count for a repeated message.
        package var countedLabel: String { count > 1 ? "\(label) (\(count) times)" : label }

        /// The arrow in words, for line mode and screen readers.
        package var sentence: String {
            let parties = from == to ? from.title : "\(from.title) to \(to.title)"
            let repeated = count > 1 ? " (\(count) times)" : ""
            return (["\(parties): \(text)\(repeated)"] + notes).map(\.closed).joined(separator: " ")
        }

        /// Whether another arrow shows the same message again, as in polling.
        fileprivate func repeats(_ other: Arrow) -> Bool {
            (from, to, label, outcome, notes) == (other.from, other.to, other.label, other.outcome, other.notes)
                && from != to && page == nil && other.page == nil
        }
    }

    package private(set) var title: String
    package private(set) var arrows: [Arrow]

    /// Repeated requests with the same response become one pair of arrows with a count.
    package init(title: String, arrows: [Arrow]) {
        self.title = title.onOneLine
        self.arrows = []
        for arrow in arrows {
            self.arrows.append(arrow)
            mergeRepetition()
        }
    }

    /// Merges the last request and response with an equal pair before them.
    private mutating func mergeRepetition() {
        let count = arrows.count
        guard count >= 4, arrows[count - 1].message == .response, arrows[count - 1].repeats(arrows[count - 3]),
            arrows[count - 2].repeats(arrows[count - 4])
        else { return }
        let count4 = arrows[count - 4].count + 1
        arrows.removeLast(2)
        arrows[count - 4].count = count4
        arrows[count - 3].count = count4
    }

    /// Several diagrams in one, each with its title as a heading.
    package init(title: String, joining diagrams: [SequenceDiagram]) {
        self.title = title.onOneLine
        arrows = diagrams.flatMap { diagram in
            diagram.arrows.enumerated().map { index, arrow in
                var arrow = arrow
                // Exchanges and pages are numbered within their flow.
                (arrow.exchange, arrow.page) = (nil, nil)
                if index == 0 { arrow.heading = diagram.title }
                return arrow
            }
        }
    }

    /// The lifelines with an arrow, from left to right.
    package var parties: [Party] {
        let used = Set(arrows.flatMap { [$0.from, $0.to] })
        return Party.allCases.filter(used.contains)
    }

    /// The diagram up to a number of arrows.
    package func prefix(_ count: Int) -> SequenceDiagram {
        var shown = self
        shown.arrows = Array(arrows.prefix(count))
        return shown
    }

    /// The diagram in which an arrow is a failure.
    package func rejecting(_ index: Int) -> SequenceDiagram {
        var shown = self
        if arrows.indices.contains(index) { shown.arrows[index].outcome = .rejected }
        return shown
    }

    /// The diagram with the program's own steps and the user's pages by their names alone, because the rest can name the account.
    package func shareable(title: String) -> SequenceDiagram {
        var shown = self
        shown.title = title
        for index in arrows.indices where arrows[index].exchange == nil {
            (shown.arrows[index].text, shown.arrows[index].notes) = (arrows[index].label, [])
            shown.arrows[index].page = nil
        }
        return shown
    }

    /// The arrows as numbered sentences.
    package var sentences: [String] { arrows.enumerated().map { "\($0 + 1). \($1.sentence)" } }
}

extension String {
    /// The text on one line, without control characters, bidirectional marks and runs of spaces.
    fileprivate var onOneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls
    }

    /// The text with a full stop.
    fileprivate var closed: String { last.map { ".!?…".contains($0) } == true ? self : "\(self)." }
}

import Diagnosis

/// The columns of a diagram's lifelines. Gaps are as equal as possible, but a label is cut only if it has no room anywhere in
/// its line.
struct SequenceColumns: Equatable {
    private static let widestGap = 28
    private static let minimumGap = 8
    /// The columns of an arrow without its label.
    static let decoration = 5

    /// An arrow between two lifelines, by their indices, with the width of its label.
    private struct Label: Equatable {
        var lanes: ClosedRange<Int>
        var width: Int
    }

    /// Where the label of an arrow is.
    enum Place: Equatable {
        case inside
        /// Beyond the arrow's right or left end, across the lanes there.
        case after, before
    }

    /// Whether the lifelines have their short names.
    private(set) var isNarrow: Bool
    private var width: Int
    private var start: Int
    private var room: Int
    private var gaps: [Int]

    init(_ diagram: SequenceDiagram, _ parties: [SequenceDiagram.Party], width: Int) {
        let labels = diagram.arrows.compactMap { arrow -> Label? in
            guard let from = parties.firstIndex(of: arrow.from), let to = parties.firstIndex(of: arrow.to) else {
                return nil
            }
            return Label(lanes: min(from, to)...max(from, to), width: SequenceText.width(of: arrow))
        }
        let full = SequenceColumns(parties, isNarrow: false, width, labels)
        let isClear = full.room >= 14 * (parties.count - 1) && full.missing(labels) == 0
        self = isClear ? full : SequenceColumns(parties, isNarrow: true, width, labels)
    }

    private init(_ parties: [SequenceDiagram.Party], isNarrow: Bool, _ width: Int, _ labels: [Label]) {
        let names = parties.map { (isNarrow ? $0.shortTitle : $0.title).count }
        let start = (names.first ?? 0) / 2 + 1
        let room = width - start - ((names.last ?? 0) + 1) / 2 - 1
        let least = zip(names, names.dropFirst()).map { max(Self.minimumGap, ($0 + 1) / 2 + $1 / 2 + 1) }
        gaps = least.reduce(0, +) <= room ? least : least.map { _ in max(1, room / least.count) }
        (self.isNarrow, self.width, self.start, self.room) = (isNarrow, width, start, room)
        // A label before its arrow needs a wide diagram, the others need narrow gaps.
        var equal = self
        equal.level([])
        grow(for: labels)
        level(labels)
        if equal.missing(labels) < missing(labels) { self = equal }
    }

    /// The columns of the lifelines, from left to right.
    var columns: [Int] { gaps.reduce(into: [start]) { $0.append(($0.last ?? 0) + $1) } }

    private var free: Int { max(0, room - gaps.reduce(0, +)) }

    /// Makes gaps as wide as their labels, the shortest labels first.
    private mutating func grow(for labels: [Label]) {
        for label in labels.sorted(by: { ($0.lanes.count, $0.width) < ($1.lanes.count, $1.width) }) {
            let range = label.lanes.lowerBound..<label.lanes.upperBound
            let more = label.width + Self.decoration - gaps[range].reduce(0, +)
            guard !range.isEmpty, more > 0, more <= free else { continue }
            widen(labels) { layout in
                for _ in 0..<more {
                    guard let least = range.min(by: { layout.gaps[$0] < layout.gaps[$1] }) else { break }
                    layout.gaps[least] += 1
                }
            }
        }
    }

    /// Shares the free columns, the narrowest gaps first.
    private mutating func level(_ labels: [Label]) {
        while free > 0 {
            let order = gaps.indices.filter { gaps[$0] < Self.widestGap }.sorted { gaps[$0] < gaps[$1] }
            guard order.contains(where: { index in widen(labels) { $0.gaps[index] += 1 } }) else { return }
        }
    }

    /// Widens gaps unless a label would lose room that it needs.
    @discardableResult
    private mutating func widen(_ labels: [Label], _ change: (inout SequenceColumns) -> Void) -> Bool {
        var wider = self
        change(&wider)
        guard wider.missing(labels) <= missing(labels) else { return false }
        self = wider
        return true
    }

    /// The place of a label with most room for it, and that room. Inside its arrow, if it fits there.
    func place(of label: Int, _ start: Int, _ stop: Int) -> (place: Place, room: Int) {
        let choices: [(place: Place, room: Int)] =
            start == stop
            ? [(.after, width - start - 3), (.before, start - 2)]
            : [(.inside, stop - start - Self.decoration), (.after, width - stop - 2), (.before, start - 1)]
        let chosen = choices.first { $0.room >= label } ?? choices.max { $0.room < $1.room }
        return (chosen?.place ?? .inside, max(0, chosen?.room ?? 0))
    }

    /// The columns that are missing for labels.
    private func missing(_ labels: [Label]) -> Int {
        let columns = columns
        return labels.reduce(0) { sum, label in
            let (start, stop) = (columns[label.lanes.lowerBound], columns[label.lanes.upperBound])
            return sum + max(0, label.width - place(of: label.width, start, stop).room)
        }
    }
}

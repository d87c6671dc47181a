import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Console

/// Properties of every golden screen.
@Suite("Screen properties")
struct ScreenPropertyTests {
    @Test("No wide character is split and no row is wider than the screen", arguments: screenStates.map(\.name))
    func whole(name: String) throws {
        for surface in try surfaces(name) {
            for y in 0..<surface.size.height {
                let row = Array(surface.row(y))
                #expect(row.reduce(0) { $0 + $1.width } == surface.size.width, "\(surface.size), row \(y)")
                for (x, cell) in row.enumerated() where cell.isContinuation {
                    #expect(
                        x > 0 && row[x - 1].width == 2 && row[x - 1].style == cell.style, "\(surface.size) \(x),\(y)")
                }
            }
        }
    }

    @Test("The cursor is on the selection, which has a mark", arguments: screenStates.map(\.name))
    func selection(name: String) throws {
        let model = try state(named: name)
        // A layer can cover parts of a selection.
        let isAnswer = model.overlay != nil
        for surface in try surfaces(name) {
            let cursor = try #require(surface.cursor)
            let rows = (0..<surface.size.height).map { y in (y, StyleRun.row(y, of: surface)) }
            let selected = rows.flatMap { y, runs in
                runs.filter { $0.style.isSelection(ofAnswer: isAnswer) }.map { (y, $0) }
            }
            for (y, run) in selected {
                #expect(run.text.drop { $0 == " " }.hasPrefix(surface.glyphs.pointer), "\(surface.size), row \(y)")
                guard !cursor.isVisible else { continue }
                #expect(cursor.position.y == y && run.columns ~= cursor.position.x, "\(surface.size), row \(y)")
            }
        }
    }

    @Test("The status line has whole hints, and always the last one", arguments: screenStates.map(\.name))
    func statusLine(name: String) throws {
        let model = try state(named: name)
        let hints = model.screens[model.top].base.entries(model.context).compactMap { entry in
            entry.info.hint.map { "\(KeyLabel.text(entry.info.keys, ascii: false)) \($0)" }
        }
        for surface in try surfaces(name) {
            let runs = StyleRun.row(surface.size.height - 1, of: surface)
            #expect(runs.last?.text.hasSuffix(" ") == true, "\(surface.size)")
            let shown = zip(runs, runs.dropFirst()).filter { $0.0.style == .key }.map { $0.0.text + $0.1.text }
            #expect(!shown.isEmpty || hints.isEmpty, "\(surface.size)")
            for hint in shown {
                #expect(hints.contains(hint.trimmingCharacters(in: .whitespaces)), "\(surface.size): \(hint)")
            }
        }
    }

    @Test("No border crosses the status line of the smallest window", arguments: screenStates.map(\.name))
    func smallest(name: String) throws {
        let surface = view(try state(named: name), Size(width: 40, height: 8))
        #expect(!(surface.lines.last ?? "").contains(surface.glyphs.horizontal))
    }

    /// The text on screen does not depend on colours, so NO_COLOR and the mono theme have the same screens.
    @Test("Without colours every cell is the same", arguments: screenStates.map(\.name))
    func noColour(name: String) throws {
        var model = try state(named: name)
        model.options.noColor.toggle()
        #expect(try surfaces(name).map { view(model, $0.size) } == surfaces(name))
    }

    /// Without colours, bold, reverse and underline remain, which do not distinguish good, doubtful and bad. So each
    /// such text has a mark beside it, or always has the same colour and says it in words.
    @Test("Every colour's meaning is also shown without colour", arguments: screenStates.map(\.name))
    func withoutColour(name: String) throws {
        for surface in try surfaces(name) {
            for y in 0..<surface.size.height {
                let runs = StyleRun.row(y, of: surface)
                for (index, run) in runs.enumerated() where run.style.isVerdict && !run.words.isEmpty {
                    let before = runs.prefix(index).last?.words ?? ""
                    let isMarked = Self.marks.contains { run.words.contains($0) || before == $0 }
                    let isSaid = isMarked || Self.roles[run.words] == [run.style.role]
                    #expect(isSaid || continues(run, row: y, of: surface), "\(surface.size): \(run.words)")
                }
            }
        }
    }

    /// The golden screens hold the styles at one size. Help is left out, since unavailable commands depend on the size.
    @Test(
        "Rows that begin with the same words have the same styles at every size",
        arguments: screenStates.filter { ScreenKind($0.model) != .help }.map(\.name))
    func styles(name: String) throws {
        let surfaces = try surfaces(name)
        let recorded = Word.rows(of: surfaces[0])
        for surface in surfaces.dropFirst() {
            for words in Word.rows(of: surface) {
                let shared = recorded.map { row in zip(row, words).prefix { $0.text == $1.text }.count }
                // A single word may begin any row.
                guard let longest = shared.max(), longest > 1 else { continue }
                let isAsRecorded = zip(recorded, shared).contains { row, count in
                    count == longest && row.prefix(count) == words.prefix(count)
                }
                #expect(isAsRecorded, "\(surface.size): \(words.map(\.text).joined(separator: " "))")
            }
        }
    }

    /// Whether the row continues a paragraph.
    private func continues(_ run: StyleRun, row y: Int, of surface: Surface) -> Bool {
        StyleRun.row(y - 1, of: surface).contains { above in
            above.style == run.style && above.columns.lowerBound <= run.columns.lowerBound
        }
    }

    private static let marks = [Glyphs.unicode.check, Glyphs.unicode.cross, Glyphs.unicode.warning]

    /// The roles of the same words on all screens.
    private static let roles: [String: Set<Role>] = shownScreens.values.joined().reduce(into: [:]) { roles, surface in
        for y in 0..<surface.size.height {
            for run in StyleRun.row(y, of: surface) where ![.muted, .selection].contains(run.style.role) {
                roles[run.words, default: []].insert(run.style.role)
            }
        }
    }

    private func surfaces(_ name: String) throws -> [Surface] { try #require(shownScreens[name]) }
}

/// The text between blanks.
private struct Word: Equatable {
    var text: String
    var styles: Set<Style>

    init(_ cells: some Sequence<Cell>) {
        text = cells.map(\.text).joined().trimmingCharacters(in: .whitespaces)
        styles = Set(cells.map(\.style))
    }

    /// The words of each row, and its trailing blanks if they are visible.
    static func rows(of surface: Surface) -> [[Word]] {
        (0..<surface.size.height).map { y in
            let row = surface.row(y)
            let end = row.reversed().prefix { $0.text == " " }
            // One blank is the margin of the screen.
            let blanks = end.count > 1 ? [Word(end.filter(\.style.showsOnBlank))] : []
            return row.split { $0.text == " " }.map { Word($0) } + blanks
        }
    }
}

extension Style {
    fileprivate var showsOnBlank: Bool { role == .selection || !attributes.isDisjoint(with: [.underline, .reverse]) }

    fileprivate func isSelection(ofAnswer: Bool) -> Bool {
        ofAnswer ? attributes.contains(.reverse) : role == .selection
    }

    /// Good, doubtful or bad.
    fileprivate var isVerdict: Bool { [.success, .warning, .danger].contains(role) }
}

extension StyleRun {
    fileprivate var words: String { text.trimmingCharacters(in: .whitespaces) }
}

import Diagnosis
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Console

@Suite("The layout of a scenario")
struct WalkLayoutTests {
    private static let wide = Size(width: 120, height: 40)

    /// The first step as it plays, tick by tick.
    private func frames(_ size: Size) -> [(model: Model, lines: [String])] {
        (1...60).map { ticked(playing(size: size), $0) }.filter { $0.context.isPlaying }
            .map { ($0, view($0, size).lines) }
    }

    private func page(_ model: Model) -> PageVisit? {
        let arrows = model.context.shownDiagram?.arrows ?? []
        let current = model.context.shownArrows.count - (model.context.shownArrows.beat > 0 ? 0 : 1)
        return arrows.indices.contains(current) ? arrows[current].page.map { signInVisits[$0] } : nil
    }

    @Test("At 80x24, the page is below the flow while its arrow is the current one")
    func page() throws {
        var pages = 0
        for (model, lines) in frames(standardSize) {
            let box = lines.firstIndex { $0.hasPrefix(" ┌─ ") }
            guard let visit = page(model) else {
                #expect(box == nil, "\(lines)")
                continue
            }
            pages += 1
            let top = try #require(box, "\(lines)")
            let bottom = try #require(lines.firstIndex { $0.hasPrefix(" └─") })
            #expect(bottom - top < 8)
            let text = lines[top...bottom].joined(separator: "\n")
            for words in [visit.title] + visit.fields.map(\.label) + visit.buttons { #expect(text.contains(words)) }
            // The arrow is in sight above it.
            let pointer = try #require(lines.firstIndex { $0.hasPrefix(" › ") })
            #expect(pointer < top)
        }
        #expect(pages > 12)
    }

    @Test("At 80x24, the result of a step is below its note")
    func result() throws {
        let lines = view(after(playing(), keys: .character("n")), standardSize).lines
        let note = try #require(lines.firstIndex { $0.hasPrefix(" Note: ") })
        let result = try #require(lines.firstIndex { $0.hasPrefix(" ✓ Token from the cache") }, "\(lines)")
        #expect(note < result)
        #expect(lines.contains { $0.contains("200 tokens") }, "the flow is still shown")
    }

    @Test("At 120x40, page, flow and application are whole, with the list of steps")
    func wholeWindow() throws {
        for (model, lines) in frames(Self.wide) {
            let text = lines.joined(separator: "\n")
            for arrow in model.context.shownDiagram?.arrows.prefix(model.context.shownArrows.count) ?? [] {
                #expect(text.contains(arrow.label))
            }
            for part in ["APPLICATION", "STEPS", "4 Remove Alice's account"] { #expect(text.contains(part)) }
            guard let visit = page(model) else { continue }
            for words in [visit.title] + visit.fields.map(\.label) + visit.buttons { #expect(text.contains(words)) }
        }
        let done = view(after(playing(size: Self.wide), keys: .character("n")), Self.wide).text
        #expect(done.contains("Note: ") && done.contains("✓ Token from the cache"))
    }

    @Test("A page with much text and many fields has its alert, fields and buttons in six rows")
    func longPage() {
        let fields = (1...4).map { PageVisit.Field(.checkbox(isTicked: true), label: "Permission \($0)") }
        let visit = PageVisit(
            date: testTime, title: "Permissions requested", alert: "Tick one.",
            text: Array(repeating: String(repeating: "word ", count: 40), count: 3), fields: fields,
            buttons: ["Accept", "Decline"], pressed: "Accept")
        let lines = PageView(visit: visit, progress: 0, glyphs: .unicode).lines(78, most: 6)
        let text = lines.map { $0.spans.map(\.text).joined() }
        #expect(lines.count == 6 && lines.allSatisfy { $0.width == 78 })
        for words in ["Tick one.", "Permission 1", "Permission 4", "[Accept]   [Decline]"] {
            #expect(text.contains { $0.contains(words) }, "\(text)")
        }
    }

    @Test("The parameters of an arrow are a table of aligned columns", arguments: [standardSize, wide])
    func parameters(size: Size) throws {
        let model = after(playing(size: size), keys: .character("n"), .home, .down, .down, .down)
        let lines = view(model, size).lines
        let first = try #require(lines.firstIndex { $0.hasPrefix(" client_id") }, "\(lines)")
        // Where the value and the meaning begin.
        let starts = lines[first..<(first + 3)].map { line in
            line.dropFirst().matches(of: #/  [^ ]/#).map {
                line.distance(from: line.startIndex, to: $0.range.upperBound)
            }.prefix(2)
        }
        #expect(starts.allSatisfy { $0.count == 2 } && Set(starts).count == 1, "\(lines[first..<(first + 3)])")
    }
}

import Diagnosis
import Foundation
import MSAL
import TerminalUI
import TestSupport
import Testing

@testable import Console

@Suite("Sequence diagrams as text")
struct SequenceTextTests {
    @Test("A user who gives up does so after the last page")
    func failedWait() {
        var trace = FlowTrace(id: EffectID(1), title: "Sign in")
        func record(_ phase: MSALFlowEvent.Phase, _ detail: String, after seconds: Double) {
            let date = testTime.addingTimeInterval(seconds)
            trace.record(MSALFlowEvent(step: .waitForResponse, phase: phase, detail: detail, date: date))
        }
        record(.started, "", after: 0)
        trace.record(PageVisit(date: testTime.addingTimeInterval(2), title: "Sign-in failed"))
        record(.failed, "Cancelled", after: 2)
        #expect(trace.diagram.arrows.map(\.text) == ["Page \"Sign-in failed\"", "Cancelled"])
    }

    private static var trace: FlowTrace {
        var trace = FlowTrace(id: EffectID(1), title: "Sign in")
        for exchange in signInExchanges { trace.record(exchange) }
        return trace
    }

    private static func text(_ diagram: SequenceDiagram, width: Int, glyphs: Glyphs = .unicode) -> [String] {
        let text = SequenceText(diagram, width: width, glyphs: glyphs)
        return ([text.heading] + text.lines).map { $0.spans.map(\.text).joined() }
    }

    @Test("A sign-in at 60 columns")
    func signIn() {
        #expect(
            Self.text(Self.trace.diagram, width: 60) == [
                " Application               Browser                Authority",
                "      ├─ metadata ───────────────────────────────────→│",
                "      │←╌ 200 metadata ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤",
                "      ├─ open page ──────────→│                       │",
                "      │                       ├─ authorize ──────────→│",
                "      │                       │←╌ redirect ╌╌╌╌╌╌╌╌╌╌╌┤",
                "      │←╌ code ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤                       │",
                "      ├─ token (code) ───────────────────────────────→│",
                "      │←╌ 200 tokens ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤",
            ])
    }

    @Test("Every line fits its width, with lifelines in the same columns", arguments: [40, 56, 60, 80, 120])
    func fits(width: Int) {
        let arrows = SequenceDiagram.Party.allCases.flatMap { from in
            SequenceDiagram.Party.allCases.map { to in
                SequenceDiagram.Arrow(from, to, "a long label with 王王 \(from) \(to)", outcome: .responded)
            }
        }
        for line in Self.text(SequenceDiagram(title: "", arrows: arrows), width: width, glyphs: .ascii) {
            #expect(DisplayWidth.of(line) <= width, "\(line)")
        }
    }

    @Test("No name of a lifeline is cut", arguments: 40...120)
    func names(width: Int) {
        let arrows = SequenceDiagram.Party.allCases.map {
            SequenceDiagram.Arrow(.application, $0, "x", outcome: .responded)
        }
        for parties in [arrows, [arrows[0], arrows[4]], [arrows[0], arrows[1], arrows[2], arrows[4]]] {
            let head = Self.text(SequenceDiagram(title: "", arrows: parties), width: width)[0]
            #expect(head.hasSuffix("Token cache") || head.hasSuffix("Cache"), "\(head)")
        }
    }

    @Test("A gap with spare columns gives them to a gap whose labels don't fit")
    func gaps() {
        let arrows = [
            SequenceDiagram.Arrow(.application, .browser, "open page"),
            SequenceDiagram.Arrow(.authority, .browser, "Sign in to your account", outcome: .responded),
            SequenceDiagram.Arrow(.application, .cache, "save tokens"),
        ]
        let text = Self.text(SequenceDiagram(title: "", arrows: arrows), width: 76).joined(separator: "\n")
        #expect(!text.contains("…") && text.contains("Sign in to your account"))
    }

    /// A label of each length between each two lifelines, among short ones.
    private static func diagrams(_ length: Int) -> [SequenceDiagram] {
        let parties = SequenceDiagram.Party.allCases
        let short = zip(parties, parties.dropFirst()).map { SequenceDiagram.Arrow($0, $1, "short label") }
        return parties.flatMap { from in
            parties.map { to in
                let label = String(repeating: "x", count: length)
                return SequenceDiagram(title: "", arrows: short + [SequenceDiagram.Arrow(from, to, label)])
            }
        }
    }

    @Test("No label is cut while as many columns are free in its line", arguments: [10, 20, 30, 45, 70, 110])
    func uncut(length: Int) {
        for width in stride(from: 40, through: 130, by: 3) {
            for diagram in Self.diagrams(length) {
                for line in Self.text(diagram, width: width) where line.contains("…") {
                    let cut = line.filter { $0 == "x" }.count + 1
                    let line = line + String(repeating: " ", count: max(0, width - DisplayWidth.of(line)))
                    let free = line.split { !" │".contains($0) }.map(\.count).max() ?? 0
                    #expect(free <= cut + 1, "\(width): \(line)")
                }
            }
        }
    }

    @Test("A label crosses free lanes instead of being cut")
    func crossing() {
        let arrows = [
            SequenceDiagram.Arrow(.application, .browser, "open page"),
            SequenceDiagram.Arrow(.browser, .authority, "untick Read your mail (Mail.Read), Accept"),
            SequenceDiagram.Arrow(.application, .cache, "save tokens"),
        ]
        let lines = Self.text(SequenceDiagram(title: "", arrows: arrows), width: 64)
        #expect(lines[2].hasSuffix("→│ untick Read your mail (Mail.Read), Accept"))
        let step = SequenceDiagram.Arrow(.cache, .cache, "a step whose label has room on the left only")
        let steps = Self.text(
            SequenceDiagram(title: "", arrows: [arrows[0], SequenceDiagram.Arrow(.browser, .authority, "x"), step]),
            width: 64)
        #expect(steps[3].contains("a step whose label has room on the left only ─┤"))
        #expect(!(lines + steps).joined().contains("…"), "\(lines)")
    }

    @Test("The diagram contains no secret")
    func secrets() {
        let diagram = Self.trace.diagram
        let texts = SequenceDiagram.Format.allCases.map(diagram.text).joined() + diagram.sentences.joined()
        for secret in plantedSecrets { #expect(!texts.contains(secret)) }
    }
}

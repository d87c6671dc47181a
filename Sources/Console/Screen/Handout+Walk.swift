import Diagnosis
import MSAL

/// The steps that were done in a walk, to take away: each diagram with its pages and parameters, the results and the lesson.
extension Handout {
    init?(_ context: Context) {
        guard let walk = context.walk else { return nil }
        let steps = walk.records.indices.map { index in
            let lines = WalkLines(context, step: index)
            let title = walk.steps[index].instruction
            let whole = context.diagram(ofStep: index) ?? SequenceDiagram(title: title, arrows: [])
            let diagram = context.profile?.isDemo == true ? whole : whole.shareable(title: title)
            let trace = walk.records[index].flow.flatMap { context.traces[$0] }
            return Step(diagram, outcome: lines.result + [Line(walk.steps[index].look)]) { _, arrow in
                Detail(arrow, of: trace)
            }
        }
        self.init(
            title: walk.title, story: [walk.story].filter { !$0.isEmpty }, steps: steps,
            ending: walk.next == nil ? Ending("Lesson", [walk.teaches]) : nil)
    }

    init(_ trace: FlowTrace, story: [String]) {
        self.init(
            title: "Requests and responses of a flow", story: story,
            steps: [Step(trace.diagram.shareable(title: "Messages")) { _, arrow in Detail(arrow, of: trace) }])
    }

    package var name: String {
        title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    var exports: [Export] {
        [SequenceDiagram.Format.svg, .mermaid, .html].map { format in
            Export(
                format == .html ? "the handout" : "the diagram", path: "./\(name).\(format.ending)", .text(text(format))
            )
        }
    }
}

extension Handout.Detail {
    /// What the arrow of a flow carries, without secrets and personal data, and its page.
    fileprivate init(_ arrow: SequenceDiagram.Arrow, of trace: FlowTrace?) {
        let exchange = trace?.exchanges.first { $0.number == arrow.exchange }
        self.init(
            exchange.map { exchange in
                arrow.parameters(of: exchange).map { parameter in
                    let entry = ParameterDictionary.bundled.entry(for: parameter)
                    return Explanation.Row(
                        parameter.name, parameter.told, meaning: entry?.meaning, source: entry?.source)
                }
            } ?? [], page: trace?.visits[at: arrow.page])
    }
}

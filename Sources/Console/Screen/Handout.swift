import Diagnosis
import Foundation

/// The steps that were done in a walk, to take away: each diagram, the results and the lesson.
package struct Handout {
    private let context: Context
    private let walk: GuidedWalk

    /// Nil without a walk.
    init?(_ context: Context) {
        guard let walk = context.walk else { return nil }
        self.context = context
        self.walk = walk
    }

    /// The title as a file name without ending.
    package var name: String {
        walk.title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    package func text(_ format: SequenceDiagram.Format) -> String {
        switch format {
        case .markdown: markdown
        case .mermaid, .svg: diagram.text(format)
        }
    }

    var exports: [Export] {
        let formats: [SequenceDiagram.Format] = [.svg, .mermaid, .markdown]
        return formats.map { format in
            Export(
                format == .markdown ? "the handout" : "the diagram", path: "./\(name).\(format.ending)",
                .text(text(format)))
        }
    }

    /// All steps in one diagram.
    private var diagram: SequenceDiagram {
        SequenceDiagram(title: walk.title, joining: walk.records.indices.compactMap { context.diagram(ofStep: $0) })
    }

    private var markdown: String {
        let steps = walk.records.indices.map { index -> String in
            let lines = WalkLines(context, step: index)
            let diagram =
                context.diagram(ofStep: index).map { $0.arrows.isEmpty ? "" : "\($0.text(.markdown))\n" } ?? ""
            let heading =
                diagram.isEmpty ? "## \(SequenceDiagram.markdown(walk.steps[index].instruction))\n\n" : diagram
            let results = lines.result.map { "- \(SequenceDiagram.markdown($0.text))\n" }.joined()
            let look = SequenceDiagram.markdown(walk.steps[index].look)
            return heading + results + (results.isEmpty ? "" : "\n") + "\(look)\n"
        }
        let head = ["# \(SequenceDiagram.markdown(walk.title))\n", "\(SequenceDiagram.markdown(walk.story))\n"]
        let lesson = walk.next == nil ? ["## Lesson\n", "\(SequenceDiagram.markdown(walk.teaches))\n"] : []
        return (head + steps + lesson).joined(separator: "\n")
    }
}

import Diagnosis
import TerminalUI

extension Destination {
    static let export = Destination { Opening(ExportState(Handout($0))) }
}

/// Asks for the format of an exported diagram.
struct ExportState: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Export" }

    static let cover = Cover.over

    private let texts: [CopiedText]
    private(set) var focus = 0

    init(_ handout: Handout?) {
        texts = Self.formats.compactMap { format in
            handout.map {
                CopiedText(format.title, fileName: "\($0.name).\(format.ending)", $0.text(format))
            }
        }
    }

    private static let formats: [SequenceDiagram.Format] = [.svg, .mermaid, .plantuml, .markdown]

    private var dialog: Dialog {
        Dialog(
            title: "Export",
            message:
                "Saves the steps so far to a private file. Markdown is a handout, with the results and the lesson.",
            buttons: Self.formats.map { Dialog.Button($0.label) }, focused: focus)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) { dialog.draw(on: &surface, in: rect) }

    static let commands: [Command] =
        [
            Command("save", [.enter], "Save the selected format.", hint: "save", inLines: .absent) { state, context in
                state.save(state.focus, &context)
            },
            move("nextFormat", [.right, .tab, .down], "Select the next format.", by: 1),
            move("previousFormat", [.left, .backTab, .up], "Select the previous format.", by: -1),
            save("saveSVG", "s", 0, "Save as SVG."), save("saveMermaid", "m", 1, "Save as Mermaid."),
            save("savePlantUML", "p", 2, "Save as PlantUML."), save("saveMarkdown", "d", 3, "Save as Markdown."),
            Command("cancel", [.escape, .character("q")], "Don't export.", hint: "cancel") { _, _ in .move(.close()) },
            interrupt,
        ]

    private static func move(_ name: CommandName, _ keys: [Key], _ sentence: String, by distance: Int) -> Command {
        Command(name, keys, sentence, inLines: .absent) { state, _ in
            state.focus = (state.focus + distance + formats.count) % formats.count
            return .none
        }
    }

    private static func save(_ name: CommandName, _ key: Character, _ index: Int, _ sentence: String) -> Command {
        Command(name, [.character(key)], sentence) { state, context in state.save(index, &context) }
    }

    private func save(_ index: Int, _ context: inout Context) -> Reaction {
        guard texts.indices.contains(index) else { return .move(.close()) }
        return Reaction(move: .close(), effects: [.save(context.makeEffectID(), texts[index])])
    }

    func lines(_ context: Context) -> [String] { [dialog.message] }
}

extension SequenceDiagram.Format {
    fileprivate var label: String {
        switch self {
        case .svg: "SVG"
        case .mermaid: "Mermaid"
        case .plantuml: "PlantUML"
        case .markdown: "Markdown"
        }
    }

    fileprivate var title: String { self == .markdown ? "the handout" : "the diagram" }
}

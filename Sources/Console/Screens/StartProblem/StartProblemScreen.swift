import MSAL
import TerminalUI

struct StartProblemScreen: WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Start-up problem" }

    static let closing = Wait.Closing.leave

    private(set) var problem: Failure
    let configPath: String
    /// The editor that is open, or the reading of the file after it.
    var running: EffectID?

    func title(_ context: Context) -> String { "Start" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let (width, title) = (rect.width - 2, "\(context.glyphs.cross) \(problem.headline)")
        let facts: [(String, String?)] = [
            ("Why", problem.reason), ("Next", Self.next), ("File", configPath),
            ("Demo", "Press \(Verb.scenarios.label) to sign in at the built-in authority, without set-up."),
        ]
        let text =
            StyledLine.wrap(title, to: width, style: Style(.danger, .bold)) + [.empty]
            + StyledLine.facts(facts, width: width, glyphs: context.glyphs)
        // If there is room for it.
        let example = [.empty, StyledLine("Example:", .muted)] + Self.example
        ScrollingText((text + example).count <= rect.height ? text + example : text).draw(on: &surface, in: rect)
        surface.cursor = Surface.Cursor(rect.origin, isVisible: false)
    }

    /// Texts for the command line name its own ways, such as starting the program again.
    private static let next = "Press \(Verb.edit.label) to edit the file in your editor. It is then read again."

    private static let example = """
        { "profiles": { "work": {
            "clientId": "11111111-2222-3333-4444-555555555555",
            "authority": "https://login.microsoftonline.com/contoso.com",
            "redirectUri": "http://localhost",
            "scopes": ["User.Read"] } } }
        """.split(separator: "\n").map { StyledLine("  \($0)") }

    static let commands: [Command] =
        [
            Command(
                "editFile", .verb(.edit), "Edit the file in your editor, at its first mistake. Then it is read again.",
                hint: "edit file", inLines: .absent
            ) { $0.startIfIdle(.editConfiguration, &$1) },
            Command("reload", .verb(.again), "Read the file again.", hint: "read again") {
                $0.startIfIdle(.profiles(.openFirst), &$1)
            },
            profiles(hint: "profiles"),
            Command(
                "tryDemo", .verb(.scenarios), "Try the demo: no set-up, nothing saved.", hint: "try the demo"
            ) { _, _ in .open(.providers(taken: [], isDemo: true)) },
            check,
        ] + finding() + [back("No effect here (doesn't quit)."), close("Quit.", hint: "quit"), interrupt]

    private mutating func startIfIdle(_ work: Work, _ context: inout Context) -> Reaction {
        running == nil ? start(work, &context) : .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .edited(let report) = result {
            guard let report else { return start(.profiles(.openFirst), &context) }
            context.notice = Notice(.warning, report.paragraph)
        }
        guard case .profiles(.opened(let outcome)) = result else { return .none }
        switch outcome {
        case .success(let profile): return context.change(to: profile)
        // The user has deleted the file, or left it unsaved.
        case .failure(let report) where report.name == Failure.noConfiguration: return .move(.replace(.welcome))
        case .failure(let report):
            problem = report
            return .none
        }
    }

    func lines(_ context: Context) -> [String] {
        [problem.headline, problem.reason, problem.advice, "File: \(configPath)"]
    }
}

import MSAL
import TerminalUI

/// The first screen when the configuration prevents sign-in.
struct StartProblemScreen: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Start-up problem" }

    let problem: Failure
    let configPath: String

    func title(_ context: Context) -> String { "Start" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        StartProblemView(problem: problem, configPath: configPath).draw(on: &surface, in: rect)
    }

    static let commands: [Command] =
        [
            profiles(hint: "profiles"),
            Command(
                "tryDemo", .verb(.scenarios), "Try the demo: no set-up, nothing saved.",
                hint: "try the demo"
            ) { _, _ in .open(.providers(taken: [], isDemo: true)) },
            check(hint: "check"),
        ] + finding() + [
            back("No effect here (doesn't quit)."),
            close("Quit.", hint: "quit"), interrupt,
        ]

    func lines(_ context: Context) -> [String] {
        [problem.headline, problem.reason, problem.advice, "File: \(configPath)"]
    }
}

/// The problem, the next step, the configuration's path and an example.
struct StartProblemView {
    let problem: Failure
    let configPath: String

    func draw(on surface: inout Surface, in body: Rect) {
        let full = lines(width: body.width - 2, glyphs: surface.glyphs)
        let text = [full.facts + [.empty] + full.example, full.facts].first { $0.count <= body.height } ?? full.facts
        ScrollingText(text).draw(on: &surface, in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
    }

    private func lines(width: Int, glyphs: Glyphs) -> (facts: [StyledLine], example: [StyledLine]) {
        let title = StyledLine.wrap("\(glyphs.cross) \(problem.headline)", to: width, style: Style(.danger, .bold))
        let facts = StyledLine.facts(
            [
                ("Why", problem.reason), ("Next", problem.advice), ("File", configPath),
                ("Demo", "Press \(Verb.scenarios.label) to sign in at the built-in authority, without set-up."),
            ], width: width, glyphs: glyphs)
        let example =
            [StyledLine("Example:", .muted)]
            + Self.example.split(separator: "\n").map { StyledLine("  \($0)") }
        return (title + [.empty] + facts, example)
    }

    private static let example = """
        { "profiles": { "work": {
            "clientId": "11111111-2222-3333-4444-555555555555",
            "authority": "https://login.microsoftonline.com/contoso.com",
            "redirectUri": "http://localhost",
            "scopes": ["User.Read"] } } }
        """
}

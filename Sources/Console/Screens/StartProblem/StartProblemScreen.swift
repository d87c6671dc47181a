import TerminalUI

/// The first screen when the configuration prevents sign-in.
struct StartProblemScreen: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Start problem" }

    let problem: StartProblem
    let configPath: String

    func title(_ context: Context) -> String { "Start" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        StartProblemView(problem: problem, configPath: configPath).draw(on: &surface, in: rect)
    }

    static let commands: [Command] =
        [
            profiles(hint: "profiles"),
            Command(
                "tryDemo", [.character("t")], "Try the demo: no set-up, nothing saved.",
                hint: "try the demo"
            ) { _, _ in .open(.providers(taken: [], isDemo: true)) },
            check(hint: "check"),
        ] + finding() + [
            back("No effect here; never quits."),
            close("Quit.", hint: "quit"), interrupt,
        ]

    func lines(_ context: Context) -> [String] {
        [problem.title, problem.reason, problem.nextStep, "File: \(configPath)"]
    }
}

import TerminalUI

extension Destination {
    /// - Parameter isDemo: whether to start the demo at once.
    static func providers(taken: [String], isDemo: Bool = false) -> Destination {
        Destination { context in
            var choice = ProviderChoice(taken: taken, selection: isDemo ? ProviderChoice.rows - 1 : 0)
            let effects = isDemo ? [choice.openDemo(&context)] : []
            return Opening(choice, effects)
        }
    }
}

extension ProviderChoice: ConsoleScreen {
    package enum Layer: String, KeyLayer { case all = "Choose a provider" }

    var waits: [Wait] { opening.map { [Wait($0, .leave)] } ?? [] }

    func title(_ context: Context) -> String { "Set up" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        ProvidersView(choice: self, context: context).draw(on: &surface, in: rect)
    }

    func extent(_ context: Context) -> Extent? {
        let view = ProvidersView(choice: self, context: context)
        return Extent(position: selection, last: Self.rows - 1, page: Self.rows, shown: view.shown)
    }

    mutating func go(to position: Int, _ context: inout Context) { select(row: position) }

    static let commands: [Command] =
        [
            Command(
                "chooseProvider", [.enter], "Set up the selected provider with three questions.", hint: "choose",
                inLines: .absent
            ) { choice, context in
                guard choice.opening == nil else { return .none }
                guard let kind = choice.kind else { return .start(choice.openDemo(&context)) }
                return .open(.setUp(.add, kind.draft, taken: choice.taken))
            },
            Command(
                "tryDemo", [.character("t")], "Try the demo: no set-up, nothing saved.",
                hint: "try the demo"
            ) { choice, context in
                choice.opening == nil ? .start(choice.openDemo(&context)) : .none
            },
        ] + moving() + finding() + [
            back("Go back; never quits."),
            close("Close this view, or quit from the first screen.", hint: "quit"), interrupt,
        ]

    fileprivate mutating func openDemo(_ context: inout Context) -> Effect {
        let id = context.makeEffectID()
        opening = id
        problem = nil
        return .profiles(id, .openDemo)
    }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .profiles(_, .opened(let outcome)) = message else { return .none }
        switch outcome {
        case .success(let profile): return context.change(to: profile)
        case .failure(let report):
            opening = nil
            problem = report
            return .none
        }
    }

    // Line mode.

    func lines(_ context: Context) -> [String] {
        let first = isFirst ? ["Welcome to Keyturn."] : []
        return (problem.map(\.lines) ?? []) + first + [
            "Where do users sign in? Your answers are saved in \(context.configPath)."
        ]
    }

    var rowAnswers: RowAnswers? {
        RowAnswers(labels: Self.kinds.map { "\($0.title): \($0.people)." }, command: "chooseProvider")
    }
}

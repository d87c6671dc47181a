import MSAL
import TerminalUI

/// The provider list: the first screen without a configuration, and the first step of a new profile.
package struct ProviderChoice: ViewedScreen, WorkingScreen {
    static let closing = Wait.Closing.leave

    /// The providers; the demo's row follows them.
    package static let kinds = ProviderKind.allCases
    package static let rows = kinds.count + 1

    var pane: ListPane
    package var taken: [String]
    package var running: EffectID?
    package var problem: Failure?

    package let isFirst: Bool

    package init(taken: [String] = [], selection: Int = 0, isFirst: Bool = false) {
        (self.taken, self.isFirst, pane) = (taken, isFirst, ListPane(selection: selection))
    }

    /// Nil for the demo.
    package var kind: ProviderKind? { Self.kinds[at: selection] }

    package enum Layer: String, KeyLayer { case all = "Choose a provider" }

    func title(_ context: Context) -> String { "Set up" }

    func rows(_ context: Context) -> [ProviderKind?] { Self.kinds + [nil] }
    func view(_ context: Context) -> ProvidersView { ProvidersView(choice: self, context: context) }

    static let commands: [Command] =
        [
            Command(
                "chooseProvider", [.enter], "Set up the selected provider with a few questions.", hint: "choose",
                inLines: .absent, if: { $0.kind == nil ? $1.stillRemoving ?? .available : .available }
            ) { choice, context in
                guard choice.running == nil else { return .none }
                guard let kind = choice.kind else { return choice.openDemo(&context) }
                return .open(.setUp(.add, kind.draft, taken: choice.taken))
            },
            Command(
                "tryDemo", .verb(.scenarios), "Try the demo: no set-up, nothing saved.", hint: "try the demo",
                if: { $1.stillRemoving ?? .available }
            ) { $0.running == nil ? $0.openDemo(&$1) : .none },
        ] + moving() + finding() + [
            back("Go back (doesn't quit)."), close("Close this view. If it is the only one, quit.", hint: "close"),
            interrupt,
        ]

    private mutating func openDemo(_ context: inout Context) -> Reaction {
        problem = nil
        return start(.openScenario(nil), &context)
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .scenarioOpened(let outcome) = result else { return .none }
        switch outcome {
        case .success(let profile): return context.change(to: profile)
        case .failure(let report):
            problem = report
            return .none
        }
    }

    func lines(_ context: Context) -> [String] {
        (problem?.lines ?? []) + (isFirst ? ["Welcome to Keyturn."] : [])
            + ["Where do users sign in? Your answers are saved in \(context.configPath)."]
    }

    func label(_ kind: ProviderKind?, _ context: Context) -> String {
        kind.map { "\($0.title): \($0.audience)." } ?? ""
    }

    /// The demo is a command.
    func rowChoices(_ context: Context) -> RowChoices? {
        RowChoices(labels: Self.kinds.map { label($0, context) }, command: "chooseProvider")
    }
}

extension Destination {
    static let welcome = Destination(ProviderChoice(isFirst: true))

    static func providers(taken: [String], isDemo: Bool = false) -> Destination {
        let choice = ProviderChoice(taken: taken, selection: isDemo ? ProviderChoice.rows - 1 : 0)
        return isDemo ? Destination(choice) { _ in .openScenario(nil) } : Destination(choice)
    }
}

struct ProvidersView: ListView {
    private static let columns = [
        TableColumn("PROVIDER", minimum: 24, ideal: 24, priority: 0),
        TableColumn("SIGNS IN", minimum: 24, ideal: 50, priority: 1, grows: true),
    ]

    let choice: ProviderChoice
    @Boxed var context: Context

    private func areas(in body: Rect) -> (introduction: Rect, list: Rect, outlook: Rect) {
        let width = body.width - 2
        let above = introduction(width).count
        let isRoomy = body.height >= above + ProviderChoice.rows + 2 + outlook(width).count
        let (introduction, rest) = body.splitTop(isRoomy ? above : min(1, body.height - ProviderChoice.rows))
        let (list, below) = rest.splitTop(ProviderChoice.rows)
        return (introduction, list, below)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        let introduction = introduction(body.width - 2)
        ScrollingText(Array(introduction.prefix(areas.introduction.height))).draw(on: &surface, in: areas.introduction)
        table.draw(on: &surface, in: areas.list)
        ScrollingText(outlook(body.width - 2)).draw(on: &surface, in: areas.outlook)
    }

    private var table: Table {
        choice.pane.table(Self.columns, count: ProviderChoice.rows, showsTitles: false, row: Self.cells)
    }

    func shown(in body: Rect) -> ShownList? { ShownList(table, in: areas(in: body).list) }

    private static func cells(_ row: Int) -> [Span] {
        guard let kind = ProviderChoice.kinds[at: row] else {
            return [Span("Try the demo", .accent), Span("Built-in authority; nothing is saved", .muted)]
        }
        return [Span(kind.title), Span(kind.audience, .muted)]
    }

    private func introduction(_ width: Int) -> [StyledLine] {
        let first = choice.isFirst ? "Welcome. " : ""
        return StyledLine.wrap("\(first)Where do users sign in?", to: width, style: Style(.title, .bold)) + [.empty]
    }

    private func outlook(_ width: Int) -> [StyledLine] {
        if let problem = choice.problem {
            return [.empty] + StyledLine.problem(problem, width: width, glyphs: context.glyphs)
        }
        if choice.running != nil { return [.empty, StyledLine("Starting the demo.", .muted)] }
        let demo = "Press Enter to start. The next screen lists the users and their passwords."
        let others = "Press Enter for a few questions. Your answers are saved in \(context.configPath)."
        return [.empty] + StyledLine.wrap(choice.kind == nil ? demo : others, to: width, style: .muted)
    }
}

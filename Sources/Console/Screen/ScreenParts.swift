import TerminalUI

// The parts that only some screens have, besides lists and texts; see `ListScreen`, `TextScreen` and `FormScreen`.

protocol TypingScreen: ConsoleScreen {
    /// Handles a key that no command has; returns nil if no text is being edited.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction?
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction
    /// Whether a paste goes to this screen now.
    func acceptsPaste(_ context: Context) -> Bool
}

extension TypingScreen {
    func acceptsPaste(_ context: Context) -> Bool { true }
}

/// A screen with typed text that it doesn't discard without a question.
protocol KeepingScreen: ConsoleScreen {
    /// The question; nil if there is no such text.
    var keeping: Move? { get }
}

protocol CopyingScreen: ConsoleScreen {
    /// The text, such as the URL to open, the code to enter or the error; nil if there is none yet.
    func copyable(_ context: Context) -> CopiedText?
}

protocol InspectableScreen: ConsoleScreen {
    /// The flow; by default the one that runs on this screen.
    func inspectable(_ context: Context) -> FlowTrace?
}

extension InspectableScreen {
    func inspectable(_ context: Context) -> FlowTrace? { activity.flatMap { context.traces[$0] } }
}

/// A screen that shows the request that a flow holds.
protocol HoldingScreen: ConsoleScreen {
    var flow: EffectID { get }
}

protocol TabbedScreen: ConsoleScreen {
    /// The key of the tab at a point; nil if there is none.
    func key(at point: Point, _ context: Context) -> Key?
}

/// A screen with a pane of details that the mouse wheel scrolls.
protocol DetailsScreen: ConsoleScreen {
    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool
}

/// A screen that plays the guided walk, which is therefore not shown below it.
protocol PlayingScreen: ConsoleScreen {
    /// Shows the next part, at the screen's pace.
    mutating func tick(_ context: inout Context)
}

/// A screen that is told the outcome of one that lay over it.
protocol HearingScreen: ConsoleScreen {
    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction
}

/// A screen that starts work, one at a time, and receives its result.
protocol WorkingScreen: WaitingScreen {
    var running: EffectID? { get set }
    /// What becomes of it when the screen closes.
    static var closing: Wait.Closing { get }
}

extension WorkingScreen {
    static var closing: Wait.Closing { .cancelAndSay }
    var waits: [Wait] { running.map { [Wait($0, Self.closing)] } ?? [] }

    /// Starts work, instead of work that runs.
    mutating func start(_ work: Work, _ context: inout Context) -> Reaction {
        let id = context.makeEffectID()
        (running, context.spinner) = (id, 0)
        return .start(.work(id, work))
    }
}

extension Destination {
    init(_ screen: some WorkingScreen, starting work: @escaping @Sendable (Context) -> Work) {
        self.init { context in
            var screen = screen
            let effects = screen.start(work(context), &context).effects
            return Opening(screen, effects)
        }
    }
}

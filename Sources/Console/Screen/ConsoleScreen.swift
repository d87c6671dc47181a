import TerminalUI

/// A screen: its content, its commands and the effects it waits for. Each screen has its own folder in `Screens` and
/// names no other screen; see ``Destination``. Optional members have defaults.
protocol ConsoleScreen: Sendable, Equatable {
    associatedtype Layer: KeyLayer

    /// The commands, in listing order.
    static var commands: [ScreenCommand<Self>] { get }
    static var cover: Cover { get }

    /// The current key layer.
    var layer: Layer { get }
    /// The layer whose list scroll offset the current layer shares.
    var list: Layer { get }
    /// The effects whose results the screen receives.
    var waits: [Wait] { get }
    /// The effect that ended on this screen, for the inspector.
    var flow: EffectID? { get }

    /// The flow to inspect; by default the one that runs or ended on this screen.
    func inspectable(_ context: Context) -> FlowTrace?

    func title(_ context: Context) -> String
    /// The text at the left of the status line.
    func place(_ context: Context) -> String
    func pace(_ context: Context) -> Pace
    /// Changes with time, at the screen's pace.
    mutating func tick(_ context: inout Context)
    /// Whether the guided walk is shown below it.
    var showsWalk: Bool { get }
    /// What to say when the user cancels what the screen waits for.
    var cancelNotice: String { get }
    /// Whether it also draws over the title.
    var takesWindow: Bool { get }
    func draw(on surface: inout Surface, in rect: Rect, _ context: Context)
    /// The extent of the list or text; nil if there's nothing to move through.
    func extent(_ context: Context) -> Extent?
    /// Moves to a row of the list or a line of the text, within bounds.
    mutating func go(to position: Int, _ context: inout Context)
    /// Selects a row by number or mouse.
    mutating func select(row: Int, _ context: inout Context)
    /// Scrolls the pane under the mouse wheel; returns false if there is none.
    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool
    /// The key of what is drawn at a point, such as a tab; nil if there is none.
    func key(at point: Point, _ context: Context) -> Key?
    /// The text to copy, such as the address to open, the code to enter or the error.
    func copyable(_ context: Context) -> CopiedText?

    /// Handles a key that no command has; returns nil if no text is being edited.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction?
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction
    /// Goes one step back within the screen; returns false to leave the screen.
    mutating func stepBack(_ context: inout Context) -> Bool
    /// Receives a result or a progress message of an effect in ``waits``.
    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction
    /// Receives the outcome of a screen that lay over this one.
    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction
    /// Shows what a destination opens itself instead of adding a screen; returns false if it doesn't.
    mutating func takes(_ opening: Opening) -> Bool
    /// Updates the screen after new information about the authority.
    mutating func refresh(_ context: Context)

    // Line mode.

    /// Whether an effect runs whose result will change the page.
    func isBusy(_ context: Context) -> Bool
    /// The content as lines, without columns or truncation.
    func lines(_ context: Context) -> [String]
    /// The rows of the list, each as a line to choose by number.
    func rowLabels(_ context: Context) -> [String]
    /// The rows that are choices themselves.
    var rowAnswers: RowAnswers? { get }
    /// The question for a text; nil if the screen asks for a choice.
    func question(_ context: Context) -> LineQuestion?
    /// Receives the answer to ``question(_:)``.
    mutating func answer(_ text: String, _ context: inout Context) -> Reaction
    /// The form whose fields are asked one after the other.
    func form(_ context: Context) -> LineForm?
    /// Messages about earlier attempts, each printed once.
    var remarks: [String] { get }
    /// The lines to print for a progress message.
    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String]
}

/// The key layers of a screen; one is active at a time. The raw value is the documented name.
protocol KeyLayer: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

/// How a screen covers those beneath it.
package enum Cover: Sendable {
    /// Replaces them.
    case whole
    /// Replaces them on the screen, while their effects continue.
    case watching
    /// Overlays them; they stay visible.
    case over
}

/// An effect that a screen waits for, and what to do with it when the screen closes.
struct Wait: Sendable, Equatable {
    enum Closing: Sendable {
        /// Cancel it with a notice, because it's the screen's purpose.
        case cancelAndSay
        case cancel
        /// Let it finish.
        case leave
    }

    var id: EffectID
    var closing: Closing

    init(_ id: EffectID, _ closing: Closing) {
        self.id = id
        self.closing = closing
    }
}

extension ConsoleScreen {
    typealias Command = ScreenCommand<Self>

    static var cover: Cover { .whole }
    var layer: Layer { Layer.allCases[Layer.allCases.startIndex] }
    var list: Layer { layer }
    var waits: [Wait] { [] }
    var flow: EffectID? { nil }
    func title(_ context: Context) -> String { layer.rawValue }
    func place(_ context: Context) -> String { "" }
    func pace(_ context: Context) -> Pace { .still }
    mutating func tick(_ context: inout Context) {}
    var showsWalk: Bool { Self.commands.contains { $0.info.name == "walkOn" } }
    var cancelNotice: String { "Cancelled." }
    var takesWindow: Bool { false }
    func extent(_ context: Context) -> Extent? { nil }
    mutating func go(to position: Int, _ context: inout Context) {}
    mutating func select(row: Int, _ context: inout Context) { go(to: row, &context) }
    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool { false }
    func key(at point: Point, _ context: Context) -> Key? { nil }
    func copyable(_ context: Context) -> CopiedText? { nil }
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { nil }
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction { .none }
    mutating func stepBack(_ context: inout Context) -> Bool { false }
    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction { .none }
    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction { .none }
    mutating func takes(_ opening: Opening) -> Bool { false }
    mutating func refresh(_ context: Context) {}
    func isBusy(_ context: Context) -> Bool { !waits.isEmpty }
    func lines(_ context: Context) -> [String] { [title(context) + "."] }
    func rowLabels(_ context: Context) -> [String] { [] }
    var rowAnswers: RowAnswers? { nil }
    func question(_ context: Context) -> LineQuestion? { nil }
    mutating func answer(_ text: String, _ context: inout Context) -> Reaction { paste(text, &context) }
    func form(_ context: Context) -> LineForm? { nil }
    var remarks: [String] { [] }
    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String] { [] }

    /// The running effect that is the screen's purpose.
    var running: EffectID? { waits.first { $0.closing == .cancelAndSay }?.id }

    func inspectable(_ context: Context) -> FlowTrace? { (running ?? flow).flatMap { context.traces[$0] } }
}

/// How often the model needs a tick; `.still` if nothing on the screen changes with time.
package enum Pace: Sendable, Equatable {
    case still, everyMinute, everySecond, tenTimesASecond
    /// The playback of a walk.
    case walking

    /// The seconds between ticks; nil for none.
    package var interval: Double? {
        switch self {
        case .still: nil
        case .everyMinute: 60
        case .everySecond: 1
        case .tenTimesASecond: 0.1
        case .walking: Playback.secondsPerBeat
        }
    }
}

extension Context {
    /// The pace of a screen with a spinner.
    var runningPace: Pace { options.noMotion ? .everySecond : .tenTimesASecond }
}

import TerminalUI

/// A screen: its content, its commands and the effects it waits for. Each screen has its own folder in `Screens` and
/// names no other screen; see ``Destination``. It also conforms to the protocol of each part that it has, such as
/// ``ListScreen``; see `ScreenParts`. Optional members have defaults.
protocol ConsoleScreen: Sendable, Equatable {
    associatedtype Layer: KeyLayer

    /// The commands, in listing order.
    static var commands: [ScreenCommand<Self>] { get }
    /// The commands that the configuration adds.
    func ownCommands(_ context: Context) -> [ScreenCommand<Self>]
    static var cover: Cover { get }
    /// How the user gets here, as a sentence for the command palette; empty if nothing needs it.
    static var howToOpen: String { get }

    var layer: Layer { get }
    /// The effects whose results the screen receives.
    var waits: [Wait] { get }

    func title(_ context: Context) -> String
    func pace(_ context: Context) -> Pace
    func draw(on surface: inout Surface, in rect: Rect, _ context: Context)
    /// Goes one step back within the screen; returns false to leave the screen.
    mutating func stepBack(_ context: inout Context) -> Bool

    // Line mode.

    /// Whether an effect runs whose result will change the page.
    func isBusy(_ context: Context) -> Bool
    /// The content as lines, without columns or truncation.
    func lines(_ context: Context) -> [String]
}

/// A screen that waits for effects.
protocol WaitingScreen: ConsoleScreen {
    /// Receives the result of an effect in ``ConsoleScreen/waits``.
    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction
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
        /// Cancel it and say so, because it's the screen's purpose.
        case cancelAndSay
        case cancel
        /// Let it finish.
        case leave
    }

    var id: EffectID
    var closing: Closing
    var notice: String

    init(_ id: EffectID, _ closing: Closing, saying notice: String = "Cancelled.") {
        (self.id, self.closing, self.notice) = (id, closing, notice)
    }
}

extension ConsoleScreen {
    typealias Command = ScreenCommand<Self>

    func ownCommands(_ context: Context) -> [Command] { [] }
    static var cover: Cover { .whole }
    static var howToOpen: String { "" }
    var layer: Layer { Layer.allCases[Layer.allCases.startIndex] }
    var waits: [Wait] { [] }
    func title(_ context: Context) -> String { layer.rawValue }
    func pace(_ context: Context) -> Pace { activity == nil ? .still : context.runningPace }
    mutating func stepBack(_ context: inout Context) -> Bool { false }
    func isBusy(_ context: Context) -> Bool { !waits.isEmpty }
    func lines(_ context: Context) -> [String] { [title(context) + "."] }

    /// The running effect that is the screen's purpose.
    var activity: EffectID? { waits.first { $0.closing == .cancelAndSay }?.id }

    /// Whether the guided walk is shown below it.
    var showsWalk: Bool { !(self is any PlayingScreen) && Self.commands.contains { $0.info.name == "walkOn" } }
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
    var runningPace: Pace { options.noMotion ? .everySecond : .tenTimesASecond }
}

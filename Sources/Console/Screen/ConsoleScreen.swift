import TerminalUI

/// A screen is one value: what it shows, what can be done on it, what it waits for. All of it is in one folder of
/// `Screens`, and no screen names another: see ``Destination``.
///
/// What a screen says only when it has something to say has a default.
protocol ConsoleScreen: Sendable, Equatable {
    associatedtype Layer: KeyLayer

    /// All that can be done here, in the order it is listed.
    static var commands: [ScreenCommand<Self>] { get }
    static var cover: Cover { get }

    /// Which keys it listens to now.
    var layer: Layer { get }
    /// Whose list scrolls with the one that is shown now.
    var list: Layer { get }
    /// The effects whose results it takes.
    var waits: [Wait] { get }
    /// The effect that has ended on it, so that its flow can be inspected.
    var flow: EffectID? { get }

    /// The flow that can be inspected of it: the one that runs or ended there, unless it is another.
    func inspectable(_ context: Context) -> FlowTrace?

    func title(_ context: Context) -> String
    /// For the left of the status line.
    func place(_ context: Context) -> String
    func pace(_ context: Context) -> Pace
    /// A guided walk is told of below it.
    var showsWalk: Bool { get }
    /// It draws over the title, too.
    var takesWindow: Bool { get }
    func draw(on surface: inout Surface, in rect: Rect, _ context: Context)
    /// What can be moved through; nil: nothing.
    func extent(_ context: Context) -> Extent?
    /// To a row of the list, or a line of the text, within what there is.
    mutating func go(to position: Int, _ context: inout Context)
    /// A row was chosen by its number or by the mouse.
    mutating func select(row: Int, _ context: inout Context)
    /// The wheel turned over a part of the screen that scrolls by itself. False: there is none.
    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool
    /// What the screen shows to be taken along: the address to open, the code to enter, the error to quote.
    func copyable(_ context: Context) -> CopiedText?

    /// A key that no command has. Nil: it is not for a text here.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction?
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction
    /// One step back within the screen. False: there is none, so that the screen is left.
    mutating func stepBack(_ context: inout Context) -> Bool
    /// The result of an effect that it waits for, or what is told meanwhile.
    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction
    /// What a screen that lay over it, and has gone, came to.
    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction
    /// Shows by itself what would be opened over it. False: it does not.
    mutating func takes(_ destination: Destination, _ context: inout Context) -> Bool
    /// What is known of the authority has changed.
    mutating func refresh(_ context: Context)

    // Line mode.

    /// Whether something runs whose end makes another page than the one there is.
    func isBusy(_ context: Context) -> Bool
    /// What it says, to be read from the top: no columns, nothing that is cut off.
    func lines(_ context: Context) -> [String]
    /// The rows of its list, each as a line to choose by number.
    func rowLabels(_ context: Context) -> [String]
    /// Rows that are answers themselves.
    var rowAnswers: RowAnswers? { get }
    /// The text that is asked for; nil: a choice is.
    func question(_ context: Context) -> LineQuestion?
    /// Takes the text that was asked for.
    mutating func answer(_ text: String, _ context: inout Context) -> Reaction
    /// Its fields, which are asked for one after the other.
    func form(_ context: Context) -> LineForm?
    /// What became of what was tried before, each told once.
    var remarks: [String] { get }
    /// What is told of a message while it is waited for.
    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String]
}

/// The sets of keys that a screen listens to, by turns. The raw value is how documentation calls it.
protocol KeyLayer: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

/// How a screen lies on those beneath it.
package enum Cover: Sendable {
    /// In place of them.
    case whole
    /// In place of them, while what they wait for goes on: the keys alone are its own.
    case watching
    /// Over them, so that they are still seen.
    case over
}

/// An effect that a screen waits for, and what closing the screen means for it.
struct Wait: Sendable, Equatable {
    enum Closing: Sendable {
        /// It is what the screen is about.
        case cancelAndSay
        case cancel
        /// It comes to its own end.
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
    var showsWalk: Bool { true }
    var takesWindow: Bool { false }
    func extent(_ context: Context) -> Extent? { nil }
    mutating func go(to position: Int, _ context: inout Context) {}
    mutating func select(row: Int, _ context: inout Context) { go(to: row, &context) }
    mutating func scroll(by lines: Int, at point: Point, _ context: Context) -> Bool { false }
    func copyable(_ context: Context) -> CopiedText? { nil }
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { nil }
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction { .none }
    mutating func stepBack(_ context: inout Context) -> Bool { false }
    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction { .none }
    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction { .none }
    mutating func takes(_ destination: Destination, _ context: inout Context) -> Bool { false }
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

    /// The effect that the screen is about, while it runs.
    var running: EffectID? { waits.first { $0.closing == .cancelAndSay }?.id }

    func inspectable(_ context: Context) -> FlowTrace? { (running ?? flow).flatMap { context.traces[$0] } }
}

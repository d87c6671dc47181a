/// A screen's reaction to a command, result or text: where to go, and which effects to start.
struct Reaction {
    var move = Move.stay
    var effects: [Effect] = []
    /// Whether to close help, command palette and questions over the screen.
    var uncovers = false

    static var none: Reaction { Reaction() }

    static func move(_ move: Move) -> Reaction { Reaction(move: move) }
    static func open(_ destination: Destination) -> Reaction { Reaction(move: .open(destination)) }
    static func start(_ effects: Effect...) -> Reaction { Reaction(effects: effects) }
}

enum Move {
    case stay, open(Destination), replace(Destination)
    /// Closes this screen and tells the one beneath its outcome.
    case close(Word? = nil)
    /// Goes one step back within the screen, or else leaves it.
    case back
    /// Leaves this screen and cancels its effects. The first screen stays.
    case leave
    /// Leaves this screen, or quits from the first one.
    case quit
    /// Cancels the running effect, or quits if there is none.
    case interrupt
    /// Leaves this screen and runs a command of the one beneath.
    case run(CommandName)
    /// Returns to the first screen and opens a destination from there.
    case home(Destination?)
    case begin(ProgramProfile, then: Destination? = nil)
}

/// A screen to open, by content rather than type. Each screen's folder declares its destinations in an extension.
struct Destination: Sendable {
    let open: @Sendable (inout Context) -> Opening

    init(_ open: @escaping @Sendable (inout Context) -> Opening) { self.open = open }

    init(_ screen: any ConsoleScreen) { open = { _ in Opening(screen) } }
}

/// What a closed screen tells the one beneath.
enum Word: Equatable {
    case discard, saveAnyway, removeProfile(String), profilesChanged, closeDoor(OpenDoor)
}

/// An attempt that can be repeated.
package enum Attempt: Sendable, Equatable {
    /// A sign-in as the user started it, with the chain's first method. Without a request, the profile's.
    case signIn(AccountSummary?, SignInRequest? = nil, in: SignInChain? = nil)
    case silent(AccountSummary, isForced: Bool = false)
    /// With the accounts that were to follow.
    case removal(AccountsState.Removal)
}

struct Opening {
    typealias Merging = (_ beneath: any ConsoleScreen) -> (any ConsoleScreen)?

    var screen: any ConsoleScreen
    var effects: [Effect]
    /// The screen beneath with the content of this one, which then isn't opened; nil if it needs its own screen.
    var merging: Merging?

    init(_ screen: any ConsoleScreen, _ effects: [Effect] = [], merging: Merging? = nil) {
        (self.screen, self.effects, self.merging) = (screen, effects, merging)
    }
}

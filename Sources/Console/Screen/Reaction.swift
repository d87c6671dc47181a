import Diagnosis
import TerminalUI

/// What a screen wants after a command, a result or a text: where to go, and what to start.
struct Reaction {
    var move = Move.stay
    var effects: [Effect] = []
    /// Help, command list and questions that lie over the screen go.
    var uncovers = false

    static var none: Reaction { Reaction() }

    static func move(_ move: Move) -> Reaction { Reaction(move: move) }
    static func open(_ destination: Destination) -> Reaction { Reaction(move: .open(destination)) }
    static func start(_ effects: Effect...) -> Reaction { Reaction(effects: effects) }
}

/// Where to go, seen from the screen that reacts.
enum Move {
    case stay
    /// Over this screen.
    case open(Destination)
    /// In place of this screen.
    case replace(Destination)
    /// This screen has done its work, which the one beneath is told of.
    case close(Word? = nil)
    /// One step back within the screen, else out of it.
    case back
    /// Out of this screen; what it waits for is cancelled. The first screen stays.
    case leave
    /// Out of this screen, or of the program from the first one.
    case quit
    /// Cancels what runs; if nothing does, ends the program.
    case interrupt
    /// Out of this screen, and the command of the one beneath.
    case run(CommandName)
    /// To the first screen, and on from there.
    case home(Destination?)
    /// The program goes on with another application.
    case begin(ProgramProfile, then: Destination? = nil)
}

/// Another screen, by what it is about: no screen knows the type of another. `Program/Destination+Opening` opens them.
enum Destination {
    case help, palette
    case profiles, scenarios, check, signInForm, tokenEntry
    case providers(taken: [String], isDemo: Bool = false)
    case setUp(SetUpPurpose, ProfileDraft, taken: [String])
    /// By the way that fits, unless one is named. Without a request: the profile's.
    case signIn(AccountSummary? = nil, SignInRequest? = nil, in: SignInChain? = nil, after: [SignInRefusal] = [])
    /// Forced: from the authority, even where the cache still has a token.
    case silent(AccountSummary, isForced: Bool = false)
    /// A step of a guided walk that runs already.
    case walkSignIn(EffectID, SignInRequest)
    case walkSilent(EffectID, AccountSummary)
    /// A renewed token's claims come in place of those that the renewal was asked for on.
    case claims(Acquisition, EffectID, isRenewal: Bool)
    case pastedToken(PastedToken)
    case failure(ErrorReport, Attempt, EffectID? = nil)
    case inspector(EffectID, row: Int)
    case removal(AccountSummary)
    case profileRemoval(String)
    case interaction(AccountSummary, reason: String)
    case discard
}

/// What a screen that has gone tells the one beneath.
enum Word {
    case discard
    case removeProfile(String)
    case profilesChanged
}

/// What can be tried again.
package enum Attempt: Sendable, Equatable {
    /// As the person began it: the request goes by the first way of the chain. Without a request: the profile's.
    case signIn(AccountSummary?, SignInRequest? = nil, in: SignInChain? = nil)
    case silent(AccountSummary, isForced: Bool = false)
    case removal(AccountSummary)
}

/// A screen that is opened, and what that starts.
struct Opening {
    var screen: any ConsoleScreen
    var effects: [Effect]

    init(_ screen: any ConsoleScreen, _ effects: [Effect] = []) {
        self.screen = screen
        self.effects = effects
    }
}

import Foundation
import MSAL
import TerminalUI

@testable import Console

/// Shortcuts from the model to the screens that tests check.
extension Model {
    var accounts: AccountsState { context.accounts }
    var profile: ProgramProfile? { context.profile }
    var traces: FlowTraces { context.traces }
    var now: Date? { context.now }
    var size: Size { context.size }

    var notice: Notice? {
        get { context.notice }
        set { context.notice = newValue }
    }

    var options: ProgramOptions {
        get { context.options }
        set { context.options = newValue }
    }

    /// The screens opened over the root screen, newest last.
    var routes: [AnyScreen] {
        screens.filter { $0.cover == .whole && !($0.base is AccountsScreen) && !($0.base is StartProblemScreen) }
    }

    /// The newest opened screen, if it has this type.
    func newest<S>(_ type: S.Type) -> S? { screens[newest].as(type) }

    /// The layer over the screen that takes its keys.
    var overlay: AnyScreen? { screens.last.flatMap { $0.cover == .over ? $0 : nil } }

    var inspector: InspectorState? { screens.lazy.compactMap { $0.as(InspectorState.self) }.last }
    var inspected: FlowTrace? { inspector?.trace(context) }
    var inspectedExchange: ParameterList? { inspector?.parameters(context) }

    /// The activity of the newest screen.
    var running: EffectID? { screens[newest].base.activity }

    var focus: Layer { Layer(rawValue: layer) ?? .accounts }

    /// What the visible screen offers to copy.
    var copyable: CopiedText? { screens[body].as((any CopyingScreen).self)?.copyable(context) }
}

/// The key layers by name; a test checks that the list is complete.
enum Layer: String, Sendable, CaseIterable {
    case startProblem = "Start-up problem"
    case accounts = "Accounts"
    case filter = "Filter"
    case signInForm = "Sign-in options"
    case signInField = "Sign-in field"
    case signIn = "Sign in"
    case pasteEntry = "Paste the final URL"
    case silent = "Getting a token"
    case signOut = "Signing out"
    case claims = "Claims"
    case claimsFilter = "Filter claims"
    case failure = "Error"
    case check = "Check"
    case inspector = "Inspector"
    case exchange = "Exchange"
    case help = "Help"
    case palette = "Commands"
    case removalDialog = "Sign out this account?"
    case removalsDialog = "Sign out these accounts?"
    case interactionDialog = "Sign in again?"
    case providers = "Choose a provider"
    case setUp = "Set up"
    case profiles = "Profiles"
    case profileRemovalDialog = "Remove this profile?"
    case discardDialog = "Discard your changes?"
    case saveAnywayDialog = "Save anyway?"
    case saveDialog = "Save to a file?"
    case doorDialog = "Close this door?"
    case tokenEntry = "Paste a token"
    case scenarios = "Scenarios"
    case faults = "Faults"
    case search = "Search the list"
    case walk = "Scenario"
    case walkPaste = "Paste into the scenario"
    case export = "Export"
    case explainEntry = "Explain"
    case explanation = "Explanation"
    case review = "Review"
    case caseWalk = "Case"
    case besideEntry = "Compare"
    case beside = "Comparison"
    case callEntry = "Call an API"
    case agreementDialog = "Allow this server a token?"
    case agreements = "Allowed tokens"
    case flows = "Flows"
    case step = "Step"
    case requestEdits = "Change the request"
    case requestEntry = "Type a value"
    case doors = "Doors"
    case ownCommand = "Your command"

    var commands: [CommandInfo] { KeyTable.all.first { $0.title == rawValue }?.commands ?? [] }

    func command(for key: Key) -> CommandInfo? { commands.first { $0.keys.contains(key) } }
}

/// Every command with its key layers.
let allCommands: [(layer: Layer, command: CommandInfo)] = Layer.allCases.flatMap { layer in
    layer.commands.map { (layer, $0) }
}

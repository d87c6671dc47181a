import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The state that all screens share. Each command, result and frame gets it.
package struct Context: Sendable, Equatable {
    /// The profile in use; nil before the set-up.
    @Boxed package var profile: ProgramProfile?
    @Boxed package var options: ProgramOptions
    package var size: Size
    /// The latest time from a message; nil before the first.
    package var now: Date?
    @Boxed package var accounts = AccountsState()
    package var cacheProtection: MSALCacheProtection?
    /// The last acquisition by account identifier, to compare the next one with.
    package var acquisitions: [String: Acquisition] = [:]
    package var traces = FlowTraces()
    /// Whether each request of the flows that start is held.
    package var isStepping = false
    @Boxed package var held: [EffectID: HeldFlow] = [:]
    @Boxed package var notice: Notice? = nil
    /// The text that was pasted where no field takes it. The next key explains or forgets it.
    var pasted: String?
    /// What was copied last. The next key saves or forgets it.
    @Boxed var copied: Copied? = nil
    /// The text of the dialog for an API call when the user closed it.
    var typedCall: String?
    /// The keys left to repeat a command that asked for it.
    var offersLeave = 0
    /// Whether the details, or a scenario's selected pane, have most of the screen.
    var isZoomed = false
    /// Whether pasted tokens aren't verified with their issuer's keys.
    package var isOffline = false
    package var configPath = ""
    package var nextEffect = EffectID(1)
    /// Recently granted scopes, latest first.
    package var recentScopes: [String] = []
    /// The identifier of the account that commands use if several fit and none is named.
    package var defaultAccount: String?
    /// Why the identity broker was last unavailable; nil if it wasn't.
    package var brokerRejection: String?
    /// Whether this program handles the redirect URI's scheme; nil if unknown.
    @Boxed package var urlHandler: MachineFindings.Handler? = nil
    /// Whether the authority supports device codes; nil if unknown.
    package var offersDeviceCode: Bool?
    /// The latest effect that read the accounts. Only its information about the authority counts.
    package var learning: EffectID?
    package var spinner = 0
    @Boxed var stage = Stage()

    /// What a screen needs to know of the other screens.
    struct Stage: Sendable, Equatable {
        /// Whether the walk is shown below the body.
        var showsWalk = true
        /// The rows of a long notice below the body, which stays visible.
        var noticeHeight = 0
        /// Whether another screen lies over it and takes the keys.
        var isCovered = false
        /// The commands of the screen beneath, for help and command palette.
        var menu = Menu()
    }

    struct Menu: Sendable, Equatable {
        var title = ""
        var entries: [CommandEntry] = []
    }

    var keyRequests: String {
        isOffline ? "Offline: nothing is sent." : "To verify a token, Keyturn gets its issuer's keys."
    }

    var frame: Frame { Frame(size, walkHeight: WalkView(self)?.height ?? 0, noticeHeight: stage.noticeHeight) }
    /// The areas of a list and its details, which have most of the rows if they are enlarged.
    func splitDetails(_ rect: Rect, rows: Int, list: Int = 0) -> (list: Rect, rule: Rect, details: Rect) {
        let isZoomed = isZoomed && rows > 0
        return rect.splitDetails(rows: isZoomed ? max(rows, rect.height - 5) : rows, list: isZoomed ? .max : list)
    }

    var glyphs: Glyphs { options.ascii ? .ascii : .unicode }
    var spinnerFrame: String { glyphs.spinnerFrame(tick: spinner, motion: !options.noMotion) }

    mutating func makeEffectID() -> EffectID {
        defer { nextEffect.number += 1 }
        return nextEffect
    }

    var changesOfLastFlow: String? { held.max { $0.key.number < $1.key.number }?.value.changed }

    /// The effect, whose requests are held if the user wants that.
    mutating func holding(_ effect: Effect) -> Effect {
        guard isStepping, case .work(let id, let work) = effect, let flow = work.held else { return effect }
        held[id] = HeldFlow()
        return .work(id, flow)
    }

    /// An effect whose result no screen waits for.
    mutating func work(_ work: Work) -> Effect { .work(makeEffectID(), work) }

    /// A new flow, with its trace unless it has no title.
    mutating func beginFlow(_ title: String? = nil) -> EffectID {
        let id = makeEffectID()
        spinner = 0
        if let title { traces.begin(id, title) }
        return id
    }

    /// Advances the time, never backwards, because messages may overtake each other.
    mutating func advance(to date: Date) { now = max(now ?? date, date) }
}

/// Choices that are kept between runs, and state that is reset with the profile.
extension Context {
    var own: OwnSettings { profile?.own ?? OwnSettings() }

    /// Saves the choices for the next run, except in the demo.
    mutating func saveChoices() -> [Effect] {
        guard let profile, !profile.isDemo else { return [] }
        return [.saveChoices(SavedChoices(scopes: recentScopes, order: accounts.order), profile: profile.name)]
    }

    /// Makes the account the default, or no account if it's the default already.
    mutating func toggleDefault(_ account: AccountSummary) -> [Effect] {
        defaultAccount = defaultAccount == account.identifier ? nil : account.identifier
        notice = Notice(
            .success,
            defaultAccount == nil
                ? "No default account." : "Commands that name no account use \(account.displayName).")
        return profile.map { [.saveDefaultAccount(defaultAccount, profile: $0.name)] } ?? []
    }

    /// Shows the screen as the options say, also in the next run, except after the demo.
    mutating func display(_ text: String) -> Reaction {
        notice = Notice(.quiet, text)
        return .start(.display(options.display, isSaved: profile?.isDemo == false))
    }

    /// Starts over with another application and the choices of its last run.
    mutating func begin(with profile: ProgramProfile) -> [Effect] {
        self.profile = profile
        accounts = AccountsState()
        acquisitions = [:]
        typedCall = nil
        (brokerRejection, urlHandler, offersDeviceCode) = (nil, nil, nil)
        (recentScopes, defaultAccount) = (profile.savedChoices.scopes, profile.savedChoices.account)
        accounts.setOrder(profile.savedChoices.order)
        // A scripted user needs no browser.
        if proposal.best != .browser { walk?.isScripted = true }
        if let trouble = profile.savedChoicesTrouble { notice = Notice(.warning, trouble) }
        guard options.display.colors != own.colors else { return [readAccounts()] }
        options.display.colors = own.colors
        return [.display(options.display, isSaved: false), readAccounts()]
    }

    mutating func change(to profile: ProgramProfile, then destination: Destination? = nil) -> Reaction {
        notice = notice ?? Notice(.success, "Switched to profile \(profile.name).")
        return .move(.begin(profile, then: destination))
    }

    mutating func remember(scopes: [String]) -> [Effect] {
        let latest = Array((scopes + recentScopes.filter { !scopes.contains($0) }).prefix(Self.mostRecentScopes))
        guard latest != recentScopes else { return [] }
        recentScopes = latest
        return saveChoices()
    }

    private static let mostRecentScopes = 12
}

/// Effects and decisions that several screens share.
extension Context {
    mutating func readAccounts() -> Effect {
        let id = makeEffectID()
        (accounts.phase, learning) = (.reading(id), id)
        return .work(id, .readAccounts)
    }

    mutating func takeBack(_ agreement: MSALTokenAgreement) -> Effect {
        let id = makeEffectID()
        accounts.phase = .reading(id)
        return .work(id, .takeBack(agreement))
    }

    /// The name for --account: the username, unless several accounts share it or a shell can't get it as it is.
    func name(of account: AccountSummary) -> String {
        let isUnique = accounts.all.count { $0.username.lowercased() == account.username.lowercased() } < 2
        let isWhole = !account.username.isEmpty && account.username == Printable.sanitize(account.username)
        return isUnique && isWhole ? account.username : account.identifier
    }

    /// Copies a command that gets a token when it runs, so that no token is in the clipboard or the shell's history.
    mutating func copyAsCommand(_ account: AccountSummary, _ scopes: [String]) -> Effect {
        let profile = profile.map { ["--profile", $0.name.quotedForShell] } ?? []
        let named = scopes.withoutAlwaysRequested.flatMap { ["--scope", $0.quotedForShell] }
        let token = ["keyturn", "token"] + profile + ["--account", name(of: account).quotedForShell] + named
        let text = "\(token.joined(separator: " ")) -o header | curl -H @- "
        let note = "Paste it, and add the URL."
        return work(.copy(CopiedText("the curl command", fileName: "curl.txt", text, note: note)))
    }

    var canCopyAsCommand: Availability {
        Availability(
            profile?.isDemo == false,
            else: "The demo's tokens are in memory only. Press \(Verb.copy.label) to copy one.")
    }

    mutating func remove(_ accounts: [AccountSummary], revokes: Bool = false) -> [Effect] {
        guard let first = accounts.first else { return [] }
        let rest = Array(accounts.dropFirst())
        return [remove(AccountsState.Removal(id: EffectID(0), account: first, revokes: revokes, rest: rest))]
    }

    /// Starts a removal with an identifier of its own.
    mutating func remove(_ removal: AccountsState.Removal) -> Effect {
        let id = beginFlow(isStepping && removal.revokes ? "Remove \(removal.account.displayName)" : nil)
        var removal = removal
        (removal.id, removal.wait) = (id, "")
        accounts.removing = removal
        return .work(id, .remove(account: removal.account.identifier, revokes: removal.revokes))
    }

    mutating func cancel(_ id: EffectID) -> Effect {
        traces.change(id) { $0.ending = .cancelled }
        return .cancel(id)
    }

    /// Ends a flow's trace, and the walk's step if the flow was one.
    mutating func end(_ id: EffectID, _ record: GuidedWalk.Record.Result) {
        traces.change(id) { $0.ending = FlowTrace.Ending(record) }
        walk?.finish(id, record)
    }

    package var proposal: MethodProposal {
        options.proposal.fitting(
            namesBrowser: profile?.namesBrowser ?? false, offersDeviceCode: offersDeviceCode,
            prefersPaste: profile?.provider?.prefersPaste ?? false)
    }

    package var preferredMethod: SignInMethod { configuredMethods.first ?? proposal.best }

    /// The profile's methods, without those that can't work.
    private var configuredMethods: [SignInMethod] {
        (profile?.methods ?? []).filter { proposal.obstacle(to: $0) == nil }
    }

    /// The methods of a sign-in. If the user chose a method other than the default, only that one.
    func chain(startingWith method: SignInMethod) -> SignInChain {
        SignInChain(method == preferredMethod ? configuredMethods : [method], otherwise: proposal.usual)
    }

    func request(by method: SignInMethod, as account: AccountSummary? = nil) -> SignInRequest {
        SignInRequest(scopes: profile?.scopes ?? [], account: account?.identifier, method: method)
    }

    /// Why no other removal can start, and no other profile open, which doesn't have these accounts.
    var stillRemoving: Availability? {
        accounts.removing.map { .unavailable("Still removing \($0.account.displayName).") }
    }

    /// Whether the profile in use can be edited: it's in the configuration.
    var canEditProfile: Availability {
        Availability(profile?.isDemo == false, else: "The demo's profile isn't in the configuration.")
    }

    var canUseCode: Availability { proposal.obstacle(to: .device).map(Availability.unavailable) ?? .available }

    /// Whether the account's token can be refreshed: with a refresh token, or by a broker, which has its own.
    func canRefresh(_ account: AccountSummary) -> Availability {
        let needsUser = account.token?.canRefresh == false && profile?.methods.contains(.broker) != true
        return Availability(!needsUser, else: "No refresh token for \(account.displayName). Sign in again.")
    }
}

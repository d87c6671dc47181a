import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// What belongs to no screen alone. Every screen gets it, with each command, each result and each frame.
package struct Context: Sendable, Equatable {
    /// Nil until there is one to sign in with.
    package var profile: ProgramProfile?
    package var options: ProgramOptions
    package var size: Size
    /// The newest time that arrived with a message; nil until one did.
    package var now: Date?
    package var accounts = AccountsState()
    /// Nil until the token cache was opened.
    package var cacheProtection: MSALCacheProtection?
    /// The last acquisition of each account, by its identifier, to hold the next one against.
    package var acquisitions: [String: Acquisition] = [:]
    /// What was told of the newest flows.
    package var traces = FlowTraces()
    package var notice: Notice?
    /// Where the configuration is kept.
    package var configPath = ""
    package var nextEffect = EffectID(1)
    /// Scopes that were granted lately, the latest first.
    package var recentScopes: [String] = []
    /// Why the identity broker could not be had when it was last asked; nil: it was not, or it could.
    package var brokerRefusal: String?
    /// Whether the desktop brings answers back here; nil: it was not asked yet.
    package var urlHandler: MachineFindings.Handler?
    /// Whether the authority offers sign-in with a code on another device; nil: unknown.
    package var offersDeviceCode: Bool?
    /// The newest effect that read the accounts; what it says of the authority counts.
    package var learning: EffectID?
    /// Counts the ticks of a running flow: which picture of the spinner is due.
    package var spinner = 0
    /// Of each list the first line that was shown when its selection was last moved, if it was not the first of all.
    private var listTops: [String: Int] = [:]
    var stage = Stage()

    init(profile: ProgramProfile?, options: ProgramOptions, size: Size) {
        self.profile = profile
        self.options = options
        self.size = size
    }

    /// What the root tells a screen of the others.
    struct Stage: Sendable, Equatable {
        /// Whose list it is: see ``ConsoleScreen/list``.
        var list = ""
        /// The walk stands below the body.
        var showsWalk = true
        /// Something lies over the screen and has its keys.
        var isCovered = false
        /// What can be done on the screen beneath, for help and command list.
        var menu = Menu()
    }

    struct Menu: Sendable, Equatable {
        var title = ""
        var entries: [CommandEntry] = []
    }

    var frame: Frame { Frame(size, walkHeight: WalkView(self)?.height ?? 0) }
    var glyphs: Glyphs { options.ascii ? .ascii : .unicode }

    /// An id that no effect has had before.
    mutating func makeEffectID() -> EffectID {
        defer { nextEffect.number += 1 }
        return nextEffect
    }

    /// A newer time than the one known; messages may overtake each other by a moment.
    mutating func advance(to date: Date) {
        now = max(now ?? date, date)
    }

    /// The first line that was shown when the selection was last moved. A list moves no further than it has to.
    var listTop: Int { listTops[stage.list] ?? 0 }

    /// Keeps what is in sight now; a page moves as a whole, so that the selection stays where it is on the screen.
    mutating func keepInSight(_ list: ShownList, moving motion: Motion? = nil) {
        let top = max(0, list.first + (motion?.turn(of: list.area.height) ?? 0))
        listTops[stage.list] = top == 0 ? nil : top
    }
}

/// What outlives a run, and what does not outlive a profile.
extension Context {
    /// Keeps the choices for the next run. Nothing of a demonstration outlives it.
    mutating func keepChoices() -> [Effect] {
        guard let profile, !profile.isDemo else { return [] }
        return [.keep(KeptChoices(scopes: recentScopes, order: accounts.order), profile: profile.name)]
    }

    /// Goes on with another application, with what was chosen in its last run: nothing of what was shown before is of it.
    mutating func begin(with profile: ProgramProfile) -> Effect {
        self.profile = profile
        accounts = AccountsState()
        acquisitions = [:]
        (brokerRefusal, urlHandler, offersDeviceCode) = (nil, nil, nil)
        recentScopes = profile.kept.scopes
        accounts.setOrder(profile.kept.order)
        if let trouble = profile.keptTrouble { notice = Notice(.warning, trouble) }
        return readAccounts()
    }

    /// Goes on with the application that was opened.
    mutating func change(to profile: ProgramProfile, then destination: Destination? = nil) -> Reaction {
        notice = notice ?? Notice(.success, "Now with the profile \(profile.name).")
        return .move(.begin(profile, then: destination))
    }

    /// Keeps what was granted, to be offered again, the latest first.
    mutating func remember(scopes: [String]) -> [Effect] {
        let latest = Array((scopes + recentScopes.filter { !scopes.contains($0) }).prefix(Self.mostRecentScopes))
        guard latest != recentScopes else { return [] }
        recentScopes = latest
        return keepChoices()
    }

    private static let mostRecentScopes = 12
}

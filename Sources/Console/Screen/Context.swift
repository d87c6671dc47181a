import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// The state that all screens share. Each command, result and frame gets it.
package struct Context: Sendable, Equatable {
    /// The profile in use; nil before the set-up.
    package var profile: ProgramProfile?
    package var options: ProgramOptions
    package var size: Size
    /// The latest time from a message; nil before the first.
    package var now: Date?
    package var accounts = AccountsState()
    /// The cache's protection; nil until the cache is open.
    package var cacheProtection: MSALCacheProtection?
    /// The last acquisition by account identifier, to compare the next one with.
    package var acquisitions: [String: Acquisition] = [:]
    /// The traces of the latest flows.
    package var traces = FlowTraces()
    package var notice: Notice?
    /// The path of the configuration file.
    package var configPath = ""
    package var nextEffect = EffectID(1)
    /// Recently granted scopes, latest first.
    package var recentScopes: [String] = []
    /// Why the identity broker was last unavailable; nil if it wasn't.
    package var brokerRefusal: String?
    /// Whether this program handles the redirect URI's scheme; nil if unknown.
    package var urlHandler: MachineFindings.Handler?
    /// Whether the authority supports device codes; nil if unknown.
    package var offersDeviceCode: Bool?
    /// The latest effect that read the accounts. Only its information about the authority counts.
    package var learning: EffectID?
    /// The spinner's frame counter.
    package var spinner = 0
    /// The scroll offset of each list, if not 0.
    private var listTops: [String: Int] = [:]
    var stage = Stage()

    init(profile: ProgramProfile?, options: ProgramOptions, size: Size) {
        self.profile = profile
        self.options = options
        self.size = size
    }

    /// What a screen needs to know of the other screens.
    struct Stage: Sendable, Equatable {
        /// The name of the current list; see ``ConsoleScreen/list``.
        var list = ""
        /// Whether the walk is shown below the body.
        var showsWalk = true
        /// Whether another screen lies over it and takes the keys.
        var isCovered = false
        /// The commands of the screen beneath, for help and command palette.
        var menu = Menu()
    }

    struct Menu: Sendable, Equatable {
        var title = ""
        var entries: [CommandEntry] = []
    }

    var frame: Frame { Frame(size, walkHeight: WalkView(self)?.height ?? 0) }
    var glyphs: Glyphs { options.ascii ? .ascii : .unicode }

    /// A new, unique effect ID.
    mutating func makeEffectID() -> EffectID {
        defer { nextEffect.number += 1 }
        return nextEffect
    }

    /// Advances the time, never backwards, because messages may overtake each other.
    mutating func advance(to date: Date) {
        now = max(now ?? date, date)
    }

    /// The current list's scroll offset when the selection last moved. Lists scroll only as far as needed.
    var listTop: Int { listTops[stage.list] ?? 0 }

    /// Saves the list's scroll offset. Paging scrolls the whole list, so that the selection stays on its screen row.
    mutating func keepInSight(_ list: ShownList, moving motion: Motion? = nil) {
        let top = max(0, list.first + (motion?.turn(of: list.area.height) ?? 0))
        listTops[stage.list] = top == 0 ? nil : top
    }
}

/// Choices that are kept between runs, and state that is reset with the profile.
extension Context {
    /// Saves the choices for the next run, except in the demo.
    mutating func keepChoices() -> [Effect] {
        guard let profile, !profile.isDemo else { return [] }
        return [.keep(KeptChoices(scopes: recentScopes, order: accounts.order), profile: profile.name)]
    }

    /// Starts over with another application and the choices of its last run.
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

    /// Switches to the opened application.
    mutating func change(to profile: ProgramProfile, then destination: Destination? = nil) -> Reaction {
        notice = notice ?? Notice(.success, "Switched to profile \(profile.name).")
        return .move(.begin(profile, then: destination))
    }

    /// Remembers granted scopes, latest first.
    mutating func remember(scopes: [String]) -> [Effect] {
        let latest = Array((scopes + recentScopes.filter { !scopes.contains($0) }).prefix(Self.mostRecentScopes))
        guard latest != recentScopes else { return [] }
        recentScopes = latest
        return keepChoices()
    }

    private static let mostRecentScopes = 12
}

import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// Everything the screen depends on. Only ``update(_:_:)`` changes it.
package struct Model: Sendable, Equatable {
    package var root: Root
    package var options: ProgramOptions
    package var size: Size
    /// The newest time that arrived with a message; nil until one did.
    package var now: Date?
    package var accounts = AccountsState()
    /// Nil until the token cache was opened.
    package var cacheProtection: MSALCacheProtection?
    /// What was opened over the root, the visible one last.
    package var routes: [Route] = []
    /// The last acquisition of each account, by its identifier, to hold the next one against.
    package var acquisitions: [String: Acquisition] = [:]
    /// What was told of the newest flows.
    package var traces = FlowTraces()
    /// Lies over the routes, so that a flow that runs can be watched.
    package var inspector: InspectorState?
    package var overlay: Overlay?
    /// Of each list the first line that was shown when its selection was last moved, if it was not the first of all.
    var listTops: [Focus: Int] = [:]
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
    package var isFinished = false

    package init(root: Root, options: ProgramOptions, size: Size) {
        self.root = root
        self.options = options
        self.size = size
    }

    /// What lies under all routes.
    package enum Root: Sendable, Equatable {
        case accounts(ProgramProfile)
        case problem(StartProblem, configPath: String)
        /// There is no configuration: the set-up lies over it.
        case unconfigured
    }

    package var profile: ProgramProfile? {
        guard case .accounts(let profile) = root else { return nil }
        return profile
    }

    /// The account whose token a renewal is about: that of the claims, else the selected one.
    var renewable: AccountSummary? {
        guard case .claims(let state) = routes.last else { return accounts.selected }
        guard let shown = state.acquisition?.account else { return nil }
        return accounts.all.first { $0.identifier == shown.identifier } ?? shown
    }

    /// Puts the visible screen with another state in place of itself.
    mutating func replaceTop(_ route: Route) { routes[routes.count - 1] = route }

    /// An id that no effect has had before.
    package mutating func makeEffectID() -> EffectID {
        defer { nextEffect.number += 1 }
        return nextEffect
    }

    /// A newer time than the one known; messages may overtake each other by a moment.
    package mutating func advance(to date: Date) {
        now = max(now ?? date, date)
    }
}

import AuthEngine
import Locks

/// The applications of the scenario that is open, each made once: it remembers what it was told to wait for. And the
/// accounts that signed in with them, which are asked for again after they have left the cache.
final class ScenarioApplications: Sendable {
    private struct State {
        var opened: OpenedScenario?
        var made: [Int: MSALPublicClientApplication] = [:]
        var accounts: [String: MSALAccount] = [:]
    }

    private let state: Locked<State>

    init(_ opened: OpenedScenario?) { state = Locked(State(opened: opened)) }

    /// `nil` closes the scenario.
    func use(_ opened: OpenedScenario?) { state.withLock { $0 = State(opened: opened) } }

    /// `nil` when no scenario is open.
    func application(_ index: Int = 0) throws -> MSALPublicClientApplication? {
        try state.withLock { state in
            if let made = state.made[index] { return made }
            state.made[index] = try state.opened?.application(index)
            return state.made[index]
        }
    }

    func authority(_ segment: String) throws -> MSALAuthority? {
        try state.withLock { $0.opened }?.authority(segment)
    }

    func account(named username: String, in application: MSALPublicClientApplication) throws -> MSALAccount {
        try state.withLock { $0.accounts[username] } ?? application.account(forUsername: username)
    }

    func note(_ account: MSALAccount, named username: String) {
        state.withLock { $0.accounts[username] = account }
    }
}

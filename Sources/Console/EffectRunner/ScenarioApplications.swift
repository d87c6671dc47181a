import AuthEngine
import Locks

/// The open scenario's applications, each created once, because they remember throttling. Also the accounts that signed
/// in with them, which later steps need even after removal.
final class ScenarioApplications: Sendable {
    private struct State {
        var opened: OpenedScenario?
        var made: [Int: MSALPublicClientApplication] = [:]
        var accounts: [String: MSALAccount] = [:]
    }

    private let state: Locked<State>

    init(_ opened: OpenedScenario?) { state = Locked(State(opened: opened)) }

    /// Opens a scenario; nil closes it.
    func use(_ opened: OpenedScenario?) { state.withLock { $0 = State(opened: opened) } }

    /// The application at an index; nil if no scenario is open.
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

/// An open scenario: its applications and its profile.
package struct OpenedScenario: Sendable {
    /// The applications that share the cache, by index.
    package var application: @Sendable (Int) throws -> MSALPublicClientApplication
    /// The authority of the same kind with this path.
    package var authority: @Sendable (_ segment: String) throws -> MSALAuthority
    package var profile: ProgramProfile

    package init(
        profile: ProgramProfile, application: @escaping @Sendable (Int) throws -> MSALPublicClientApplication,
        authority: @escaping @Sendable (_ segment: String) throws -> MSALAuthority
    ) {
        self.profile = profile
        self.application = application
        self.authority = authority
    }
}

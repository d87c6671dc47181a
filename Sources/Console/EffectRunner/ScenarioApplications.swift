import AuthEngine
import Diagnosis
import Foundation
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

    /// The open scenario; nil if none is open.
    var opened: OpenedScenario? { state.withLock { $0.opened } }

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
    /// Lets a step's user complete a page; for a nil step the scenario's first user.
    package var act: Act
    package var wait: @Sendable (_ seconds: Double) async throws -> Void
    /// Calls an API.
    package var call: CallAPI

    package typealias Act =
        @Sendable (
            _ page: URL, _ step: Int?, _ isCode: Bool, _ onPage: @escaping @Sendable (PageVisit) -> Void
        ) async throws -> Void

    package init(
        profile: ProgramProfile, application: @escaping @Sendable (Int) throws -> MSALPublicClientApplication,
        authority: @escaping @Sendable (_ segment: String) throws -> MSALAuthority, act: @escaping Act,
        wait: @escaping @Sendable (_ seconds: Double) async throws -> Void, call: @escaping CallAPI
    ) {
        self.profile = profile
        self.application = application
        self.authority = authority
        self.act = act
        self.wait = wait
        self.call = call
    }
}

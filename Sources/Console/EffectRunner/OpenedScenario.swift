import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

package struct OpenedScenario: Sendable {
    package var profile: ProgramProfile
    /// The authority of the same kind with this path.
    package var authority: @Sendable (_ segment: String) throws -> MSALAuthority
    /// Lets a step's user complete a page; for a nil step the scenario's first user.
    package var act: Act
    package var wait: @Sendable (_ seconds: Double) async throws -> Void
    package var call: CallAPI
    private let create: @Sendable (Int) throws -> MSALPublicClientApplication

    package typealias Act =
        @Sendable (
            _ page: URL, _ step: Int?, _ isCode: Bool, _ onPage: @escaping @Sendable (PageVisit) -> Void
        ) async throws -> Void

    private struct State {
        var applications: [Int: MSALPublicClientApplication] = [:]
        var accounts: [String: MSALAccount] = [:]
    }

    private let state = Locked(State())

    /// - Parameter application: creates one of the applications that share the cache, by index.
    package init(
        profile: ProgramProfile, application: @escaping @Sendable (Int) throws -> MSALPublicClientApplication,
        authority: @escaping @Sendable (_ segment: String) throws -> MSALAuthority, act: @escaping Act,
        wait: @escaping @Sendable (_ seconds: Double) async throws -> Void, call: @escaping CallAPI
    ) {
        (self.profile, self.authority, self.act) = (profile, authority, act)
        (self.wait, self.call, create) = (wait, call, application)
    }

    /// The application at an index. Each is created once, because it remembers throttling.
    func application(_ index: Int) throws -> MSALPublicClientApplication {
        try state.withLock { state in
            if let made = state.applications[index] { return made }
            let made = try create(index)
            state.applications[index] = made
            return made
        }
    }

    /// The account of a user who signed in earlier, even if it was removed since, or else the cached one.
    func account(named username: String, in application: MSALPublicClientApplication) throws -> MSALAccount {
        try state.withLock { $0.accounts[username] } ?? application.account(forUsername: username)
    }

    func note(_ account: MSALAccount, named username: String) { state.withLock { $0.accounts[username] = account } }
}

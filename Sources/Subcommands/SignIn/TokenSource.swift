import Foundation
import MSAL
import TerminalUI

/// Where `keyturn token` gets its token from.
///
/// The ladder, top to bottom:
/// 1. Silently: the cache, else the refresh token.
/// 2. Interaction is needed and not allowed: that is the failure.
/// 3. Wait for the turn. Who had to wait asks the cache again, and does not open a second window when that fails.
/// 4. Sign in by the profile's method. A user who was named has to be the one who signs in.
struct TokenSource: Sendable {
    var application: MSALPublicClientApplication
    var profile: Profile
    var wish: TokenWish
    var accountName: String?
    var forceRefresh: Bool
    var settings: Settings

    func result(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        do {
            return try await silent(forceRefresh: forceRefresh, in: surroundings)
        } catch let error where mayInteract && Self.needsInteraction(error) {
            return try await interruptible { try await signInOnce(in: surroundings) }
        }
    }

    private static func needsInteraction(_ error: any Error) -> Bool {
        FailureReport(error).exitCode == .interactionRequired
    }

    private func signInOnce(in surroundings: Surroundings) async throws -> MSALResult {
        let turn = SignInTurn(profile: profile, scopes: wish.scopes, environment: surroundings.environment)
        return try await turn.take {
            if !settings.isQuiet { surroundings.tell("Another keyturn is signing in. Waiting for it.\n") }
        } _: { hasWaited in
            guard hasWaited else { return try await signIn(in: surroundings) }
            do {
                return try await silent(forceRefresh: false, in: surroundings)
            } catch let error where Self.needsInteraction(error) {
                throw CommandFailure(
                    .interactionRequired, name: "sharedSignInEnded",
                    "The sign-in of another keyturn, which this waited for, ended without a token.",
                    nextStep: "Run the command again.")
            }
        }
    }

    private func signIn(in surroundings: Surroundings) async throws -> MSALResult {
        let account = try await account()
        let signIn = PlainSignIn(
            methods: profile.methods, wish: wish, account: account, requiredUser: account == nil ? accountName : nil,
            settings: settings)
        return try await signIn.result(of: application, in: surroundings)
    }

    private func silent(forceRefresh: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        guard let account = try await account() else {
            throw CommandFailure(
                .interactionRequired, name: "noAccount",
                accountName.map { "\($0) is not signed in." } ?? "Nobody is signed in.",
                nextStep: "Run 'keyturn sign-in' first.")
        }
        let isQuiet = settings.isQuiet
        return try await wish.silent(application, account, forceRefresh: forceRefresh, at: surroundings.now()) {
            event in
            guard !isQuiet, (event.step, event.phase) == (.waitForRenewal, .started) else { return }
            surroundings.tell("\(Printable.sanitize(event.detail)). Ctrl-C ends the wait.\n")
        }
    }

    private func account() async throws -> MSALAccount? {
        guard let accountName else { return try await application.onlyAccount() }
        return try await application.account(named: accountName)
    }
}

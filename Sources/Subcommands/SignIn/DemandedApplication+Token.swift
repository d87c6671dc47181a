import Console
import Foundation
import MSAL
import TerminalUI

/// The token of the application.
///
/// 1. Silently: from the cache, then with the refresh token.
/// 2. Fail if a sign-in is required but not allowed.
/// 3. Wait for another process's sign-in, then try the cache again. Fail without a second sign-in if that one has failed.
/// 4. Sign in by the profile's method, as the requested user.
extension DemandedApplication {
    /// The token without a sign-in; `nil` if one is needed.
    func silentlyOrNone(in surroundings: Surroundings) async throws -> MSALResult? {
        do {
            return try await silent(in: surroundings)
        } catch let error where needsSignIn(error) || Demand.isUndecided(error) {
            return nil
        }
    }

    func result(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        try await interruptible {
            try await demand.agreeing(mayAsk: mayInteract, in: surroundings) { demand in
                var access = self
                access.demand = demand
                do {
                    return try await access.wholeResult(mayInteract: mayInteract, in: surroundings)
                } catch let error where Demand.isUndecided(error) {
                    // The question is about what the server asks for today, not when it was asked first.
                    guard try await access.refresh(in: surroundings) else { throw error }
                    return try await access.wholeResult(mayInteract: mayInteract, in: surroundings)
                }
            }
        }
    }

    private func wholeResult(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        var username: String?
        do {
            guard !skipsCache else { return try await signInOnce(in: surroundings) }
            return try await silent(in: surroundings) { username = $0.username }
        } catch let error where mayInteract && !skipsCache && needsSignIn(error) {
            return try await signInOnce(in: surroundings)
        } catch let error where isOfLostClient(error) {
            throw Failure(
                .interactionRequired, name: "registrationGone",
                "The authority no longer knows the client that Keyturn registered there, or its secret has expired.",
                nextStep: "Run 'keyturn sign-in' to register again.")
        } catch let error as MSALAuthenticationError where demand.isDemanding && needsSignIn(error) {
            var failure = Failure(error)
            failure.nextStep = .signInAsAdvised
            // A sign-in without the challenge or the claims wouldn't meet them.
            failure.advice =
                "Run the same command where the user can sign in: in a terminal, and without --no-interaction."
            throw failure
        } catch let error as MSALAuthenticationError where needsSignIn(error) {
            // A whole username is already in the suggested command (`SuggestedCommand`).
            guard let username, let name = demand.accountName, !name.isWholeUsername else { throw error }
            var failure = Failure(reporting: error)
            failure.hasOwnAdvice = true
            failure.advice = failure.advice.replacing(
                "'keyturn sign-in'", with: "'keyturn sign-in --login-hint \(username.quotedForShell)'")
            throw failure
        }
    }

    private func needsSignIn(_ error: any Error) -> Bool {
        !Demand.isUndecided(error) && (Self.needsInteraction(error) || isOfLostClient(error))
    }

    /// Whether a request failed because the authority no longer accepts the client.
    private func isOfLostClient(_ error: any Error) -> Bool {
        let isOfClient = [.misconfigured, .rejected, .signInRequired].contains((error as NSError).failureKind)
        return isOfClient && application?.isClientRegistrationRejected == true
    }

    private static func needsInteraction(_ error: any Error) -> Bool {
        Failure(reporting: error).exitCode == .interactionRequired
    }

    private func signInOnce(in surroundings: Surroundings) async throws -> MSALResult {
        let turn = SignInTurn(
            profile: profile, scopes: [demand.resource?.absoluteString].compactMap(\.self) + demand.scopes,
            environment: surroundings.environment)
        return try await turn.run {
            guard !settings.isQuiet else { return }
            let holder = turn.holder?.name ?? "another keyturn process"
            surroundings.tell("Waiting for \(holder), which is signing in.\n")
        } _: { hasWaited in
            guard hasWaited else { return try await signIn(in: surroundings) }
            do {
                var access = self
                access.demand.forceRefresh = false
                // The sign-in may have registered another client.
                if demand.resource != nil { access.application = try known() ?? application }
                return try await access.silent(in: surroundings)
            } catch let error where Self.needsInteraction(error) && !Demand.isUndecided(error) {
                // The other process may have ended, or signed in another user.
                guard turn.hasFailed else { return try await signIn(in: surroundings) }
                throw Failure(
                    .interactionRequired, name: "sharedSignInEnded",
                    "The sign-in of another keyturn process ended without a token.",
                    nextStep: "Run the command again.")
            }
        }
    }

    private func signIn(in surroundings: Surroundings) async throws -> MSALResult {
        try willSignIn()
        return try await signIn(by: profile.methods, in: surroundings) { application in
            let account = try await account(of: application)
            let signIn = PlainSignIn(
                methods: profile.methods, demand: try demand.completed(by: application), account: account,
                requiredUser: account == nil ? demand.accountName : nil)
            return try await signIn.result(of: application, in: surroundings).warned(in: surroundings)
        }
    }

    private func silent(
        in surroundings: Surroundings, found: (MSALAccount) -> Void = { _ in }
    ) async throws -> MSALResult {
        let application = try signedIn()
        guard let account = try await account(of: application) else {
            throw application.noAccount(
                named: demand.accountName, among: settings.profiles(in: surroundings.environment))
        }
        found(account)
        let isQuiet = settings.isQuiet
        do {
            return try await demand.silent(application, account, at: surroundings.now()) { event in
                guard !isQuiet, (event.step, event.phase) == (.waitForRefresh, .started) else { return }
                surroundings.tell("\(Printable.sanitize(event.detail)). Press Ctrl-C to stop waiting.\n")
            }.warned(in: surroundings)
        } catch let error as NSError where error.says(account, isNotOf: application) {
            let profiles = settings.profiles(in: surroundings.environment)
            throw application.failure(of: account, ofAnotherAuthorityAmong: profiles, maySignIn: true)
        }
    }

    private func account(of application: MSALPublicClientApplication) async throws -> MSALAccount? {
        guard let accountName = demand.accountName else { return try await application.onlyAccount(by: choice) }
        return try await application.account(named: accountName, by: choice)
    }
}

import Console
import Foundation
import MSAL
import TerminalUI

/// The token of `keyturn token`.
///
/// 1. Silently: from the cache, then with the refresh token.
/// 2. Fail if a sign-in is required but not allowed.
/// 3. Wait for another process's sign-in, then try the cache again. Fail without a second sign-in if that one has failed.
/// 4. Sign in by the profile's method, as the requested user.
struct TokenSource: Sendable {
    /// `nil` if only a sign-in finds the client of a resource.
    var application: MSALPublicClientApplication?
    var profile: Profile
    var wish: TokenWish
    var accountName: String?
    /// Chooses if several accounts fit.
    var choice: AccountChoice?
    var forceRefresh: Bool
    var settings: Settings
    /// The resource that the token is for, if the command line names one.
    var access: ResourceAccess?
    /// Whether a server has rejected what the cache and a refresh give.
    var skipsCache = false
    /// Called before the user is asked to sign in. Throws if that may not be.
    var willSignIn: @Sendable () throws -> Void = {}

    /// The token without a sign-in; `nil` if one is needed.
    func silentlyOrNone(in surroundings: Surroundings) async throws -> MSALResult? {
        do {
            return try await silent(forceRefresh: forceRefresh, in: surroundings)
        } catch let error where needsSignIn(error) || TokenWish.isUndecided(error) {
            return nil
        }
    }

    func result(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        try await interruptible {
            try await wish.agreeing(mayAsk: mayInteract, in: surroundings) { wish in
                var source = self
                source.wish = wish
                do {
                    return try await source.wholeResult(mayInteract: mayInteract, in: surroundings)
                } catch let error where TokenWish.isUndecided(error) {
                    // The question is about what the server asks for today, not when it was asked first.
                    guard try await source.refresh(in: surroundings) else { throw error }
                    return try await source.wholeResult(mayInteract: mayInteract, in: surroundings)
                }
            }
        }
    }

    private func wholeResult(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        do {
            guard !skipsCache else { return try await signInOnce(in: surroundings) }
            return try await silent(forceRefresh: forceRefresh, in: surroundings)
        } catch let error where mayInteract && !skipsCache && needsSignIn(error) {
            return try await signInOnce(in: surroundings)
        } catch let error where isOfLostClient(error) {
            throw Failure(
                .interactionRequired, name: "registrationGone",
                "The authority no longer knows the client that Keyturn registered there, or its secret has expired.",
                nextStep: "Run 'keyturn sign-in' to register again.")
        } catch let error as MSALAuthenticationError where wish.hasDemand && needsSignIn(error) {
            var failure = Failure(error)
            failure.nextStep = .signInAsAdvised
            // A sign-in without the challenge or the claims wouldn't meet them.
            failure.advice =
                "Run the same command where the user can sign in: in a terminal, and without --no-interaction."
            throw failure
        }
    }

    /// Asks the resource again; whether it asks for other scopes now.
    private mutating func refresh(in surroundings: Surroundings) async throws -> Bool {
        let known = application?.configuration.resource?.scopes
        guard !wish.namesScopes, wish.challenge == nil, known != nil,
            // Without a response, the question stays.
            let current = try? await access?.rediscovered(in: surroundings),
            current.configuration.resource?.scopes != known
        else { return false }
        (application, wish) = (current, try wish.completed(by: current))
        return true
    }

    private func needsSignIn(_ error: any Error) -> Bool {
        !TokenWish.isUndecided(error) && (Self.needsInteraction(error) || isOfLostClient(error))
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
            profile: profile, scopes: [access?.url.absoluteString].compactMap(\.self) + wish.scopes,
            environment: surroundings.environment)
        return try await turn.run {
            guard !settings.isQuiet else { return }
            let holder = turn.holder?.name ?? "another keyturn process"
            surroundings.tell("Waiting for \(holder), which is signing in.\n")
        } _: { hasWaited in
            guard hasWaited else { return try await signIn(in: surroundings) }
            do {
                // The sign-in may have registered another client.
                var source = self
                source.application = try access?.knownApplication() ?? application
                return try await source.silent(forceRefresh: false, in: surroundings)
            } catch let error where Self.needsInteraction(error) && !TokenWish.isUndecided(error) {
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
        guard let access else { return try await signIn(to: try known(), in: surroundings) }
        return try await access.signIn(by: profile.methods, in: surroundings) { application in
            var source = self
            source.wish = try wish.completed(by: application)
            return try await source.signIn(to: application, in: surroundings)
        }
    }

    private func signIn(
        to application: MSALPublicClientApplication, in surroundings: Surroundings
    ) async throws -> MSALResult {
        let account = try await account(of: application)
        let signIn = PlainSignIn(
            methods: profile.methods, wish: wish, account: account, requiredUser: account == nil ? accountName : nil,
            settings: settings)
        return try await signIn.result(of: application, in: surroundings).warned(in: surroundings)
    }

    private func silent(forceRefresh: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        let application = try known()
        guard let account = try await account(of: application) else {
            throw application.noAccount(
                named: accountName, among: settings.profiles(in: surroundings.environment))
        }
        let isQuiet = settings.isQuiet
        do {
            return try await wish.silent(application, account, forceRefresh: forceRefresh, at: surroundings.now()) {
                event in
                guard !isQuiet, (event.step, event.phase) == (.waitForRefresh, .started) else { return }
                surroundings.tell("\(Printable.sanitize(event.detail)). Press Ctrl-C to stop waiting.\n")
            }.warned(in: surroundings)
        } catch let error as NSError where error.says(account, isNotOf: application) {
            let profiles = settings.profiles(in: surroundings.environment)
            throw application.failure(of: account, ofAnotherAuthorityAmong: profiles, maySignIn: true)
        }
    }

    private func known() throws -> MSALPublicClientApplication {
        if let application { return application }
        guard let access else { return try profile.application() }
        return try access.signedInApplication()
    }

    private func account(of application: MSALPublicClientApplication) async throws -> MSALAccount? {
        guard let accountName else { return try await application.onlyAccount(by: choice) }
        return try await application.account(named: accountName, by: choice)
    }
}

extension TokenSource {
    /// The access token for another program. Throws if it isn't one that a header or a file can have.
    func printedToken(mayInteract: Bool, in surroundings: Surroundings) async throws -> PrintedToken {
        let printed = try PrintedToken(.access, of: try await result(mayInteract: mayInteract, in: surroundings))
        _ = try TokenFormat.printable(printed.text)
        return printed
    }

    /// With the application of the resource, found if needed, or of the profile.
    init(
        profile: Profile, wish: TokenWish, accountName: String?, choice: AccountChoice, forceRefresh: Bool,
        settings: Settings,
        access: ResourceAccess?, mayInteract: Bool, in surroundings: Surroundings
    ) async throws {
        var access = access
        let application =
            if access == nil {
                try profile.application()
            } else {
                try await access?.firstApplication(mayInteract: mayInteract, in: surroundings)
            }
        let resource = application?.configuration.resource ?? access?.found
        let completed = try application.map(wish.completed) ?? wish.completed(by: resource)
        self.init(
            application: application, profile: profile, wish: completed, accountName: accountName,
            choice: choice, forceRefresh: forceRefresh, settings: settings, access: access)
    }
}

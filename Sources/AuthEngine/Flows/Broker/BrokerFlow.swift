import Foundation
import OAuthCore

/// Gets tokens and accounts from the identity broker of the person's session (docs/upstream-behaviour.md §13).
///
/// The ladder of a token, top to bottom:
/// 1. Without a broker that may be asked, or for an account that it does not know, the answer is `nil`: there are other
///    ways.
/// 2. Ask it. It has ten seconds for what needs nobody; a person may take their time, and may cancel. What needs nobody
/// is
///    asked once more when the broker was restarted meanwhile.
/// 3. From here on a failure is the broker's, and is said to be.
/// 4. Find the authority and judge the ID token as after any sign-in. The broker may have kept it for longer than it
/// lasts.
/// 5. If an account or a user was asked for, it has to be the one whose tokens came.
/// 6. Save everything in one transaction. There is no refresh token: the broker keeps it.
struct BrokerFlow {
    let context: FlowContext
    var preference = MSALBrokerPreference.asConfigured

    /// Seconds for what needs nobody.
    static let patience = 10.0

    /// `nil`: sign in another way.
    func signIn(_ request: InteractiveRequest) async throws -> TokenOutcome? {
        guard request.prompt != .create, serves(request.token) else {
            guard preference == .only else { return nil }
            throw AuthenticationFailure.machine(.brokerNotAvailable)
        }
        let answer = try await asked("Asking the identity broker to sign in") {
            var message = message(for: request.token)
            message.scopes = message.scopes.union(request.extraScopesToConsent)
            message.prompt = request.prompt.wireValue
            message.username = request.token.account?.username ?? request.username
            message.extraQueryParameters["domain_hint"] = request.domainHint
            if let account = request.token.account {
                message.account = try await listed(request.token.correlationID)
                    .first { $0.homeAccountID == account.homeAccountID }
            }
            let text = try await interactiveAnswer(to: message, request.token.correlationID)
            return BrokerGrant(try read(text, BrokerTokens.init), askedFor: message.account)
        }
        guard let answer else { return nil }
        let outcome = try await outcome(of: answer, for: request.token)
        try context.complete(signIn: outcome, for: request.token)
        return outcome
    }

    /// `nil`: renew another way.
    func renew(
        _ request: SilentRequest, for account: TokenRequestSnapshot.Account, _ search: CacheSearch
    ) async throws -> TokenOutcome? {
        guard serves(request.token) else { return nil }
        let known = try await asked("Asking the identity broker for a token") { () -> BrokerGrant? in
            var message = message(for: request.token, at: search.authority)
            message.account = try await listed(request.token.correlationID)
                .first { $0.homeAccountID == account.homeAccountID }
            guard message.account != nil else { return nil }
            if request.forceRefresh, let realm = search.realm {
                message.accessTokenToRenew =
                    search.accessToken(realm: realm, scopes: request.token.scopes, keyID: nil)?.secret
            }
            let text = try await answer(to: message.silent, request.token.correlationID)
            return BrokerGrant(try read(text, BrokerTokens.init), askedFor: message.account)
        }
        guard let answered = known ?? nil else { return nil }
        let outcome = try await outcome(of: answered, for: request.token)
        try context.complete(renewal: outcome, for: request.token)
        return outcome
    }

    /// Whether there is a broker to ask for accounts. Asks the bus only, and says once when a wanted broker is absent.
    func isThereForAccounts() -> Bool {
        guard serves(context.settings.authority, MSALGlobalConfig.brokerAvailability) else { return false }
        // Only a sign-in can insist on the broker, so listing accounts never throws here.
        return (try? isPresent()) ?? false
    }

    /// The accounts that the application may know of; `nil` without a broker.
    func accounts(_ correlationID: UUID) async throws -> [BrokerAccount]? {
        return try await asked("Asking the identity broker for its accounts") { try await listed(correlationID) }
    }

    /// Has the broker forget that this application uses an account, if there is a broker and it knows the account.
    func remove(_ homeAccountID: String, _ correlationID: UUID) async throws {
        guard serves(context.settings.authority, MSALGlobalConfig.brokerAvailability) else { return }
        _ = try await asked("Having the identity broker remove the account") {
            guard let account = try await listed(correlationID).first(where: { $0.homeAccountID == homeAccountID })
            else { return }
            let text = try await answer(
                to: .remove(account, clientID: context.settings.clientID), correlationID)
            try read(text) { answer throws(BrokerAnswer.Failure) in try answer.confirm() }
        }
    }

    /// The version of the broker; `nil` without one.
    func version(_ correlationID: UUID) async throws -> String? {
        try await asked("Asking the identity broker for its version") {
            let text = try await answer(to: .version, correlationID)
            return try read(text) { answer throws(BrokerAnswer.Failure) in try answer.version() }
        }
    }
}

extension BrokerFlow {
    private func serves(_ request: TokenRequestSnapshot) -> Bool { context.settings.brokerUse.serves(request) }

    private func serves(_ authority: Authority, _ availability: MSALBrokeredAvailability) -> Bool {
        context.settings.brokerUse.serves(authority, availability)
    }

    /// Steps 1 to 3. `nil`: there is no broker, which is said in one line.
    private func asked<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value? {
        guard try isPresent() else { return nil }
        context.reporter.started(.askBroker, what)
        do {
            let value = try await work()
            context.reporter.succeeded(.askBroker, "The identity broker answered")
            return value
        } catch AuthenticationFailure.machine(.brokerFailed(let failure)) where failure.kind == .absent {
            try noteAbsence(failure.reason)
            return nil
        } catch {
            let told = MSALAuthenticationError(translating: error, correlationID: nil)
            context.reporter.failed(.askBroker, told.localizedDescription)
            throw error
        }
    }

    private func isPresent() throws -> Bool {
        guard case .absent(let why) = context.dependencies.broker.presence() else { return true }
        try noteAbsence(why)
        return false
    }

    private func noteAbsence(_ why: String) throws {
        guard preference != .only else {
            context.reporter.failed(.askBroker, why)
            throw AuthenticationFailure.machine(.brokerFailed(BrokerFailure(.absent, reason: why)))
        }
        if context.settings.brokerUse.isWanted(preference) {
            context.reporter.failed(.askBroker, "\(why) Going on without it.")
        } else {
            context.reporter.log.verbose("Going on without a broker: \(name: why)")
        }
    }
}

import Foundation
import OAuthCore

/// Gets tokens and accounts from the identity broker of the user's session (docs/upstream-behaviour.md §13).
///
/// The steps of a token request:
/// 1. Return `nil` without an available broker, or for an account that it doesn't know. The caller then uses another
///   sign-in method.
/// 2. Call the broker, with a limit of ten seconds for calls without user interaction. Retry such a call once if the
///   broker was restarted. Calls with user interaction have the limit of a sign-in in the browser.
/// 3. Report later failures as failures of the broker.
/// 4. Find the authority and validate the ID token. It may have expired, because the broker caches it.
/// 5. Check that the tokens belong to the requested account or user.
/// 6. Save everything in one transaction. The broker keeps the refresh token.
struct BrokerFlow {
    let context: FlowContext
    var preference = MSALBrokerPreference.asConfigured

    /// Seconds to wait for a call without user interaction.
    static let patience = 10.0

    /// Signs the user in. Returns `nil` when another sign-in method is needed.
    func signIn(_ request: InteractiveRequest) async throws -> TokenOutcome? {
        guard request.prompt != .create, context.settings.brokerUse.serves(request.token) else {
            guard preference == .only else { return nil }
            throw AuthenticationFailure.machine(.brokerNotAvailable)
        }
        let response = try await calling("Signing in with the identity broker") {
            var message = message(for: request.token)
            message.scopes = message.scopes.union(request.extraScopesToConsent)
            message.prompt = request.prompt.wireValue
            message.username = request.token.account?.username ?? request.username
            message.extraQueryParameters["domain_hint"] = request.domainHint
            if let account = request.token.account {
                message.account = try await listed(request.token.correlationID)
                    .first { $0.homeAccountID == account.homeAccountID }
            }
            let text = try await interactiveResponse(
                to: message, request.token.correlationID, within: request.access.limit)
            return BrokerGrant(try read(text, BrokerTokens.init), for: message.account)
        }
        guard let response else { return nil }
        let outcome = try await outcome(of: response, for: request.token)
        // A cancelled sign-in saves nothing: the broker has its tokens.
        try Task.checkCancellation()
        return try context.complete(signIn: outcome, for: request.token, in: nil)
    }

    /// Gets a token silently. Returns `nil` when the broker can't.
    func refresh(
        _ request: SilentRequest, for account: AccountReference, _ search: CacheSearch
    ) async throws -> TokenOutcome? {
        guard context.settings.brokerUse.serves(request.token) else { return nil }
        let known = try await calling("Getting a token from the identity broker") { () -> BrokerGrant? in
            var message = message(for: request.token, at: search.authority)
            message.account = try await listed(request.token.correlationID)
                .first { $0.homeAccountID == account.homeAccountID }
            guard message.account != nil else { return nil }
            if request.forceRefresh, let realm = search.realm {
                message.accessTokenToRefresh =
                    search.accessToken(realm: realm, scopes: request.token.scopes, keyID: nil)?.secret
            }
            let text = try await response(to: message.silent, request.token.correlationID)
            return BrokerGrant(try read(text, BrokerTokens.init), for: message.account)
        }
        guard let grant = known ?? nil else { return nil }
        let outcome = try await outcome(of: grant, for: request.token)
        return try context.complete(refresh: outcome, for: request.token, in: nil)
    }

    /// Whether a broker can list accounts. Queries only the bus, and reports once when a requested broker is absent.
    func isThereForAccounts() -> Bool {
        guard servesAccounts else { return false }
        // Doesn't throw, because only a sign-in can require the broker.
        return (try? isPresent()) ?? false
    }

    /// Returns the accounts that the application may use, or `nil` without a broker.
    func accounts(_ correlationID: UUID) async throws -> [BrokerAccount]? {
        return try await calling("Getting the identity broker's accounts") { try await listed(correlationID) }
    }

    /// Removes an account from the broker for this application, if the broker knows it.
    func remove(_ homeAccountID: String, _ correlationID: UUID) async throws {
        guard servesAccounts else { return }
        _ = try await calling("Removing the account from the identity broker") {
            guard let account = try await listed(correlationID).first(where: { $0.homeAccountID == homeAccountID })
            else { return }
            let text = try await response(
                to: .remove(account, clientID: context.settings.clientID), correlationID)
            try read(text) { try $0.confirm() }
        }
    }

    /// Returns the version of the broker, or `nil` without one.
    func version(_ correlationID: UUID) async throws -> String? {
        try await calling("Getting the identity broker's version") {
            let text = try await response(to: .version, correlationID)
            return try read(text) { try $0.version() }
        }
    }
}

extension BrokerFlow {
    private var servesAccounts: Bool {
        context.settings.brokerUse.serves(context.settings.authority, MSALGlobalConfig.brokerAvailability)
    }

    /// Steps 1 to 3. Returns `nil` without a broker and reports its absence.
    private func calling<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value? {
        guard try isPresent() else { return nil }
        context.reporter.started(.callBroker, what)
        do {
            let value = try await work()
            context.reporter.succeeded(.callBroker, "The identity broker responded")
            return value
        } catch AuthenticationFailure.machine(.brokerFailed(let failure)) where failure.kind == .absent {
            try noteAbsence(failure.reason)
            return nil
        } catch {
            let told = MSALAuthenticationError(translating: error)
            context.reporter.failed(.callBroker, told.localizedDescription)
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
            context.reporter.failed(.callBroker, why)
            throw AuthenticationFailure.machine(.brokerFailed(BrokerFailure(.absent, reason: why)))
        }
        if context.settings.brokerUse.isWanted(preference) {
            context.reporter.failed(.callBroker, "\(why) Continuing without it.")
        } else {
            context.reporter.log.verbose("Continuing without a broker: \(name: why)")
        }
    }
}

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

    /// Returns `nil` when another sign-in method is needed.
    func signIn(_ request: InteractiveRequest) async throws -> TokenOutcome? {
        guard request.prompt != .create, context.settings.usesBroker(for: request.token) else {
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
                message.account = try await listed(account.homeAccountID, request.token.correlationID)
            }
            let text = try await interactiveResponse(
                to: message, request.token.correlationID, within: request.access.limit)
            return try tokens(in: text, for: message.account)
        }
        guard let response else { return nil }
        let outcome = try await outcome(of: response, for: request.token)
        // A cancelled sign-in saves nothing: the broker has its tokens.
        try Task.checkCancellation()
        return try context.complete(signIn: outcome, for: request.token, in: nil)
    }

    /// Returns `nil` when the broker can't.
    func refresh(
        _ request: SilentRequest, for account: AccountReference, _ search: CacheSearch
    ) async throws -> TokenOutcome? {
        guard context.settings.usesBroker(for: request.token) else { return nil }
        let known = try await calling("Getting a token from the identity broker") { () -> BrokerTokens? in
            var message = message(for: request.token, at: search.authority)
            message.account = try await listed(account.homeAccountID, request.token.correlationID)
            guard message.account != nil else { return nil }
            if request.forceRefresh, let realm = search.realm {
                message.accessTokenToRefresh =
                    search.accessToken(realm: realm, scopes: request.token.scopes, keyID: nil)?.secret
            }
            return try tokens(
                in: try await response(to: message.silent, request.token.correlationID), for: message.account)
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

    func accounts(_ correlationID: UUID) async throws -> [BrokerAccount]? {
        try await calling("Getting the identity broker's accounts") { try await listed(correlationID) }
    }

    func remove(_ homeAccountID: String, _ correlationID: UUID) async throws {
        guard servesAccounts else { return }
        _ = try await calling("Removing the account from the identity broker") {
            guard let account = try await listed(homeAccountID, correlationID) else { return }
            let text = try await response(to: .remove(account, clientID: context.settings.clientID), correlationID)
            try read(text) { try $0.confirm() }
        }
    }

    func version(_ correlationID: UUID) async throws -> String? {
        try await calling("Getting the identity broker's version") {
            try read(try await response(to: .version, correlationID)) { try $0.version() }
        }
    }

    private var servesAccounts: Bool {
        context.settings.usesBroker(at: context.settings.authority, MSALGlobalConfig.brokerAvailability)
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
            context.reporter.failed(.callBroker, MSALAuthenticationError(translating: error).localizedDescription)
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
        if context.settings.enablesBroker || preference != .asConfigured {
            context.reporter.failed(.callBroker, "\(why) Continuing without it.")
        } else {
            context.reporter.log.verbose("Continuing without a broker: \(name: why)")
        }
    }

    func listed(_ correlationID: UUID) async throws -> [BrokerAccount] {
        let text = try await response(to: .accounts(clientID: context.settings.clientID), correlationID)
        let accounts = try read(text) { try $0.accounts() }
        if accounts.unreadable > 0 {
            context.reporter.log.warning("\(accounts.unreadable) accounts of the broker have no identifier")
        }
        return accounts.known
    }

    func listed(_ homeAccountID: String, _ correlationID: UUID) async throws -> BrokerAccount? {
        try await listed(correlationID).first { $0.homeAccountID == homeAccountID }
    }

    /// Sends a request without user interaction. Retries once if the broker was restarted.
    func response(to request: BrokerRequest, _ correlationID: UUID) async throws -> Secret {
        do {
            return try await sent(request, correlationID, within: Self.patience)
        } catch AuthenticationFailure.machine(.brokerFailed(let failure)) where failure.kind == .stopped {
            context.reporter.noted(.callBroker, "The identity broker was restarted; trying again")
            return try await sent(request, correlationID, within: Self.patience)
        }
    }

    /// Sends a request with user interaction. It counts as the process's interactive session: task cancellation and
    /// `cancelCurrentWebAuthSession` end it, and so does its limit.
    func interactiveResponse(
        to message: BrokerTokenRequest, _ correlationID: UUID, within limit: Double?
    ) async throws -> Secret {
        let host = context.settings.authority.environment
        let session = WaitingSession(
            RunningSession(
                purpose: "sign-in", place: .broker, clientID: context.settings.clientID, host: host,
                start: context.dependencies.time.now(), limit: limit),
            state: Secret(OneTimeSecrets(random: context.dependencies.random).state), redirect: nil,
            world: context.dependencies.world)
        try InteractiveSessions.begin(session)
        defer { InteractiveSessions.finish(session) }
        return try await session.limited(by: context.dependencies.time) {
            try await response(to: message, correlationID, until: session)
                ?? {
                    throw AuthenticationFailure.user(
                        session.isOverdue ? .signInUnanswered(host: host, seconds: limit ?? 0) : .canceled)
                }()
        }
    }

    /// Returns `nil` if the session ends before the broker responds.
    private func response(
        to message: BrokerTokenRequest, _ correlationID: UUID, until session: WaitingSession
    ) async throws -> Secret? {
        try await withThrowingTaskGroup(of: Secret?.self) { group in
            group.addTask {
                try await sent(
                    message.interactive, correlationID, within: nil,
                    whenCancelled: .cancel(clientID: context.settings.clientID))
            }
            group.addTask {
                _ = try? await session.response()
                return nil
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() ?? nil else {
                // The broker must hear of the cancellation, so that it closes its window.
                group.cancelAll()
                _ = try? await group.next()
                return nil
            }
            return response
        }
    }

    private func sent(
        _ request: BrokerRequest, _ correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest? = nil
    ) async throws -> Secret {
        do throws(BrokerFailure) {
            return try await context.dependencies.broker.response(
                to: request, correlationID: correlationID, within: limit, whenCancelled: whenCancelled)
        } catch {
            throw error.kind == .cancelled ? AuthenticationFailure.user(.canceled) : .machine(.brokerFailed(error))
        }
    }

    func read<Value>(_ text: Secret, _ reading: (BrokerResponse) throws -> Value) throws -> Value {
        do {
            return try reading(try BrokerResponse(parsing: text))
        } catch let rejection as BrokerRejection {
            throw AuthenticationFailure.machine(.broker(rejection))
        } catch TokenResponseFailure.malformed(let fact) {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(fact))
        }
    }

    private func tokens(in text: Secret, for account: BrokerAccount?) throws -> BrokerTokens {
        var tokens = try read(text, BrokerTokens.init)
        tokens.account = tokens.account ?? account
        return tokens
    }

    func message(for request: TokenRequestSnapshot, at authority: Authority? = nil) -> BrokerTokenRequest {
        var message = BrokerTokenRequest(
            authority: (authority ?? request.authority).url, clientID: context.settings.clientID,
            scopes: request.scopes.addingReserved)
        message.claims = request.claimsText(capabilities: context.settings.capabilities)
        message.extraQueryParameters = request.extraQueryParameters
        message.extraQueryParameters.replace(with: context.settings.slice)
        if context.settings.isInstanceAware { message.extraQueryParameters["instance_aware"] = "true" }
        return message
    }

    /// Steps 4 and 5.
    func outcome(of grant: BrokerTokens, for request: TokenRequestSnapshot) async throws -> TokenOutcome {
        let response = try grant.response(at: context.dependencies.time.now())
        let authority = try await context.authorities.resolve(request.authority)
        let judged = try await context.judgeIDToken(of: response, from: authority, mayBeOld: true)
        var outcome = try context.outcome(
            of: response, judged, from: authority, for: request, previous: grant.account?.cached)
        outcome.isFromBroker = true
        return outcome
    }
}

extension BrokerTokens {
    /// The token response of an authority with these tokens. Throws when the account is unknown.
    fileprivate func response(at now: Date) throws -> TokenResponse {
        guard idToken != nil || account != nil else {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(.missing(member: "idToken")))
        }
        guard let clientInfo = clientInfo ?? account?.identity else {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(.missing(member: "clientInfo")))
        }
        return TokenResponse(self, clientInfo: clientInfo, at: now)
    }
}

extension BrokerAccount {
    fileprivate var identity: ClientInfo? {
        if let clientInfo { return clientInfo }
        guard let homeTenant else { return nil }
        return ClientInfo(uid: String(homeAccountID.dropLast(homeTenant.count + 1)), utid: homeTenant)
    }

    private var profile: CachedAccount.Profile {
        let realm = realm ?? homeTenant ?? ""
        // Those of an equivalent ID token.
        let claims = ["name": name, "given_name": givenName, "family_name": familyName, "preferred_username": username]
        return CachedAccount.Profile(
            localAccountID: localAccountID, realm: realm, username: username, isHome: realm == homeTenant,
            authorityType: CachedAccount.Profile.entraType,
            claims: .read(claims.compactMapValues { $0.map(JSONValue.string) }))
    }

    var cached: CachedAccount {
        CachedAccount(homeAccountID: homeAccountID, environment: environment, username: username, profiles: [profile])
    }
}

extension ApplicationSettings {
    /// Whether a broker may be used. Brokers support only Microsoft Entra ID (docs/upstream-behaviour.md §13). None gets the
    /// token of a managed server, and a host application acts as its own. Not for the settings at a managed server's authority,
    /// which have no ``managedServer``.
    func usesBroker(
        at authority: Authority, _ availability: MSALBrokeredAvailability,
        _ preference: MSALBrokerPreference = .asConfigured
    ) -> Bool {
        guard availability == .auto, nestedBroker == nil, managedServer == nil, authority.tenant != nil else {
            return false
        }
        return switch preference {
        case .asConfigured: enablesBroker || redirect.isBrokerCapable
        case .first, .only: true
        case .never: false
        }
    }

    /// Brokers issue no bound tokens.
    func usesBroker(for request: TokenRequestSnapshot) -> Bool {
        request.scheme == .bearer
            && usesBroker(at: request.authority, request.brokerAvailability, request.brokerPreference)
    }
}

import Foundation
import KeyturnSystem
import OAuthCore

/// The settings, dependencies and steps that several flows share. A class, because the code that copies so many members would
/// stand in the program once for each flow.
final class FlowContext: Sendable {
    let settings: ApplicationSettings
    let dependencies: Dependencies
    let authorities: AuthorityResolver
    let cache: TokenCache
    /// Shared by all requests of the application, as is the telemetry.
    let silentRequests: SilentRequests
    let telemetry: Locked<RequestTelemetry>
    let reporter: FlowReporter
    let recorder: ExchangeRecorder?
    let hold: FlowHold?
    /// Whether the user changed a request, so that what came of it says nothing about this client.
    var isChanged: Bool { hold?.isChanged == true }
    let legacy: LegacyTokens
    let secret: ConfiguredSecret
    /// That of this client at the authority of a managed server.
    let serverSecret: ConfiguredSecret

    init(
        settings: ApplicationSettings, dependencies: Dependencies, metadata: MetadataSource,
        silentRequests: SilentRequests, telemetry: Locked<RequestTelemetry>, reporter: FlowReporter,
        recorder: ExchangeRecorder? = nil, hold: FlowHold? = nil, secret: ConfiguredSecret = ConfiguredSecret(),
        serverSecret: ConfiguredSecret = ConfiguredSecret(), adalCaches: @escaping @Sendable () -> [[UInt8]] = { [] }
    ) {
        (self.settings, self.dependencies) = (settings, dependencies)
        authorities = AuthorityResolver(settings, metadata, dependencies.transport, reporter)
        cache = TokenCache(store: dependencies.credentials, clientID: settings.clientID)
        (self.silentRequests, self.telemetry, self.reporter) = (silentRequests, telemetry, reporter)
        (self.recorder, self.hold, self.secret, self.serverSecret) = (recorder, hold, secret, serverSecret)
        legacy = LegacyTokens(caches: adalCaches, clientID: settings.clientID)
    }

    /// Validates the ID token of a response. Returns `nil` without one; throws when a rule fails.
    ///
    /// `nonce` and `request` are those of the authorization request, `originalNonce` that of the original sign-in for a
    /// refresh, and `previous` the account that a refreshed token must match. With `mayBeOld` the token may have expired,
    /// because brokers cache it.
    func judgeIDToken(
        of response: TokenResponse, from authority: ResolvedAuthority, nonce: String? = nil,
        meeting request: TokenRequestSnapshot? = nil, originalNonce: String? = nil, previous: CachedAccount? = nil,
        mayBeOld: Bool = false
    ) async throws -> JudgedIDToken? {
        guard let raw = response.idToken else { return nil }
        guard authority.configuration.jwksURI != nil else {
            reporter.noted(.verifyIDToken, "The ID token is not used: the server publishes no keys to verify it")
            return nil
        }
        reporter.started(.verifyIDToken, "Verifying the ID token")
        do {
            func judged() async throws -> JudgedIDToken {
                try await judge(
                    raw, of: response, from: authority, nonce: nonce, meeting: request, originalNonce: originalNonce,
                    previous: previous, mayBeOld: mayBeOld)
            }
            let judged = try await insisting(.verifyIDToken, judged)
            let met = judged.verdicts.count { $0.outcome == .passed }
            reporter.succeeded(.verifyIDToken, "ID token verified: \(met) checks passed")
            return judged
        } catch {
            reporter.failed(.verifyIDToken, (error as? AuthenticationFailure)?.reasonForLog ?? "Cancelled")
            throw error
        }
    }

    private func judge(
        _ raw: Secret, of response: TokenResponse, from authority: ResolvedAuthority, nonce: String?,
        meeting request: TokenRequestSnapshot?, originalNonce: String?, previous: CachedAccount?, mayBeOld: Bool
    ) async throws -> JudgedIDToken {
        var authority = authority
        let token: JWT
        do { token = try JWT(parsing: raw.reveal()) } catch {
            throw AuthenticationFailure.authority(.idTokenMalformed(error))
        }
        guard !token.isExplicitlyTyped else { throw AuthenticationFailure.authority(.idTokenMalformed(.otherType)) }
        let privacy = Privacy(hiding: response.exchangedSecrets.map { $0.reveal() })
        let rules = IDTokenRules(mask: privacy.redacted)
        var input = IDTokenRules.Input(
            token: token, issuer: authority.issuer, clientID: settings.clientID, localTime: dependencies.time.now())
        let keys = try await authorities.keys(of: &authority)
        input.keys = keys.value
        input.serverTime = response.serverTime
        input.nonce = nonce
        input.originalNonce = originalNonce
        input.accessToken = response.accessToken
        input.expectedSubject = previous?.subject(inTenant: token.claims.tenantID)
        input.requestedContexts = request?.acrValues?.split(separator: " ").map(String.init) ?? []
        // Entra states the time only if the application's registration asks for it.
        if !authority.speaksEntra || token.claims.authenticationTime != nil { input.maximumAge = request?.maximumAge }
        var verdicts = rules.judge(input)
        let isUnsigned = verdicts.failures.contains { $0.rule == .signature }
        if isUnsigned, let reread = try await authorities.rereadKeys(keys, of: &authority) {
            (input.issuer, input.keys) = (authority.issuer, reread.value)
            verdicts = rules.judge(input)
        }
        if mayBeOld { verdicts = verdicts.map(\.forgivingAge) }
        let failed = verdicts.failures
        guard failed.isEmpty else { throw AuthenticationFailure.authority(.idTokenRejected(failed)) }
        return JudgedIDToken(raw: raw, token: token, verdicts: verdicts)
    }

    /// The last steps of every sign-in. `room`: ``roomForTokens()``.
    func complete(
        signIn outcome: TokenOutcome, for request: TokenRequestSnapshot, in room: (any CredentialLease)?
    ) throws -> TokenOutcome {
        try hold?.checkUnchanged()
        try checkAccount(outcome, for: request)
        let outcome = saved(outcome, in: room) { cache, grant throws(CredentialStoreFailure) in try cache.save(grant) }
        if outcome.unsaved == nil { try keepResource() }
        silentRequests.throttling { $0.userSignedIn() }
        return outcome
    }

    /// The last steps of every silent refresh. An account that was removed in the meantime stays removed.
    func complete(
        refresh outcome: TokenOutcome, for request: TokenRequestSnapshot, in room: (any CredentialLease)?
    ) throws -> TokenOutcome {
        try hold?.checkUnchanged()
        try checkAccount(outcome, for: request)
        var isSaved = true
        let outcome = saved(outcome, in: room) { cache, grant throws(CredentialStoreFailure) in
            isSaved = try cache.saveRefreshed(grant)
        }
        guard isSaved else { throw AuthenticationFailure.needsSignIn(.signedOut) }
        return outcome
    }

    /// Saves the tokens. If that fails, the outcome has the reason: the code or refresh token is spent, so these tokens
    /// are all that the user has (docs/decisions/0034).
    private func saved(
        _ outcome: TokenOutcome, in room: (any CredentialLease)?,
        by saving: (TokenCache, TokenGrant) throws(CredentialStoreFailure) -> Void
    ) -> TokenOutcome {
        guard let grant = outcome.grant else { return outcome }
        room?.release()
        reporter.started(.saveTokens, "Saving the tokens")
        var outcome = outcome
        do throws(CredentialStoreFailure) {
            try insisting(.saveTokens) { cache throws(CredentialStoreFailure) in try saving(cache, grant) }
            // What earlier rejections taught is in the cache only.
            if grant.refreshToken != nil, let credentials = try? cache.credentials(of: grant.homeAccountID) {
                outcome.signInExpiry = credentials.signInExpiry
            }
            let name = grant.profile.username ?? grant.homeAccountID
            reporter.succeeded(.saveTokens, "Saved for \(name)", naming: name)
        } catch {
            let failure = error.losing(grant.loss)
            reporter.failed(.saveTokens, failure.reason)
            outcome.unsaved = failure
        }
        return outcome
    }
}

extension AuthenticationFailure {
    fileprivate var reasonForLog: String {
        guard case .authority(.idTokenRejected(let verdicts)) = self else {
            return "The ID token could not be verified"
        }
        return "The ID token was rejected: \(verdicts.map(\.rule.rawValue).joined(separator: ", "))"
    }
}

extension Verdict {
    fileprivate var forgivingAge: Verdict {
        guard rule == .expiry, outcome == .failed else { return self }
        return Verdict(rule, .warning, explanation)
    }
}

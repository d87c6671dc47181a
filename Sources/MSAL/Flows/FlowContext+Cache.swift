import Foundation
import KeyturnSystem
import OAuthCore

extension FlowContext {
    func cached<Value>(_ work: (TokenCache) throws -> Value) throws -> Value {
        try AuthenticationFailure.ofStore(try work(cache))
    }

    /// Runs `work` on the cache after a code or token was spent. Runs it again if the store has just set damage aside: it
    /// reports that only once, which must not cost the new tokens.
    func insisting<Value>(
        _ step: MSALFlowEvent.Step, _ work: (TokenCache) throws(CredentialStoreFailure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        do throws(CredentialStoreFailure) {
            return try work(cache)
        } catch  where error.mendsItself {
            reporter.noted(step, error.reason)
            return try work(cache)
        }
    }

    func insisting<Value>(_ step: MSALFlowEvent.Step, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch AuthenticationFailure.store(let failure) where failure.mendsItself {
            reporter.noted(step, failure.reason)
            return try await work()
        }
    }

    /// Makes sure that new tokens can be saved, before a code or token is spent on them.
    func roomForTokens() throws -> (any CredentialLease)? { try cached { try $0.store.reserveRoom() } }

    /// The outcome for a cached access token with its ID token and account, or `nil` if one is missing. OpenID accounts
    /// need no ID token, because some providers issue none for a device code.
    func cachedOutcome(_ token: CachedAccessToken, _ search: CacheSearch, realm: String) -> TokenOutcome? {
        let idToken = search.credentials.idToken(realm: realm, environments: search.environments.inCache)
        guard idToken != nil || !search.authority.speaksEntra, let account = search.account(client: settings.clientID),
            let profile = account.profiles.first(where: { $0.realm == realm })
        else { return nil }
        let judge = CachedIDTokenJudge(
            metadata: authorities.metadata, authorities: [search.authority, search.requested],
            environments: search.environments, clientID: settings.clientID, time: dependencies.time)
        return TokenOutcome(
            accessToken: token.secret, expiresOn: token.expiresOn.ifStated,
            signInExpiry: search.credentials.signInExpiry?.ifCounted(by: dependencies.time.now()), scopes: token.scopes,
            idToken: idToken, claims: profile.claims,
            verdicts: { [unverified] in idToken.map(judge.verdicts) ?? unverified }, account: account, profile: profile,
            authority: search.authority, isFromCache: true, grant: nil)
    }

    /// Runs `work` while no other process or application of the store refreshes this account's tokens: a refresh token may be
    /// valid for one use only, and the others can use the new tokens. Read the cache inside.
    ///
    /// Waits with cancellation, and reports a longer wait. Continues at once when the other process exits; throws when
    /// the wait exceeds any plausible refresh (``leasePatience``).
    func refreshingAlone<Value>(_ homeAccountID: String, _ work: () async throws -> Value) async throws -> Value {
        // Without the client, because a family refresh token is shared by several clients.
        let lease = try await lease(CredentialKey(.refreshToken, homeAccountID: homeAccountID))
        defer { lease.release() }
        return try await work()
    }

    private func lease(_ key: CredentialKey) async throws -> any CredentialLease {
        var wait = TurnWait(limit: Self.leasePatience)
        var isReported = false
        while true {
            if let lease = try AuthenticationFailure.ofStore(try dependencies.credentials.lease(key)) {
                if isReported { reporter.succeeded(.waitForRefresh, "The other program has finished") }
                return lease
            }
            // A refresh usually takes only a round trip or two.
            let isLong = wait.waited >= Self.leaseSilence
            let holder = isLong ? dependencies.credentials.leaseHolder(key) : nil
            if isLong, !isReported {
                let name = holder?.name ?? "another program"
                reporter.started(.waitForRefresh, "Waiting for \(name), which is refreshing the tokens")
                isReported = true
            }
            guard let pause = wait.next(holder) else {
                reporter.failed(.waitForRefresh, "The other program is still refreshing")
                throw AuthenticationFailure.machine(.refreshHeldUp(by: holder, seconds: Int(wait.waited)))
            }
            try await dependencies.time.sleep(seconds: pause)
        }
    }

    /// Seconds to wait for another process: a request's time limit, and time to save the response.
    static let leasePatience = 45.0
    private static let leaseSilence = 1.0
}

/// Validates a cached ID token with cached documents of any age; sends no request. Remembered results keep this value alive,
/// so it holds only what it needs.
struct CachedIDTokenJudge: Sendable {
    let metadata: MetadataSource
    /// The authorities whose documents can be used, in order.
    let authorities: [Authority]
    let environments: ResolvedAuthority.Environments
    let clientID: String
    let time: any TimeSource

    struct Documents {
        var configuration: OpenIDConfiguration
        var keys: JWKSet?
    }

    func verdicts(on idToken: Secret) -> [Verdict] {
        documents.map { verdicts(on: idToken, with: $0) } ?? []
    }

    func verdicts(on idToken: Secret, with documents: Documents) -> [Verdict] {
        guard let token = try? JWT(parsing: idToken.reveal()) else { return [] }
        var input = IDTokenRules.Input(
            token: token, issuer: documents.configuration.issuer, clientID: clientID, localTime: time.now())
        input.origin = .cache
        input.keys = documents.keys
        return IDTokenRules().judge(input)
    }

    /// The cached documents of the first authority with cached keys, or else of the first one.
    var documents: Documents? {
        let cached = authorities.lazy.compactMap(documents)
        return cached.first { $0.keys != nil } ?? cached.first
    }

    private func documents(of authority: Authority) -> Documents? {
        metadata.cachedConfiguration(of: authority, networkEnvironment: environments.preferredNetwork).map { found in
            let keys = found.jwksURI.flatMap { url in metadata.cachedDocument(url) { try JWKSet(parsing: $0) } }
            return Documents(configuration: found, keys: keys)
        }
    }
}

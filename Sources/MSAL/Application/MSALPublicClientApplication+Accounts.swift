import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Returns the cached tokens of each account, by ``MSALAccount/identifier``. Not in MSAL for iOS and macOS.
    ///
    /// Shows when access expires and whether it can be refreshed silently. Accounts without any token are missing.
    /// Reads the cache; sends no request.
    public func cachedTokens() throws -> [String: MSALCachedTokens] {
        try Self.translatingErrors {
            let now = dependencies.time.now()
            return try listing().tokens.mapValues { $0.counted(by: now) }
        }
    }

    /// Returns the cached ID token of an account, or `nil` without one. Not in MSAL for iOS and macOS.
    ///
    /// The ID token may have expired, and an access token need not be cached. Reads the cache; sends no request.
    public func storedIDToken(for account: MSALAccount) throws -> MSALStoredIDToken? {
        try Self.translatingErrors {
            guard let snapshot = AccountReference(account), !snapshot.homeAccountID.isEmpty else {
                throw AuthenticationFailure.caller(.accountMissing)
            }
            guard let token = try cache.idToken(of: snapshot.homeAccountID) else { return nil }
            return MSALStoredIDToken(
                idToken: token.reveal(),
                verdicts: idTokenJudge(for: snapshot).verdicts(on: token).map(MSALIDTokenVerdict.init))
        }
    }

    /// Checks an ID token of an account again. Not in MSAL for iOS and macOS.
    ///
    /// Fetches the authority's metadata and keys if they aren't cached, for example because the authority forbids it
    /// (`Cache-Control: no-store`).
    public nonisolated(nonsending) func verdicts(
        onIDToken idToken: String, of account: MSALAccount
    ) async throws -> [MSALIDTokenVerdict] {
        let snapshot = AccountReference(account)
        return try await Self.runBlocking { [self] in
            guard let snapshot else { throw AuthenticationFailure.caller(.accountMissing) }
            let judge = idTokenJudge(for: snapshot)
            var documents = judge.documents
            if documents?.keys == nil {
                let authority = try await resolver.resolve(settings.authority.forAccount(snapshot))
                documents = CachedIDTokenJudge.Documents(
                    configuration: authority.configuration,
                    keys: try await resolver.published(at: resolver.keyAddress(of: authority)).value)
            }
            return documents.map { judge.verdicts(on: Secret(idToken), with: $0) }?.map(MSALIDTokenVerdict.init) ?? []
        }
    }

    private func idTokenJudge(for account: AccountReference) -> CachedIDTokenJudge {
        let authority = settings.authority.forAccount(account)
        return CachedIDTokenJudge(
            metadata: metadata, authorities: [authority, settings.authority],
            environments: resolver.cachedEnvironments(of: authority),
            clientID: settings.clientID, time: dependencies.time)
    }

    /// Whether an account belongs to the application's authority. Not in MSAL for iOS and macOS.
    ///
    /// A shared cache can contain accounts of other authorities. Compares host aliases and, at an OpenID provider, the
    /// issuer. Uses cached documents; sends no request. `false` if the cache is unreadable, which the next request reports.
    public func isOfAuthority(_ account: MSALAccount) -> Bool {
        let isOwn = try? resolver.recognition(of: settings.authority)(account.environment, account.identifier) {
            try cache.authorities(of: account.identifier ?? "")
        }
        return isOwn ?? false
    }

    /// The URLs of the authorities where an account has signed in; for an OpenID provider with cached metadata, its issuer.
    /// Sends no request. Not in MSAL for iOS and macOS.
    public func authorities(of account: MSALAccount) throws -> [URL] {
        try Self.translatingErrors { try authorities(of: account.identifier ?? "") }
    }

    /// The URLs of the authorities where these accounts have signed in, by identifier, as for one account. Sends no
    /// request. Not in MSAL for iOS and macOS.
    ///
    /// Reads the list of accounts instead of each account, and each authority's metadata once.
    public func authorities(of accounts: [MSALAccount]) throws -> [String: [URL]] {
        try Self.translatingErrors {
            let listed = try listing().authoritiesByAccount
            var issuers: [String: URL?] = [:]
            var found: [String: [URL]] = Dictionary(minimumCapacity: accounts.count)
            // Most accounts have the same authorities as the one before.
            var last: (texts: [String], urls: [URL]) = ([], [])
            for identifier in accounts.lazy.compactMap(\.identifier) {
                let texts = try listed[identifier] ?? cache.authorities(of: identifier)
                if texts != last.texts {
                    let urls = texts.compactMap { text in
                        if let known = issuers[text] { return known }
                        let url = URL(string: text).map(issuer)
                        issuers[text] = .some(url)
                        return url
                    }
                    last = (texts, urls)
                }
                found[identifier] = last.urls
            }
            return found
        }
    }

    private func authorities(of homeAccountID: String) throws(CredentialStoreFailure) -> [URL] {
        try cache.authorities(of: homeAccountID).compactMap { URL(string: $0) }.map(issuer)
    }

    /// The issuer as spelled in cached metadata. It can end with a slash, which the cache omits.
    private func issuer(_ url: URL) -> URL {
        let issuer = resolver.cachedIssuer(at: url)
        return issuer == url.absoluteString + "/" ? URL(string: issuer ?? "") ?? url : url
    }

    /// The authorities of those accounts that don't belong to the application's authority, by identifier. Not in MSAL for
    /// iOS and macOS.
    ///
    /// A shared cache can contain accounts of several issuers, also at the same host. Sends no request.
    public func otherAuthorities(of accounts: [MSALAccount]) throws -> [String: URL] {
        try Self.translatingErrors {
            let isOwn = resolver.recognition(of: settings.authority)
            var listed: [String: [String]]?
            func places(_ identifier: String) throws -> [String] {
                let all = try listed ?? listing().authoritiesByAccount
                listed = all
                return try all[identifier] ?? cache.authorities(of: identifier)
            }
            var issuers: [String: URL] = [:]
            var others: [String: URL] = [:]
            for account in accounts {
                guard let identifier = account.identifier,
                    try !isOwn(account.environment, identifier, { try places(identifier) })
                else { continue }
                let host = URL(string: "https://\(account.environment)")
                if let issuer = ResolvedAuthority.fingerprint(in: identifier) {
                    // One look-up per issuer, because a cache can have thousands of accounts.
                    if issuers[issuer] == nil { issuers[issuer] = try authorities(of: identifier).first ?? host }
                    others[identifier] = issuers[issuer]
                } else if !settings.authority.speaksEntra {
                    others[identifier] = try places(identifier).first.flatMap { URL(string: $0) } ?? host
                } else {
                    others[identifier] = host
                }
            }
            return others
        }
    }

    /// Returns the number of accounts of each other client ID that can get tokens from the cache, by client ID. Sends no
    /// request. Not in MSAL for iOS and macOS.
    public func accountsOfOtherClients() throws -> [String: Int] {
        try Self.translatingErrors { try cache.accountsOfOtherClients() }
    }

    /// Removes the data that remains after accounts have signed out. Not in MSAL for iOS and macOS.
    ///
    /// Keeps the accounts that are signed in. Removes records that name signed-out accounts, and tokens of unlisted
    /// accounts. Also removes the damaged records and files of all applications that were set aside. Keeps the sign-out
    /// records of accounts that another application uses. Sends no request.
    ///
    /// Sign out of the accounts first: this method informs neither a broker nor external account providers.
    @discardableResult
    public func removeRemains() throws -> MSALRemovedRemains {
        try Self.translatingErrors {
            let accounts = try cache.removeRemains()
            let deleted = try dependencies.credentials.deleteSetAside()
            log().info("Removed the remains of \(accounts) accounts and \(deleted.records) damaged entries")
            return MSALRemovedRemains(accounts: accounts, damagedRecords: deleted.records, setAsideFiles: deleted.files)
        }
    }

    func findAccount(username: String) throws -> MSALAccount {
        do {
            return try first(of: MSALAccountEnumerationParameters(identifier: nil, username: username), named: username)
        } catch {
            guard let legacy = try legacyAccount(username) else { throw error }
            return legacy
        }
    }

    /// Only an account that the MSAL cache doesn't know: an old token would bring back a signed-out account.
    private func legacyAccount(_ username: String) throws -> MSALAccount? {
        let account = AccountReference(homeAccountID: "", username: username)
        let legacy = LegacyTokens(caches: adalCaches, clientID: settings.clientID)
        guard !username.isEmpty, let token = legacy.tokens(of: account).first else { return nil }
        let known = try Self.translatingErrors { try cache.accounts(username: username, onlySignedIn: false) }
        guard known.isEmpty else { return nil }
        return MSALAccount(
            username: token.username, homeAccountId: token.clientInfo.map { MSALAccountId($0.homeAccountID) },
            environment: token.environment, tenantProfiles: nil, claims: nil)
    }

    func findAccounts(_ parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try Self.translatingErrors {
            let filter = AccountFilter(parameters)
            let cached = try cachedAccounts(parameters, filter)
            guard !externalAccounts.isEmpty else { return cached }
            return MSALAccount.merged(cached + (try external(parameters).filter(filter.matches)))
        }
    }

    /// The resource's accounts, or those of no resource: a resource's tokens must not go elsewhere.
    private var isOfResource: (_ identifier: String) -> Bool {
        guard let mark = settings.resource?.mark else { return { !MSALProtectedResource.owns($0) } }
        return { $0.contains(mark) }
    }

    private func cachedAccounts(
        _ parameters: MSALAccountEnumerationParameters, _ filter: AccountFilter
    ) throws -> [MSALAccount] {
        guard !filter.namesAccount else {
            let isOfResource = isOfResource
            return try namedAccounts(parameters).filter { isOfResource($0.homeAccountID) && filter.matches($0) }
                .map { MSALAccount($0, includesProfiles: true) }
        }
        let listing = try listing()
        let accounts = parameters.returnOnlySignedInAccounts ? listing.signedIn : listing.all
        return filter.isOpen ? accounts : accounts.filter(filter.matches)
    }

    /// The list of all accounts; with a name, at least of those that mention it.
    private func listing(mentioning name: String? = nil) throws -> AccountListing {
        let remembered = dependencies.credentials.stamp().flatMap(rememberedAccounts.last)
        if let remembered, remembered.name == nil || remembered.name == name { return remembered.listing }
        // Whoever asks for a second name will ask for more.
        let wanted = remembered == nil ? name : nil
        let (listing, stamp) = try cache.listing(mentioning: wanted, includes: isOfResource)
        if let stamp { rememberedAccounts.remember(listing, mentioning: wanted, stamp: stamp) }
        return listing
    }

    /// The accounts that can match. Finds a named account without reading the tokens of the others.
    private func namedAccounts(_ parameters: MSALAccountEnumerationParameters) throws -> [CachedAccount] {
        let onlySignedIn = parameters.returnOnlySignedInAccounts
        guard let identifier = parameters.identifier else {
            return try parameters.username.map {
                CachedAccounts.named($0, among: try listing(mentioning: $0).accounts, onlySignedIn: onlySignedIn)
            } ?? []
        }
        let spelledSo = try cache.accounts([identifier], onlySignedIn: onlySignedIn)
        if !spelledSo.isEmpty { return spelledSo }
        let otherwise = try listing(mentioning: identifier).accounts.map(\.homeAccountID).filter {
            $0.lowercased() == identifier.lowercased()
        }
        return try cache.accounts(Set(otherwise), onlySignedIn: onlySignedIn)
    }

    /// Copies the parameters, because the caller may change them after the call.
    func deviceAccountsCall(_ parameters: MSALAccountEnumerationParameters) -> @Sendable () -> Work<[MSALAccount]> {
        let correlationID = dependencies.random.uuid()
        let broker = BrokerFlow(context: context(parameters, correlationID))
        let copy = parameters.copying
        return { [self] in deviceAccounts(copy(), broker, correlationID) }
    }

    /// The accounts of the cache and the broker. Finishes at once without a broker.
    private func deviceAccounts(
        _ parameters: MSALAccountEnumerationParameters, _ broker: BrokerFlow, _ correlationID: UUID
    ) -> Work<[MSALAccount]> {
        let filter = AccountFilter(parameters)
        let onlySignedIn = parameters.returnOnlySignedInAccounts
        let cached = Result { try findAccounts(parameters) }
        guard broker.isThereForAccounts() else { return .finished(cached) }
        return .call { [self] in
            do {
                let brokered = try await broker.accounts(correlationID) ?? []
                guard !brokered.isEmpty else { return try cached.get() }
                let signedOut = onlySignedIn ? try listing().signedOut : []
                let added = brokered.filter { !signedOut.contains($0.homeAccountID) }.map(\.cached)
                    .filter(filter.matches)
                    .map { MSALAccount($0, includesProfiles: true, isSSOAccount: true) }
                return MSALAccount.merged(try cached.get() + added)
            } catch { throw MSALAuthenticationError(translating: error, correlationID: correlationID) }
        }
    }

    /// Removes an account locally (docs/upstream-behaviour.md §4.9).
    func forget(_ account: MSALAccount, wipesAccount: Bool) throws {
        guard let identifier = account.identifier, !identifier.isEmpty else {
            throw AuthenticationFailure.caller(.accountMissing)
        }
        let agreements = TokenAgreements(documents: OwnDocuments(dependencies))
        try agreements.forget(account: identifier, clientID: wipesAccount ? nil : settings.clientID)
        if wipesAccount {
            try cache.wipe(homeAccountID: identifier)
        } else {
            try cache.remove(homeAccountID: identifier)
        }
        log().info("Removed \(name: account.username) (\(id: identifier)), from every client: \(wipesAccount)")
        guard let failure = externalAccounts.remove(account, wipeAccount: wipesAccount).first else { return }
        throw AuthenticationFailure.machine(.externalAccounts(failure as NSError))
    }

    /// Reports a token response to the external account providers. An error of a provider doesn't affect the token.
    func tellExternalAccounts(_ outcome: TokenOutcome) {
        guard outcome.grant != nil, !externalAccounts.isEmpty else { return }
        let failures = externalAccounts.update(
            MSALAccount(outcome.account, includesProfiles: true),
            idTokenClaims: (outcome.claims?.all ?? [:]).mapValues(\.foundationObject))
        for failure in failures { log().warning("An external account store rejected an update: \(error: failure)") }
    }

    private func external(_ parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        guard !externalAccounts.isEmpty else { return [] }
        let (found, failures) = externalAccounts.accounts(matching: parameters)
        for failure in failures { log().warning("An external account store failed: \(error: failure)") }
        guard parameters.returnOnlySignedInAccounts else { return found }
        let signedOut = try listing().signedOut
        return found.filter { account in account.identifier.map { !signedOut.contains($0) } ?? true }
    }

    /// The protection of the token cache at rest. Opens the cache; sends no request. Not in MSAL for iOS and macOS.
    public var cacheProtection: MSALCacheProtection {
        get throws { try Self.translatingErrors { try dependencies.credentials.protection() } }
    }

    var cache: TokenCache { TokenCache(store: dependencies.credentials, clientID: settings.clientID) }

    func first(of parameters: MSALAccountEnumerationParameters, named name: String) throws -> MSALAccount {
        guard !name.isEmpty else {
            throw MSALAuthenticationError(.invalid("The username or account identifier is empty."))
        }
        guard let account = try findAccounts(parameters).first else {
            throw MSALAuthenticationError(.caller(.accountNotFound(name)))
        }
        return account
    }
}

extension MSALAccountEnumerationParameters {
    /// A closure that creates a copy of the parameters, because the object itself isn't `Sendable`.
    fileprivate var copying: @Sendable () -> MSALAccountEnumerationParameters {
        let (identifier, username, tenantProfile) = (identifier, username, tenantProfileIdentifier)
        let onlySignedIn = returnOnlySignedInAccounts
        return {
            let copy = MSALAccountEnumerationParameters(identifier, tenantProfile, username)
            copy.returnOnlySignedInAccounts = onlySignedIn
            return copy
        }
    }
}

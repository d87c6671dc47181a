import Foundation
import OAuthCore

/// Import and export of other libraries' token caches. Not in MSAL for iOS and macOS.
extension MSALPublicClientApplication {
    /// Imports a cache in the unified schema, which MSAL for Python, .NET, Go, Java and Node share. Accepts JSON or
    /// base64.
    ///
    /// Imports the tokens of all clients in one transaction. Existing entries stay unless the imported ones are known
    /// to be newer.
    ///
    /// Throws when the data isn't such a cache.
    public func importUnifiedCache(_ data: Data) throws -> MSALCacheTransferReport {
        try Self.translatingErrors {
            let document = try Self.unifiedDocument(data)
            let records = document.records
            let now = dependencies.time.now()
            var accounts: [MSALCacheTransferReport.Account] = []
            try dependencies.credentials.update(matching: CredentialQuery()) { existing in
                let transfer = UnifiedImport(records, into: existing, at: now)
                accounts = transfer.accounts
                return transfer.changes
            }
            return MSALCacheTransferReport(accounts: accounts, unusedEntries: document.unusedEntries)
        }
    }

    /// Returns the whole cache in the unified schema, as JSON. Secret: it contains every token unencrypted.
    public func exportUnifiedCache() throws -> Data {
        try Self.translatingErrors {
            var document = UnifiedDocument()
            document.apply(try dependencies.credentials.records(matching: CredentialQuery()).map { .save($0) })
            return Data(document.bytes)
        }
    }

    /// Imports the accounts of an ADAL cache that have a refresh token of this client.
    ///
    /// Redeems each refresh token for its resource and saves the response. Doesn't change the ADAL cache. Throws when
    /// the data isn't such a cache; the report has the outcome of each account.
    public nonisolated(nonsending) func importADALCache(_ data: Data) async throws -> MSALCacheTransferReport {
        let content: ADALCache
        do { content = try ADALCache(parsing: [UInt8](data)) } catch {
            throw MSALAuthenticationError(.caller(.notACache(error.explanation)))
        }
        let client = settings.clientID.lowercased()
        let own = content.tokens.filter { $0.clientID.lowercased() == client }
        var seen: Set<String> = []
        var accounts: [MSALCacheTransferReport.Account] = []
        for token in own where seen.insert((token.username ?? token.objectID ?? "").lowercased()).inserted {
            accounts.append(await bringOver(token, from: [UInt8](data)))
        }
        return MSALCacheTransferReport(
            accounts: accounts, unusedEntries: content.tokens.count - own.count + content.skipped)
    }

    private nonisolated(nonsending) func bringOver(
        _ token: ADALToken, from cache: [UInt8]
    ) async -> MSALCacheTransferReport.Account {
        func report(
            _ outcome: MSALCacheTransferReport.Outcome, _ detail: String, _ account: MSALAccount? = nil
        ) -> MSALCacheTransferReport.Account {
            MSALCacheTransferReport.Account(
                identifier: account?.identifier ?? token.clientInfo?.homeAccountID,
                username: account?.username ?? token.username, environment: account?.environment ?? token.environment,
                outcome: outcome, detail: detail)
        }
        do {
            let byName = MSALAccountEnumerationParameters(identifier: nil, username: token.username ?? "")
            if token.username != nil, let known = try accounts(for: byName).first {
                return report(.alreadyCached, "signed in already", known)
            }
            let parameters = MSALSilentTokenParameters(
                scopes: token.scopes.names,
                account: MSALAccount(
                    username: token.username, homeAccountId: token.clientInfo.map { MSALAccountId($0.homeAccountID) },
                    environment: token.environment, tenantProfiles: nil, claims: nil))
            let result = try await acquireTokenSilent(with: parameters, adalCaches: { [cache] })
            return report(.imported, "a token for \(token.resource ?? "the application")", result.account)
        } catch { return report(MSALCacheTransferReport.Outcome(error as NSError), error.localizedDescription) }
    }

    private static func unifiedDocument(_ data: Data) throws -> UnifiedDocument {
        let document: UnifiedDocument
        do { document = try UnifiedPayload(parsing: [UInt8](data)).document } catch {
            guard (try? ADALCache(parsing: [UInt8](data))) == nil else {
                throw AuthenticationFailure.caller(.notACache("This is an ADAL token cache."))
            }
            throw AuthenticationFailure.caller(.notACache("This is not a token cache: \(error.explanation)."))
        }
        guard !document.isForeign else {
            throw AuthenticationFailure.caller(.notACache("This is not a token cache: it has no accounts or tokens."))
        }
        return document
    }
}

extension ADALCache.Malformed {
    fileprivate var explanation: String {
        switch self {
        case .unified: "This is an MSAL token cache in the unified schema."
        case .unreadable: "This is not an ADAL token cache: neither a list of tokens nor an ADAL .NET file."
        case .version(let version): "This is an ADAL token cache in version \(version). Only version 3 is supported."
        }
    }
}

extension MSALCacheTransferReport.Outcome {
    fileprivate init(_ error: NSError) {
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        switch (error.code, underlying?.domain) {
        case (MSALError.interactionRequired.rawValue, _): self = .interactionRequired
        case (_, NSURLErrorDomain): self = .unreachable
        default: self = .failed
        }
    }
}

import Foundation
import MSAL
import OAuthCore

extension FuzzTarget {
    /// A cache shared with other programs: unchanged entries keep their bytes, and saved entries are found again.
    static let unifiedCache = FuzzTarget("unified-cache") { bytes in
        let payload: UnifiedPayload
        do throws(UnifiedDocument.Malformed) {
            payload = try UnifiedPayload(parsing: bytes)
        } catch {
            try requirePlain(error.explanation, "the reason against the cache")
            return .rejected
        }
        let written = payload.bytes
        let again = try unwrap(try? UnifiedPayload(parsing: written), "what was written cannot be read")
        try requireEqual(again.bytes, written, "the cache written twice")
        try requireEqual(again.document.records, payload.document.records, "the records of the cache written again")
        try requireEqual(again.document.unusedEntries, payload.document.unusedEntries, "the unknown entries")
        try checkChanges(of: payload)
        return .accepted
    }

    private static func checkChanges(of payload: UnifiedPayload) throws {
        var copy = payload
        for record in payload.document.records.prefix(8) {
            copy.document.apply([.save(record)])
            let found = try? UnifiedPayload(parsing: copy.bytes).document.records.contains { $0.key == record.key }
            try requireEqual(found, true, "a saved record is there")
            copy.document.apply([.delete(record.key)])
            let rest = try unwrap(try? UnifiedPayload(parsing: copy.bytes), "the cache is JSON after a removal")
            try require(rest.document.records.count <= payload.document.records.count, "a removal adds records")
        }
    }

    /// The store's encrypted account digests: decoding and encoding returns the same bytes.
    static let accountDigest = FuzzTarget("account-digest") { bytes in
        let form = CachedAccount.digestForm(client: "client")
        guard let values = try? JSONValue(parsing: bytes).array else { return .rejected }
        let digests = values.compactMap { form.decode(Array($0.serialized.utf8)) }
        guard digests.count == values.count else { return .rejected }
        try requireEqual(digests.map { form.decode(form.encode($0)) }, digests, "the decoded digests")
        return .accepted
    }

    /// Both formats of ADAL's cache, read only.
    static let adalCache = FuzzTarget("adal-cache") { bytes in
        guard let cache = try? ADALCache(parsing: bytes) else { return .rejected }
        for token in cache.tokens {
            try require(!token.refreshToken.isEmpty && !token.clientID.isEmpty, "a token without a client")
            try require(token.username ?? token.objectID != nil, "a token without a user")
            try require(!token.environment.contains("/"), "the environment is a host")
            let others = [token.authority, token.resource, token.clientID, token.username, token.objectID]
            let shown = others.compactMap(\.self).reduce("\(token)") { $0.replacingOccurrences(of: $1, with: "") }
            try requireHidden([token.refreshToken.reveal()], in: shown, "the printed token")
        }
        return .accepted
    }

    /// An `Info.plist`, XML or binary: written again as XML it has the same content.
    static let propertyList = FuzzTarget("property-list") { bytes in
        let registration: AppRegistration
        do throws(AppRegistration.Malformed) {
            registration = try AppRegistration(infoPlist: bytes)
        } catch {
            try requirePlain(error.reason, "the reason against the file")
            return .rejected
        }
        try require(!registration.bundleIdentifier.isEmpty, "an application without an identifier")
        var keys: [String: Any] = ["CFBundleIdentifier": registration.bundleIdentifier]
        keys["CFBundleDisplayName"] = registration.displayName
        keys["CFBundleShortVersionString"] = registration.version
        keys["CFBundleURLTypes"] = [["CFBundleURLSchemes": registration.urlSchemes]]
        keys["LSApplicationQueriesSchemes"] = registration.querySchemes
        // XML cannot express most control characters.
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml]
        where format == .binary || !"\(keys)".hasControlCharacter {
            let written = try? PropertyListSerialization.data(fromPropertyList: keys, format: format, options: 0)
            let again = try? AppRegistration(infoPlist: Array(written ?? Data()))
            try requireEqual(again, registration, "the list written again")
        }
        return .accepted
    }

    /// The identity broker's responses over D-Bus, as each of its methods reads them.
    static let broker = FuzzTarget("broker") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let answer = try? BrokerResponse(parsing: Secret(text)) else { return .rejected }
        let tokens: BrokerTokens
        if let accounts = try? answer.accounts() {
            for account in accounts.known {
                let parts = [account.homeAccountID, account.localAccountID, account.realm, account.environment]
                try require(
                    !parts.compactMap(\.self).contains(where: \.hasControlCharacter), "a control character in a key")
                try requireEqual(BrokerAccount(account.json), account, "the account sent back")
            }
        }
        do {
            tokens = try BrokerTokens(answer)
        } catch let rejection as BrokerRejection {
            try checkWords(of: .machine(.broker(rejection)), hiding: [])
            return .accepted
        } catch TokenResponseFailure.malformed(let fact) {
            try checkWords(of: .machine(.brokerResponseMalformed(fact)), hiding: [])
            return .accepted
        }
        let response = TokenResponse(
            tokens, clientInfo: ClientInfo(uid: "u", utid: "t"), at: Date(timeIntervalSince1970: 1_700_000_000))
        try require((0...TokenResponse.maximumLifetime).contains(response.expiresIn), "a lifetime of over a century")
        try require(!tokens.accessToken.isEmpty, "an empty token")
        return .accepted
    }
}

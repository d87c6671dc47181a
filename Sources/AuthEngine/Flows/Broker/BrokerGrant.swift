import Foundation
import OAuthCore

/// Tokens of the broker, and whose they are.
struct BrokerGrant {
    var tokens: BrokerTokens
    /// As the answer says, else as it was asked for; `nil` when neither does.
    var account: BrokerAccount?

    init(_ tokens: BrokerTokens, askedFor account: BrokerAccount?) {
        self.tokens = tokens
        self.account = tokens.account ?? account
    }

    /// As if an authority had given them. Throws when nothing says whose they are.
    func response(at now: Date) throws -> TokenResponse {
        guard tokens.idToken != nil || account != nil else {
            throw AuthenticationFailure.machine(.brokerAnswerMalformed(.missing(member: "idToken")))
        }
        guard let clientInfo = tokens.clientInfo ?? account?.identity else {
            throw AuthenticationFailure.machine(.brokerAnswerMalformed(.missing(member: "clientInfo")))
        }
        return TokenResponse(tokens, clientInfo: clientInfo, at: now)
    }
}

extension BrokerAccount {
    /// The home account, also when the broker left `clientInfo` out.
    fileprivate var identity: ClientInfo? {
        if let clientInfo { return clientInfo }
        guard let homeTenant else { return nil }
        return ClientInfo(uid: String(homeAccountID.dropLast(homeTenant.count + 1)), utid: homeTenant)
    }

    private var profile: CachedAccount.Profile {
        let realm = realm ?? homeTenant ?? ""
        return CachedAccount.Profile(
            localAccountID: localAccountID, realm: realm, username: username, isHome: realm == homeTenant,
            authorityType: TokenGrant.Account.entraType, claims: .read(claims))
    }

    /// What an ID token would say.
    private var claims: [String: JSONValue] {
        let all = ["name": name, "given_name": givenName, "family_name": familyName, "preferred_username": username]
        return all.compactMapValues { $0.map(JSONValue.string) }
    }

    /// As a cache would hold it.
    var cached: CachedAccount {
        CachedAccount(
            homeAccountID: homeAccountID, environment: environment, username: username, profiles: [profile])
    }
}

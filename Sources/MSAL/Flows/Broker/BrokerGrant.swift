import Foundation
import OAuthCore

struct BrokerGrant {
    var tokens: BrokerTokens
    /// The account from the response, else from the request, else `nil`.
    var account: BrokerAccount?

    init(_ tokens: BrokerTokens, for account: BrokerAccount?) {
        self.tokens = tokens
        self.account = tokens.account ?? account
    }

    /// The token response of an authority with these tokens. Throws when the account is unknown.
    func response(at now: Date) throws -> TokenResponse {
        guard tokens.idToken != nil || account != nil else {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(.missing(member: "idToken")))
        }
        guard let clientInfo = tokens.clientInfo ?? account?.identity else {
            throw AuthenticationFailure.machine(.brokerResponseMalformed(.missing(member: "clientInfo")))
        }
        return TokenResponse(tokens, clientInfo: clientInfo, at: now)
    }
}

extension BrokerAccount {
    /// The home account, even if the broker omits `clientInfo`.
    fileprivate var identity: ClientInfo? {
        if let clientInfo { return clientInfo }
        guard let homeTenant else { return nil }
        return ClientInfo(uid: String(homeAccountID.dropLast(homeTenant.count + 1)), utid: homeTenant)
    }

    private var profile: CachedAccount.Profile {
        let realm = realm ?? homeTenant ?? ""
        return CachedAccount.Profile(
            localAccountID: localAccountID, realm: realm, username: username, isHome: realm == homeTenant,
            authorityType: CachedAccount.Profile.entraType, claims: .read(claims))
    }

    /// The claims of an equivalent ID token.
    private var claims: [String: JSONValue] {
        let all = ["name": name, "given_name": givenName, "family_name": familyName, "preferred_username": username]
        return all.compactMapValues { $0.map(JSONValue.string) }
    }

    var cached: CachedAccount {
        CachedAccount(
            homeAccountID: homeAccountID, environment: environment, username: username, profiles: [profile])
    }
}

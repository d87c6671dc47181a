import Foundation
import OAuthCore
import Testing

@testable import MSAL

@Suite("Credentials of an account")
struct AccountCredentialsTests {
    private static func refreshToken(_ secret: String, in environment: String, at time: Int) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(.refreshToken, homeAccountID: "u.t", environment: environment, client: "c1"),
            ["secret": .string(secret), "last_modification_time": .string("\(time)")])
    }

    @Test("Of refresh tokens under several aliases of the authority, the newest counts", arguments: [false, true])
    func newest(isReversed: Bool) {
        let records = [
            Self.refreshToken("old", in: "login.windows.net", at: 5),
            Self.refreshToken("new", in: "login.microsoftonline.com", at: 9),
        ]
        let credentials = AccountCredentials(records: isReversed ? records.reversed() : records, client: "c1")
        let found = credentials.refreshTokens(environments: ["login.microsoftonline.com", "login.windows.net"])
        #expect(found.map { $0.secret.reveal() } == ["new"])
    }

    @Test("A refresh token that is also the family's is tried once", arguments: ["own", "family's"])
    func family(secret: String) {
        var shared = Self.refreshToken(secret, in: "login.example", at: 9)
        shared.key.client = "1"
        shared.members["family_id"] = "1"
        let membership = CredentialRecord(
            CredentialKey(.appMetadata, environment: "login.example", client: "c1"), ["family_id": "1"])
        let records = [shared, Self.refreshToken("own", in: "login.example", at: 5), membership]
        let found = AccountCredentials(records: records, client: "c1").refreshTokens(environments: ["login.example"])
        #expect(found.map { $0.secret.reveal() } == (secret == "own" ? ["own"] : ["own", secret]))
    }

    private static func accessToken(_ place: Place) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(
                place.keyID == nil ? .accessToken : .boundAccessToken, homeAccountID: "u.t",
                environment: place.environment, client: place.client, realm: place.realm, target: "read"),
            [
                "secret": "at", "target": "read", "expires_on": "9", "cached_at": "1",
                "kid": place.keyID.map(JSONValue.string), "audience": place.audience.map(JSONValue.string),
            ].compactMapValues(\.self))
    }

    struct Place: Sendable {
        var client = "c1"
        var realm = "t1"
        var environment = "login.example"
        var keyID: String?
        var audience: String?
    }

    @Test(
        "A token of one tenant, client, authority, key or API is never that of another",
        arguments: [
            Place(), Place(client: "c2"), Place(realm: "t2"), Place(environment: "login2.example"),
            Place(keyID: "k"), Place(audience: "https://api.example"),
        ])
    func others(place: Place) {
        let credentials = AccountCredentials(records: [Self.accessToken(place)], client: "c1")
        let isMeant = [place.client, place.realm, place.environment] == ["c1", "t1", "login.example"]
        let found = credentials.accessToken(
            realm: "t1", environments: ["login.example"], scopes: ["read"], impliesEmail: false, keyID: place.keyID,
            audience: place.audience)
        #expect((found != nil) == isMeant)
        let plain = credentials.accessToken(
            realm: "t1", environments: ["login.example"], scopes: ["read"], impliesEmail: false)
        #expect((plain != nil) == (isMeant && place.keyID == nil && place.audience == nil))
    }

    @Test("A sign-out revokes the client's own refresh token, or else its access tokens, and nothing of its family")
    func revoked() {
        var shared = Self.refreshToken("family's", in: "login.example", at: 9)
        shared.key.client = "1"
        shared.members["family_id"] = "1"
        let own = Self.refreshToken("own", in: "login.example", at: 5)
        let access = [Self.accessToken(Place()), Self.accessToken(Place(client: "c2"))]
        func revoked(_ records: [CredentialRecord]) -> [String] {
            AccountCredentials(records: records, client: "c1").tokensToRevoke(environments: ["login.example"])
                .map { $0.secret.reveal() }
        }
        #expect(revoked([shared, own] + access) == ["own"])
        #expect(revoked([shared] + access) == ["at"])
        #expect(revoked([shared]).isEmpty)
    }
}

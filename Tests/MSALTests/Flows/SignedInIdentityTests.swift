import Foundation
import OAuthCore
import Testing

@testable import MSAL

/// Values of an ID token become parts of cache keys, which contain no control characters.
@Suite("The identity of the signed-in user")
struct SignedInIdentityTests {
    private static let origin = "https://login.example"
    private static let good: [String: JSONValue] = ["sub": "s", "oid": "o", "tid": "t", "iss": "https://login.example"]

    private static func identity(
        _ claims: [String: JSONValue]?, isOpenID: Bool, previous: CachedAccount? = nil
    ) throws -> SignedInIdentity {
        let document = """
            {"issuer":"\(origin)","authorization_endpoint":"\(origin)/a","token_endpoint":"\(origin)/t",
             "jwks_uri":"\(origin)/k","response_types_supported":["code"],"subject_types_supported":["public"],
             "id_token_signing_alg_values_supported":["RS256"]}
            """
        let url = try #require(URL(string: "\(origin)/tenant"))
        let authority = ResolvedAuthority(
            authority: isOpenID ? try AuthorityRules.openID(url) : try AuthorityRules.aad(url),
            configuration: try OpenIDConfiguration(parsing: Array(document.utf8)),
            environments: ResolvedAuthority.Environments(own: "login.example"), isCached: false)
        let clientInfo = Data(#"{"uid":"u","utid":"h"}"#.utf8).base64EncodedString()
            .replacing("=", with: "")
        let body = #"{"access_token":"at","token_type":"Bearer","client_info":"\#(clientInfo)"}"#
        let response = try TokenResponse(parsing: HTTPResponse(status: 200, body: Array(body.utf8)))
        return try SignedInIdentity(of: response, claims.map(IDTokenClaims.init), from: authority, previous: previous)
    }

    @Test("Is taken from complete names", arguments: [(false, "u.h"), (true, "s.")])
    func good(isOpenID: Bool, start: String) throws {
        #expect(try Self.identity(Self.good, isOpenID: isOpenID).homeAccountID.hasPrefix(start))
    }

    @Test(
        "Has the username of the first claim that is not blank",
        arguments: [
            (["preferred_username": "ann", "email": "ann@example.test"], "ann"),
            (["preferred_username": "", "email": "ann@example.test"], "ann@example.test"),
            (["preferred_username": " ", "email": ""], "s"), ([:], "s"),
        ] as [([String: JSONValue], String)])
    func username(_ claims: [String: JSONValue], _ username: String) throws {
        for isOpenID in [true, false] {
            let identity = try Self.identity(Self.good.merging(claims) { _, new in new }, isOpenID: isOpenID)
            #expect(identity.profile.username == username)
        }
    }

    @Test("Has no empty object ID or tenant")
    func blankParts() throws {
        let identity = try Self.identity(Self.good.merging(["oid": "", "tid": ""]) { _, new in new }, isOpenID: false)
        #expect(identity.profile.localAccountID == "s" && identity.profile.realm == "h")
    }

    @Test("Without an ID token, has the claims of the previous account", arguments: [true, false])
    func previous(isHome: Bool) throws {
        let profile = CachedAccount.Profile(
            localAccountID: "o", realm: "t", username: "ann", isHome: isHome,
            authorityType: CachedAccount.Profile.entraType, claims: .read(["name": "Ann", "preferred_username": "a@b"]))
        let previous = CachedAccount(
            homeAccountID: "u.h", environment: "login.example", username: "ann", profiles: [profile])
        let identity = try Self.identity(nil, isOpenID: false, previous: previous)
        #expect(identity.homeAccountID == "u.h" && identity.profile == profile)
    }

    static let bad: [(claim: String, isOpenID: Bool)] = [("sub", true), ("oid", false), ("tid", false)]

    @Test(
        "Is rejected when a name contains a control character", arguments: bad,
        ["a\u{0}b", "a\nb", "\u{1B}[2J", "a\u{7F}", "a\u{9B}31m"])
    func controls(_ row: (claim: String, isOpenID: Bool), value: String) throws {
        var claims = Self.good
        claims[row.claim] = .string(value)
        #expect(
            throws: AuthenticationFailure.authority(
                .malformedResponse(.controlCharacter(member: "id_token")))
        ) {
            try Self.identity(claims, isOpenID: row.isOpenID)
        }
    }
}

import Diagnosis
import Foundation
import JSON
import Testing

@Suite("Claim dictionary")
struct ClaimDictionaryTests {
    private static let standard = [
        // RFC 7519 §4.1.
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti",
        // OpenID Connect Core §2, §3.1.3.6, §3.3.2.11, §5.1, §5.6.2, §7.4.
        "auth_time", "nonce", "acr", "amr", "azp", "at_hash", "c_hash", "sub_jwk", "_claim_names", "_claim_sources",
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
        "phone_number_verified", "address", "updated_at",
        // RFC 9068, RFC 8693, RFC 7800, RFC 9396.
        "client_id", "scope", "roles", "groups", "entitlements", "act", "may_act", "cnf", "authorization_details",
        // Microsoft's ID and access tokens.
        "acct", "aio", "appid", "appidacr", "azpacr", "ctry", "deviceid", "hasgroups", "idp", "idtyp", "in_corp",
        "ipaddr",
        "login_hint", "oid", "onprem_sid", "puid", "pwd_exp", "pwd_url", "rh", "scp", "sid", "tenant_ctry",
        "tenant_region_scope", "tfp", "tid", "unique_name", "upn", "uti", "ver", "verified_primary_email", "wids",
        "xms_cc",
        "xms_edov", "xms_mirid", "xms_pdl", "xms_tcdt", "acrs", "emails", "newUser",
    ]

    @Test("Has every standard claim", arguments: standard)
    func known(name: String) {
        #expect(ClaimDictionary.bundled.entry(forClaim: name) != nil)
    }

    @Test("Meanings are one plain sentence", arguments: ClaimDictionary.bundled.names)
    func sentences(name: String) throws {
        let entry = try #require(ClaimDictionary.bundled.entry(forClaim: name))
        #expect(entry.meaning.last == ".")
        #expect(entry.meaning.first?.isUppercase == true)
        #expect(entry.meaning.count < 130)
        #expect(!entry.source.isEmpty)
    }

    @Test func claimFamiliesAreFoundByPrefix() {
        #expect(ClaimDictionary.bundled.entry(forClaim: "extension_costCentre")?.meaning.contains("directory") == true)
        #expect(ClaimDictionary.bundled.entry(forClaim: "https://contoso.example/x") != nil)
        #expect(ClaimDictionary.bundled.entry(forClaim: "wholly_unknown") == nil)
    }

    @Test func theHeaderHasItsOwnMeanings() throws {
        let claim = try #require(ClaimDictionary.bundled.entry(forClaim: "nonce"))
        let header = try #require(ClaimDictionary.bundled.entry(forHeader: "nonce"))
        #expect(claim != header)
        for name in ["alg", "kid", "typ", "x5t", "x5t#S256", "x5c", "crit"] {
            #expect(ClaimDictionary.bundled.entry(forHeader: name) != nil)
        }
    }

    @Test func anInvalidFileIsRejected() {
        #expect(throws: (any Error).self) { try ClaimDictionary(["a": 1]) }
    }
}

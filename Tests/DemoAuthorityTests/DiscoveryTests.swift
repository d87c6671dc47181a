import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Discovery")
struct DiscoveryTests {
    @Test(
        "Each tenant's document names its issuer",
        arguments: [
            ("common", "{tenantid}"), ("organizations", "{tenantid}"), ("consumers", Tenant.personalAccountsID),
            ("contoso", Bench.contoso), ("CONTOSO.example", Bench.contoso), (Bench.contoso, Bench.contoso),
            ("fabrikam.example", Bench.fabrikam),
        ])
    func issuer(tenant: String, segment: String) throws {
        let bench = try Bench()
        let response = try bench.get("/\(tenant)/v2.0/.well-known/openid-configuration")
        let document = try OpenIDConfiguration(parsing: response.body)
        #expect(document.issuer.text == "http://127.0.0.1:8400/\(segment)/v2.0")
        #expect(document.promisesIssuerInResponse)
        #expect(document.codeChallengeMethods == ["S256"])
        let keys = bench.send(HTTPRequest(.get, try #require(document.jwksURI)))
        #expect(try JWKSet(parsing: keys.body).keys.count == 1)
        let end = bench.send(HTTPRequest(.get, try #require(document.endSessionEndpoint)))
        #expect(end.status == 200)
    }

    @Test("A plain OpenID client finds the document at its configured issuer")
    func plainIssuer() throws {
        let bench = try Bench()
        let issuer = try bench.get("/\(Bench.contoso)/v2.0/.well-known/openid-configuration").json.text("issuer")
        let found = bench.send(
            HTTPRequest(.get, try #require(URL(string: "\(issuer)/.well-known/openid-configuration"))))
        #expect(try found.json.text("issuer") == issuer)
    }

    @Test("An unknown tenant is an error in JSON", arguments: ["nowhere.example", "%00", "..", "%2e%2e"])
    func unknownTenant(tenant: String) throws {
        let response = try Bench().get("/\(tenant)/v2.0/.well-known/openid-configuration")
        #expect([400, 404].contains(response.status))
        if response.status == 400 { #expect(try response.json["error_codes"] == [90002]) }
    }

    @Test(
        "Instance discovery knows the names of this computer",
        arguments: ["127.0.0.1:8400", "localhost:8400", "[::1]:8400"])
    func instance(host: String) throws {
        let response = try Bench().get(
            "/common/discovery/instance",
            ["api-version": "1.1", "authorization_endpoint": "http://\(host)/common/oauth2/v2.0/authorize"])
        let metadata = try #require(try response.json["metadata"]?.array?.first)
        #expect(metadata["preferred_network"] == "127.0.0.1:8400")
        #expect(metadata["aliases"]?.array?.contains(.string(host)) == true)
        #expect(
            try response.json.text("tenant_discovery_endpoint").hasSuffix(
                "/common/v2.0/.well-known/openid-configuration"))
    }

    @Test(
        "Instance discovery rejects other hosts",
        arguments: ["http://login.example/common", "http://127.0.0.1:1/common", "what", "http://"])
    func otherInstance(endpoint: String) throws {
        let response = try Bench().get("/common/discovery/instance", ["authorization_endpoint": endpoint])
        #expect(response.status == 400)
        #expect(try response.json["error"] == "invalid_instance")
    }

    @Test("The key's identifier is its thumbprint (RFC 7638)")
    func thumbprint() throws {
        let key = try #require(try JWKSet(parsing: Bench().get("/common/discovery/v2.0/keys").body).keys.first)
        #expect(key.keyID == key.publicKey.thumbprint)
        #expect(key.algorithm == "RS256" && key.issuer == "http://127.0.0.1:8400/{tenantid}/v2.0")
    }
}

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

    @Test("The key's identifier is its thumbprint (RFC 7638 §3.1)")
    func thumbprint() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWK"
            + "RXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMic"
            + "AtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3"
            + "XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let members: [String: JSONValue] = ["kty": "RSA", "e": "AQAB", "n": .string(modulus)]
        #expect(SigningKey.thumbprint(ofRequiredMembers: members) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}

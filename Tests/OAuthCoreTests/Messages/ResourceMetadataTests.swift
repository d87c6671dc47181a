import Foundation
import OAuthCore
import Testing

/// Resource metadata (RFC 9728) and client registration (RFC 7591).
@Suite("Resource metadata") struct ResourceMetadataTests {
    private func metadata(_ json: String) throws -> ResourceMetadata { try ResourceMetadata(parsing: Array(json.utf8)) }

    @Test(
        "The well-known places, with the path inserted",
        arguments: [
            (
                "https://h.example/a/mcp",
                [
                    "https://h.example/.well-known/oauth-protected-resource/a/mcp",
                    "https://h.example/.well-known/oauth-protected-resource",
                ]
            ),
            ("https://h.example", ["https://h.example/.well-known/oauth-protected-resource"]),
            ("https://h.example/", ["https://h.example/.well-known/oauth-protected-resource"]),
            (
                "https://h.example:8443/a?b=c",
                [
                    "https://h.example:8443/.well-known/oauth-protected-resource/a?b=c",
                    "https://h.example:8443/.well-known/oauth-protected-resource",
                ]
            ),
        ])
    func places(_ resource: String, _ places: [String]) throws {
        let url = try #require(URL(string: resource))
        #expect(ResourceMetadata.places(of: url, announced: []).map(\.url.absoluteString) == places)
        let announced = try #require(URL(string: "https://h.example/meta"))
        let all = ResourceMetadata.places(of: url, announced: [announced])
        #expect(all.first?.isAnnounced == true && all.dropFirst().allSatisfy { !$0.isAnnounced })
    }

    @Test(
        "The metadata's resource must be the requested one",
        arguments: [
            ("https://h.example/mcp", "https://h.example/mcp", .exact),
            ("https://h.example/", "https://h.example", .exact), ("https://h.example", "https://h.example/", .exact),
            ("https://h.example/mcp/", "https://h.example/mcp", .exact),
            ("https://h.example/mcp", "https://h.example/mcp/", .exact),
            ("https://h.example/mcp", "https://h.example/mcp?x=1", .exact),
            ("https://h.example/mcp?x=1", "https://h.example/mcp?x=1", .exact),
            ("https://h.example/mcp?x=1", "https://h.example/mcp?x=2", .other),
            ("HTTPS://H.Example/mcp", "https://h.example/mcp", .exact),
            ("https://h.example/MCP", "https://h.example/mcp", .other),
            ("https://h.example", "https://h.example/mcp", .parent),
            ("https://h.example/api", "https://h.example/api/v1", .parent),
            ("https://h.example/api", "https://h.example/api123", .other),
            ("https://h.example/api/v1", "https://h.example/api", .other),
            ("https://h.example/api?x", "https://h.example/api/v1", .other),
            ("https://elsewhere.example/mcp", "https://h.example/mcp", .other),
            ("http://h.example/mcp", "https://h.example/mcp", .other),
            ("https://h.example:444", "https://h.example/mcp", .other),
            ("https://h.example/mcp#a", "https://h.example/mcp", .other),
            ("https://h.example:443/mcp", "https://h.example/mcp", .exact),
            ("https://u@h.example/mcp", "https://h.example/mcp", .other),
            ("https://u:p@h.example", "https://h.example/mcp", .other),
            ("https://h.example//mcp", "https://h.example/mcp", .other),
            ("https://h.example/mcp//", "https://h.example/mcp", .other),
            ("https://h.example//mcp", "https://h.example//mcp", .exact),
            ("https://h.example//", "https://h.example/mcp", .other),
            ("https://h.example/a/../mcp", "https://h.example/mcp", .other),
            ("https://h.example/./mcp", "https://h.example/mcp", .other),
            ("https://h.example/a/%2E%2e/mcp", "https://h.example/mcp", .other),
            ("https://h.example/api", "https://h.example/api/../mcp", .other),
            ("https://h.example/api", "https://h.example/api/%2e%2E/mcp", .other),
            ("https://h.example/api", "https://h.example/api/..%2Fmcp", .other),
            ("https://h.example/api", "https://h.example/api/..%5cmcp", .other),
            ("https://h.example/a%2fb", "https://h.example/a/b", .other),
            ("https://h.example/a%2fb", "https://h.example/a%2Fb", .exact),
            ("https://h.example/%6Dcp", "https://h.example/mcp", .exact),
        ] as [(String, String, ResourceMetadata.Match)])
    func match(_ named: String, _ requested: String, _ match: ResourceMetadata.Match) throws {
        let url = try #require(URL(string: requested))
        #expect(try metadata(#"{"resource":"\#(named)"}"#).match(url) == match)
    }

    @Test(
        "Metadata that this client can't use is named",
        arguments: [
            ("<html>", ResourceMetadata.Malformed.notJSONObject), ("{}", .missing("resource")),
            (#"{"resource":"https://h","bearer_methods_supported":["body"]}"#, .rejectsHeader),
            (#"{"resource":"https://h","dpop_bound_access_tokens_required":true}"#, .requiresDPoP),
            (#"{"resource":"https://h","tls_client_certificate_bound_access_tokens":true}"#, .requiresCertificate),
        ])
    func malformed(_ json: String, _ malformed: ResourceMetadata.Malformed) {
        #expect(throws: malformed) { try metadata(json) }
    }

    @Test(
        "A resource can name only addresses that are safe for it",
        arguments: [
            ("https://id.example/x", "https://h.example", true), ("http://id.example/x", "https://h.example", false),
            ("http://127.0.0.1:8/x", "https://h.example", false), ("https://localhost/x", "https://h.example", false),
            ("https://169.254.169.254/x", "https://h.example", false), ("https://10.0.0.1", "https://h.example", false),
            ("https://192.168.1.1", "https://10.1.1.1", true), ("https://[fe80::1]/", "https://h.example", false),
            ("https://[::ffff:10.0.0.1]/", "https://h.example", false),
            ("https://2130706433/", "https://h.example", false), ("https://0177.0.0.1/", "https://h.example", false),
            ("https://127.0.0.1./", "https://h.example", false), ("https://localhost./", "https://h.example", false),
            ("https://x.localhost/", "https://h.example", false), ("https://%6cocalhost/", "https://h.example", false),
            ("https://[::7f00:1]/", "https://h.example", false), ("https://[64:ff9b::1]/", "https://h.example", false),
            ("https://[2002:7f00:1::]/", "https://h.example", false),
            ("https://[2a00:1450::1]/", "https://h.example", true), ("https://8.8.8.8/", "https://h.example", true),
            ("https://172.32.0.1", "https://h.example", true), ("https://user@id.example", "https://h.example", false),
            ("http://127.0.0.1:8/x", "http://127.0.0.1:9", true), ("http://h.example", "http://127.0.0.1:9", false),
            ("file:///etc/passwd", "https://h.example", false), ("javascript:alert(1)", "http://127.0.0.1", false),
        ])
    func allowed(_ address: String, _ resource: String, _ isAllowed: Bool) throws {
        let url = try #require(URL(string: address))
        #expect(url.isAllowedEndpoint(of: try #require(URL(string: resource))) == isAllowed)
    }

    @Test(
        "The places of an authorization server's metadata",
        arguments: [
            (
                "https://h.example/t1",
                [
                    "https://h.example/.well-known/oauth-authorization-server/t1",
                    "https://h.example/.well-known/openid-configuration/t1",
                    "https://h.example/t1/.well-known/openid-configuration",
                ]
            ),
            (
                "https://h.example",
                [
                    "https://h.example/.well-known/oauth-authorization-server",
                    "https://h.example/.well-known/openid-configuration",
                ]
            ),
        ])
    func serverPlaces(_ issuer: String, _ places: [String]) throws {
        let authority = try AuthorityRules.openID(try #require(URL(string: issuer)))
        #expect(authority.authorizationServerMetadataURLs.map(\.absoluteString) == places)
    }

    private static let redirect = "http://127.0.0.1:20000/callback"

    @Test(
        "The registration of a public client, or why there is none",
        arguments: [
            (201, #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"none"}"#, nil),
            (200, #"{"client_id":"c"}"#, nil), (201, "{}", .noClientID), (201, #"{"client_id":"é"}"#, .noClientID),
            (201, #"{"client_id":"x'; touch a; '"}"#, .noClientID), (201, #"{"client_id":"--all"}"#, .noClientID),
            (201, #"{"client_id":"$(id)"}"#, .noClientID),
            (201, #"{"client_id":"c","client_id":"d"}"#, .repeatedMembers),
            (201, #"{"client_id":"c","jwks":{"keys":[],"keys":[]}}"#, .repeatedMembers), (500, "oops", .status(500)),
            (
                201, #"{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}"#,
                .needsSecret
            ),
            (201, #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"client_secret_basic"}"#, nil),
            (
                201, #"{"client_id":"c","client_secret":"s","token_endpoint_auth_method":"private_key_jwt"}"#,
                .needsOtherAuthentication
            ),
            (201, #"{"client_id":"c","redirect_uris":["https://elsewhere.example"]}"#, .otherRedirectURI),
            (
                400, #"{"error":"invalid_redirect_uri"}"#,
                .rejected(OAuthErrorResponse("invalid_redirect_uri", status: 400))
            ),
        ] as [(Int, String, ClientRegistration.Malformed?)])
    func registration(_ status: Int, _ body: String, _ malformed: ClientRegistration.Malformed?) throws {
        let response = HTTPResponse(status: status, body: Array(body.utf8))
        do throws(ClientRegistration.Malformed) {
            let client = try ClientRegistration(parsing: response, redirectURI: Self.redirect)
            #expect(client.clientID == "c" && malformed == nil && !client.getsIDTokens)
        } catch {
            #expect(error == malformed)
        }
    }

    @Test("A registration asks for a native public client") func request() throws {
        let endpoint = try #require(URL(string: "https://id.example/register"))
        let request = ClientRegistration.request(endpoint, name: "Keyturn", redirectURI: Self.redirect)
        let body = try JSONValue(parsing: request.body)
        #expect(body["application_type"] == "native")
        #expect(body["token_endpoint_auth_method"] == "none")
        #expect(body["redirect_uris"] == [.string(Self.redirect)])
        #expect(request.isSpending)
    }
}

import Foundation
import OAuthCore
import Testing

private func document(_ changes: [String: JSONValue?] = [:]) -> [UInt8] {
    var members: [String: JSONValue] = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize?p=1",
        "token_endpoint": "https://login.example/token", "jwks_uri": "https://id.example/keys",
    ]
    for (name, value) in changes { members[name] = value }
    return Array(JSONValue.object(members).serialized.utf8)
}

@Suite("The OpenID configuration")
struct OpenIDConfigurationTests {
    @Test("Has the endpoints")
    func reads() throws {
        let configuration = try OpenIDConfiguration(
            parsing: document([
                "end_session_endpoint": "https://id.example/out",
                "device_authorization_endpoint": "https://id.example/dev",
                "userinfo_endpoint": "https://id.example/me", "authorization_response_iss_parameter_supported": true,
                "code_challenge_methods_supported": ["plain"], "scopes_supported": ["openid"],
            ]))
        #expect(configuration.issuer == IssuerTemplate("https://id.example"))
        #expect(configuration.authorizationEndpoint.absoluteString == "https://id.example/authorize?p=1")
        #expect(configuration.tokenEndpoint.absoluteString == "https://login.example/token")
        #expect(configuration.jwksURI?.absoluteString == "https://id.example/keys")
        #expect(configuration.endSessionEndpoint?.path() == "/out")
        #expect(configuration.deviceAuthorizationEndpoint?.path() == "/dev")
        #expect(configuration.userInfoEndpoint?.path() == "/me")
        #expect(configuration.promisesIssuerInResponse)
        #expect(configuration.lacksS256)
        #expect(configuration.scopesSupported == ["openid"])
    }

    @Test("Missing members have no default")
    func minimal() throws {
        let configuration = try OpenIDConfiguration(parsing: document())
        #expect(configuration.endSessionEndpoint == nil)
        #expect(!configuration.promisesIssuerInResponse)
        #expect(!configuration.lacksS256)
    }

    /// The issuer, the page and the token endpoint of providers as their metadata names them, and of hostile ones.
    static let recipients: [(issuer: String, page: String, token: String, keepsCodes: Bool)] = [
        (
            "https://accounts.google.com", "https://accounts.google.com/o/oauth2/v2/auth",
            "https://oauth2.googleapis.com/token", true
        ),
        // Auth0 with a domain of the tenant's own, for both and for the endpoints only.
        (
            "https://login.contoso.com/", "https://login.contoso.com/authorize",
            "https://login.contoso.com/oauth/token", true
        ),
        (
            "https://contoso.eu.auth0.com/", "https://id.contoso.com/authorize", "https://id.contoso.com/oauth/token",
            true
        ),
        (
            "https://login.microsoftonline.com/{tenantid}/v2.0",
            "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
            "https://login.microsoftonline.com/common/oauth2/v2.0/token", true
        ),
        (
            "https://sts.windows.net/{tenantid}/", "https://login.microsoftonline.com/common/oauth2/authorize",
            "https://login.microsoftonline.com/common/oauth2/token", true
        ),
        (
            "https://login.microsoftonline.us/t/v2.0", "https://login.microsoftonline.us/t/oauth2/v2.0/authorize",
            "https://login.microsoftonline.us/t/oauth2/v2.0/token", true
        ),
        (
            "https://sts.chinacloudapi.cn/t/", "https://login.partner.microsoftonline.cn/t/oauth2/authorize",
            "https://login.partner.microsoftonline.cn/t/oauth2/token", true
        ),
        (
            "https://contoso.okta.com/oauth2/default", "https://contoso.okta.com/oauth2/default/v1/authorize",
            "https://contoso.okta.com/oauth2/default/v1/token", true
        ),
        // Keycloak with a host name for other servers.
        (
            "https://id.contoso.com/realms/a", "https://id.contoso.com/realms/a/protocol/openid-connect/auth",
            "https://keycloak.internal:8443/realms/a/protocol/openid-connect/token", true
        ),
        ("https://gitlab.com", "https://gitlab.com/oauth/authorize", "https://gitlab.com/oauth/token", true),
        (
            "https://slack.com", "https://slack.com/openid/connect/authorize",
            "https://slack.com/api/openid.connect.token",
            true
        ),
        (
            "https://cf.mcp.atlassian.com", "https://mcp.atlassian.com/v1/authorize",
            "https://cf.mcp.atlassian.com/v1/token", true
        ),
        (
            "https://www.facebook.com", "https://facebook.com/dialog/oauth/", "https://graph.facebook.com/oauth/token",
            true
        ),
        ("https://contoso.com", "https://login.contoso.com/authorize", "https://api.contoso.net/token", true),
        // Neighbours under one name can belong to different owners.
        ("https://a.example.org", "https://b.example.org/authorize", "https://a.example.org/token", false),
        ("https://evil.example", "https://honest.example/authorize", "https://evil.example/token", false),
        ("https://evil.example", "https://honest.example/authorize", "https://evilhonest.example/token", false),
        (
            "https://evil.example", "https://honest.example/authorize", "https://honest.example.evil.example/token",
            false
        ),
        ("https://example", "https://honest.example/authorize", "https://evil.example/token", false),
        ("https://192.0.2.1", "https://10.192.0.2.1/authorize", "https://192.0.2.1/token", false),
        ("http://127.0.0.1:1000", "http://127.0.0.1:2000/authorize", "http://127.0.0.1:1000/token", false),
        ("http://localhost:1000", "http://localhost:2000/authorize", "http://localhost:2000/token", true),
    ]

    @Test("Codes stay with the authority that gives them out", arguments: 0..<recipients.count)
    func keepsCodes(index: Int) throws {
        let row = Self.recipients[index]
        let keys = row.issuer.replacing(IssuerTemplate.placeholder, with: "t")
        let configuration = try OpenIDConfiguration(
            parsing: document([
                "issuer": .string(row.issuer), "authorization_endpoint": .string(row.page),
                "token_endpoint": .string(row.token), "jwks_uri": .string(keys),
            ]))
        #expect(configuration.keepsCodes == row.keepsCodes, "\(row.page)")
    }

    /// Documents whose endpoints have several hosts, and the recipients of another authority's codes or tokens: at the page, and by
    /// a device code.
    static let spread: [(members: [String: String], page: String?, device: String?)] = [
        (
            [
                "issuer": "https://accounts.google.com",
                "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
                "device_authorization_endpoint": "https://oauth2.googleapis.com/device/code",
                "token_endpoint": "https://oauth2.googleapis.com/token",
                "userinfo_endpoint": "https://openidconnect.googleapis.com/v1/userinfo",
                "revocation_endpoint": "https://oauth2.googleapis.com/revoke",
            ], nil, nil
        ),
        (
            [
                "issuer": "https://login.microsoftonline.com/{tenantid}/v2.0",
                "authorization_endpoint": "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
                "device_authorization_endpoint": "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
                "token_endpoint": "https://login.microsoftonline.com/common/oauth2/v2.0/token",
                "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo",
            ], nil, nil
        ),
        (
            [
                "issuer": "https://sts.windows.net/{tenantid}/",
                "authorization_endpoint": "https://login.microsoftonline.com/common/oauth2/authorize",
                "device_authorization_endpoint": "https://login.microsoftonline.com/common/oauth2/devicecode",
                "token_endpoint": "https://login.microsoftonline.com/common/oauth2/token",
                "userinfo_endpoint": "https://login.microsoftonline.com/common/openid/userinfo",
            ], nil, nil
        ),
        (
            [
                "issuer": "https://contoso.eu.auth0.com/",
                "authorization_endpoint": "https://id.contoso.com/authorize",
                "device_authorization_endpoint": "https://id.contoso.com/oauth/device/code",
                "token_endpoint": "https://id.contoso.com/oauth/token",
                "userinfo_endpoint": "https://id.contoso.com/userinfo",
                "revocation_endpoint": "https://id.contoso.com/oauth/revoke",
                "pushed_authorization_request_endpoint": "https://id.contoso.com/oauth/par",
            ], nil, nil
        ),
        (hostile(["userinfo_endpoint": "https://evil.example/u"]), "https://evil.example/u", "https://evil.example/u"),
        (
            hostile(["revocation_endpoint": "https://evil.example/r"]), "https://evil.example/r",
            "https://evil.example/r"
        ),
        (
            hostile(["pushed_authorization_request_endpoint": "https://evil.example/p"]), "https://evil.example/p",
            "https://evil.example/p"
        ),
        (hostile(["device_authorization_endpoint": "https://evil.example/d"]), "https://evil.example/d", nil),
        // Only the device code is the honest one's.
        (
            hostile([
                "authorization_endpoint": "https://evil.example/authorize",
                "userinfo_endpoint": "https://evil.example/u",
            ]), nil, "https://evil.example/u"
        ),
        // A promised issuer rules out another page, but a device code has none.
        (
            hostile([
                "authorization_endpoint": "https://honest.example/device",
                "token_endpoint": "https://evil.example/token",
                "authorization_response_iss_parameter_supported": "true",
            ]), nil, "https://evil.example/token"
        ),
    ]

    private static func hostile(_ others: [String: String]) -> [String: String] {
        [
            "issuer": "https://evil.example", "authorization_endpoint": "https://honest.example/authorize",
            "device_authorization_endpoint": "https://honest.example/device",
            "token_endpoint": "https://honest.example/token",
        ].merging(others) { $1 }
    }

    @Test("Each endpoint that gets codes or tokens belongs to the page", arguments: 0..<spread.count)
    func recipientsOfTokens(index: Int) throws {
        let row = Self.spread[index]
        var members = row.members.mapValues(JSONValue.string)
        members["authorization_response_iss_parameter_supported"] = .bool(
            members["authorization_response_iss_parameter_supported"] != nil)
        members["jwks_uri"] = .string("https://keys.example/keys")
        let configuration = try OpenIDConfiguration(parsing: document(members))
        #expect(configuration.mixUp(at: .page)?.recipient.absoluteString == row.page)
        #expect(configuration.mixUp(at: .device)?.recipient.absoluteString == row.device)
    }

    typealias Malformed = OpenIDConfiguration.Malformed

    static let rows: [(name: String, bytes: [UInt8], failure: Malformed)] = [
        ("nothing", [], .notJSONObject),
        ("a page", Array("\n<html>".utf8), .webPage),
        ("a list", Array("[]".utf8), .notJSONObject),
        ("no issuer", document(["issuer": nil]), .missing(member: "issuer")),
        ("an empty issuer", document(["issuer": ""]), .missing(member: "issuer")),
        ("a numeric issuer", document(["issuer": 1]), .wrongType(member: "issuer")),
        ("an issuer by http", document(["issuer": "http://id.example"]), .unusableAddress(member: "issuer")),
        ("an issuer that is a name", document(["issuer": "id"]), .unusableAddress(member: "issuer")),
        ("no token endpoint", document(["token_endpoint": nil]), .missing(member: "token_endpoint")),
        ("no keys", document(["jwks_uri": nil]), .missing(member: "jwks_uri")),
        (
            "a token endpoint by http", document(["token_endpoint": "http://id.example/token"]),
            .unusableAddress(member: "token_endpoint")
        ),
        (
            "a local token endpoint for an authority elsewhere",
            document(["token_endpoint": "http://127.0.0.1/token"]), .unusableAddress(member: "token_endpoint")
        ),
        (
            "a page that is a script", document(["authorization_endpoint": "javascript:alert(1)"]),
            .unusableAddress(member: "authorization_endpoint")
        ),
        ("a flood", [UInt8](repeating: 0x20, count: (1 << 20) + 1), .tooLarge(limit: 1 << 20)),
    ]

    @Test("An invalid document is rejected", arguments: 0..<rows.count)
    func rejects(index: Int) {
        let row = Self.rows[index]
        #expect(throws: row.failure, "\(row.name)") { try OpenIDConfiguration(parsing: row.bytes) }
    }

    @Test("An invalid optional endpoint counts as absent, and is named")
    func optional() throws {
        let configuration = try OpenIDConfiguration(
            parsing: document([
                "end_session_endpoint": "http://id.example/out", "device_authorization_endpoint": 1,
                "userinfo_endpoint": "https://id.example/me",
            ]))
        #expect(configuration.endSessionEndpoint == nil && configuration.deviceAuthorizationEndpoint == nil)
        #expect(configuration.userInfoEndpoint?.path() == "/me")
        #expect(
            configuration.unusableEndpoints == [
                "end_session_endpoint": .unusableAddress(member: "end_session_endpoint"),
                "device_authorization_endpoint": .wrongType(member: "device_authorization_endpoint"),
            ])
        #expect(try OpenIDConfiguration(parsing: document()).unusableEndpoints.isEmpty)
    }

    @Test("An authority on this computer may use http")
    func loopback() throws {
        let bytes = document([
            "issuer": "http://127.0.0.1:9/{tenantid}/v2.0", "authorization_endpoint": "http://127.0.0.1:9/authorize",
            "token_endpoint": "http://127.0.0.1:9/token", "jwks_uri": "http://127.0.0.1:9/keys",
        ])
        #expect(try OpenIDConfiguration(parsing: bytes).issuer.isTemplated)
    }
}

@Suite("Issuer check")
struct IssuerJudgementTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var authority: String
        var issuer: String
        var aliases: Set<String> = []
        var isOpenID = false
        var isRight: Bool
        var testDescription: String { "\(issuer) for \(authority)" }
    }

    static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    static let other = "31537af4-6d77-4bb9-a681-d2394888ea26"
    static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
    static let microsoft = "https://login.microsoftonline.com"

    static let rows: [Row] = [
        Row(authority: "https://id.example", issuer: "https://id.example", isOpenID: true, isRight: true),
        Row(authority: "https://id.example/a", issuer: "https://id.example/a/", isOpenID: true, isRight: true),
        Row(authority: "https://id.example/a/", issuer: "https://id.example/a", isOpenID: true, isRight: true),
        Row(authority: "https://id.example/a", issuer: "https://id.example/b", isOpenID: true, isRight: false),
        Row(authority: "https://id.example", issuer: "https://evil.example", isOpenID: true, isRight: false),
        Row(authority: "https://id.example", issuer: "https://id.example:8443", isOpenID: true, isRight: false),
        Row(authority: "\(microsoft)/common", issuer: "\(microsoft)/{tenantid}/v2.0", isRight: true),
        Row(authority: "\(microsoft)/organizations", issuer: "\(microsoft)/{tenantid}/v2.0", isRight: true),
        Row(authority: "\(microsoft)/consumers", issuer: "\(microsoft)/\(personal)/v2.0", isRight: true),
        Row(authority: "\(microsoft)/consumers", issuer: "\(microsoft)/\(tenant)/v2.0", isRight: false),
        Row(authority: "\(microsoft)/consumers", issuer: "\(microsoft)/{tenantid}/v2.0", isRight: false),
        Row(authority: "\(microsoft)/\(tenant)", issuer: "\(microsoft)/\(tenant)/v2.0", isRight: true),
        Row(authority: "\(microsoft)/\(tenant)", issuer: "\(microsoft)/\(other)/v2.0", isRight: false),
        Row(authority: "\(microsoft)/\(tenant)", issuer: "\(microsoft)/{tenantid}/v2.0", isRight: false),
        Row(authority: "\(microsoft)/contoso.com", issuer: "\(microsoft)/\(tenant)/v2.0", isRight: true),
        Row(authority: "\(microsoft)/common", issuer: "https://evil.example/{tenantid}/v2.0", isRight: false),
        Row(authority: "https://login.windows.net/common", issuer: "\(microsoft)/{tenantid}/v2.0", isRight: true),
        Row(authority: "\(microsoft)/\(tenant)", issuer: "https://sts.windows.net/\(tenant)/", isRight: true),
        Row(authority: "https://sts.contoso.com/t", issuer: "\(microsoft)/\(tenant)/v2.0", isRight: false),
        Row(
            authority: "https://sts.contoso.com/\(tenant)", issuer: "https://alias.contoso.com/\(tenant)/v2.0",
            aliases: ["alias.contoso.com"], isRight: true),
        Row(authority: "http://127.0.0.1:99/contoso", issuer: "http://127.0.0.1:99/\(tenant)/v2.0", isRight: true),
        Row(authority: "http://127.0.0.1:99/contoso", issuer: "http://127.0.0.1:98/\(tenant)/v2.0", isRight: false),
        Row(
            authority: "https://c.b2clogin.com/tfp/c.onmicrosoft.com/p",
            issuer: "https://c.b2clogin.com/\(tenant)/v2.0/",
            isRight: true),
        Row(
            authority: "https://c.b2clogin.com/tfp/c.onmicrosoft.com/p",
            issuer: "https://d.b2clogin.com/\(tenant)/v2.0/",
            isRight: false),
        Row(
            authority: "https://contoso.ciamlogin.com", issuer: "https://\(tenant).ciamlogin.com/\(tenant)/v2.0",
            isRight: true),
        Row(
            authority: "https://contoso.ciamlogin.com", issuer: "https://\(other).ciamlogin.com/\(tenant)/v2.0",
            isRight: false),
        Row(
            authority: "https://contoso.ciamlogin.com",
            issuer: "https://\(tenant).ciamlogin.com.evil.example/\(tenant)/v2.0",
            isRight: false),
    ]

    @Test("The issuer must be the requested one", arguments: rows)
    func table(row: Row) throws {
        let url = try #require(URL(string: row.authority))
        let authority = row.isOpenID ? try AuthorityRules.openID(url) : try AuthorityRules.classify(url)
        var endpoints: [String: JSONValue?] = ["issuer": .string(row.issuer)]
        if url.isLoopback {
            for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
                endpoints[name] = "http://127.0.0.1/x"
            }
        }
        let configuration = try OpenIDConfiguration(parsing: document(endpoints))
        let expected = configuration.issuerMismatch(for: authority, aliases: row.aliases)
        #expect((expected == nil) == row.isRight)
        #expect(expected?.isEmpty != true)
        #expect(configuration.issuer.text == row.issuer)
    }
}

@Suite("Instance discovery")
struct InstanceDiscoveryTests {
    static let answer = """
        {"tenant_discovery_endpoint":"https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
         "api-version":"1.1","metadata":[
          {"preferred_network":"login.microsoftonline.com","preferred_cache":"login.windows.net",
           "aliases":["login.microsoftonline.com","LOGIN.windows.net","sts.windows.net","not a host/x"]},
          {"preferred_network":"evil.example/path","preferred_cache":"a","aliases":[]},
          {"preferred_network":"me@evil.example","preferred_cache":"a","aliases":[]},
          "junk",
          {"preferred_network":"127.0.0.1:99","preferred_cache":"127.0.0.1:99","aliases":["127.0.0.1:99"]}]}
        """

    @Test("Returns the names of a cloud")
    func reads() throws {
        let discovery = try InstanceDiscovery(parsing: HTTPResponse(status: 200, body: Array(Self.answer.utf8)))
        #expect(discovery.clouds.count == 2)
        let cloud = try #require(discovery.cloud(of: "Login.Windows.net"))
        #expect(cloud.preferredNetwork == "login.microsoftonline.com")
        #expect(cloud.aliases == ["login.microsoftonline.com", "login.windows.net", "sts.windows.net"])
        #expect(
            cloud.cacheNames(own: "login.microsoftonline.com")
                == ["login.windows.net", "login.microsoftonline.com", "sts.windows.net"])
        #expect(discovery.cloud(of: "127.0.0.1:99") != nil)
        #expect(discovery.cloud(of: "evil.example") == nil)
    }

    static let rows: [(String, Int, InstanceDiscovery.Failure)] = [
        (#"{"error":"invalid_instance","error_description":"no"}"#, 400, .invalidInstance),
        (#"{"error":"server_error"}"#, 500, .unusable), ("<html>", 502, .unusable), ("<html>", 200, .unusable),
        ("{}", 200, .unusable), (#"{"metadata":[]}"#, 200, .unusable),
        (#"{"tenant_discovery_endpoint":"http://evil.example"}"#, 200, .unusable),
    ]

    @Test("Returns the facts of a failure", arguments: rows)
    func fails(body: String, status: Int, failure: InstanceDiscovery.Failure) {
        #expect(throws: failure) {
            try InstanceDiscovery(parsing: HTTPResponse(status: status, body: Array(body.utf8)))
        }
    }
}

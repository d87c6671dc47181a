import Foundation
import Testing

@testable import OAuthCore

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

@Suite("Authorities: the type of a URL")
struct AuthorityRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var kind: Authority.Kind
        var normal: String
        var testDescription: String { text }
    }

    static let accepted: [Row] = [
        Row(
            text: "https://login.microsoftonline.com/contoso.com/v2.0/.well-known/openid-configuration",
            kind: .aad(.named("contoso.com")), normal: "https://login.microsoftonline.com/contoso.com"),
        Row(
            text: "https://login.microsoftonline.com/common", kind: .aad(.common),
            normal: "https://login.microsoftonline.com/common"),
        Row(
            text: "https://LOGIN.microsoftonline.com/Organizations/oauth2?x=1#y", kind: .aad(.organizations),
            normal: "https://login.microsoftonline.com/Organizations"),
        Row(
            text: "https://login.windows.net/consumers/", kind: .aad(.consumers),
            normal: "https://login.windows.net/consumers"),
        Row(
            text: "https://login.microsoftonline.com:8443/Contoso.com", kind: .aad(.named("contoso.com")),
            normal: "https://login.microsoftonline.com:8443/Contoso.com"),
        Row(
            text: "http://127.0.0.1:8085/contoso", kind: .aad(.named("contoso")),
            normal: "http://127.0.0.1:8085/contoso"),
        Row(text: "http://[::1]:8085/common", kind: .aad(.common), normal: "http://[::1]:8085/common"),
        Row(text: "http://localhost/common", kind: .aad(.common), normal: "http://localhost/common"),
        Row(
            text: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_Policy/more?p=1",
            kind: .b2c(tenant: "contoso.onmicrosoft.com", policy: "B2C_1_Policy"),
            normal: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_Policy"),
        Row(
            text: "https://contoso.ciamlogin.com", kind: .ciam,
            normal: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
        Row(
            text: "https://contoso.ciamlogin.com/", kind: .ciam,
            normal: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
        Row(
            text: "https://contoso.ciamlogin.com/tenant/more", kind: .ciam,
            normal: "https://contoso.ciamlogin.com/tenant"),
    ]

    @Test("Recognised and normalised", arguments: accepted)
    func classifies(row: Row) throws {
        let authority = try AuthorityRules.classify(url(row.text))
        #expect(authority.kind == row.kind)
        #expect(authority.url.absoluteString == row.normal)
        #expect(try AuthorityRules.classify(authority.url) == authority)
    }

    static let rejected: [(String, AuthorityRejection)] = [
        ("https://login.microsoftonline.com", .noTenant),
        ("https://login.microsoftonline.com/", .noTenant),
        ("http://login.microsoftonline.com/common", .insecure(scheme: "http", host: "login.microsoftonline.com")),
        ("ftp://login.microsoftonline.com/common", .insecure(scheme: "ftp", host: "login.microsoftonline.com")),
        ("http://localhost.example.com/common", .insecure(scheme: "http", host: "localhost.example.com")),
        ("https://fs.contoso.com/adfs", .adfsUnsupported),
        ("https://fs.contoso.com/ADFS/oauth2", .adfsUnsupported),
        ("https://user@login.microsoftonline.com/common", .namesAUser),
        ("https://login.microsoftonline.com/tfp/tenant", .notEntra(looksLike: "Azure AD B2C")),
        ("contoso.com", .notAnAddress),
        ("https:///common", .notAnAddress),
        ("https://[zz]/common", .notAnAddress),
        ("https://.ciamlogin.com", .notAnAddress),
        ("https://login.microsoftonline.com:0/common", .impossiblePort("0")),
        ("https://login.microsoftonline.com:65536/common", .impossiblePort("65536")),
        ("https://login.microsoftonline.com:99999999999999999999/common", .impossiblePort("99999999999999999999")),
        ("https://login.microsoftonline.com/..", .badTenant("..")),
    ]

    @Test("Rejected, with the reason", arguments: rejected)
    func rejects(text: String, rejection: AuthorityRejection) throws {
        let url = try url(text)
        #expect(throws: rejection) { try AuthorityRules.classify(url) }
        #expect(!rejection.reason.isEmpty && !rejection.nextStep.isEmpty)
    }

    static let wrongKinds: [(String, AuthorityRejection)] = [
        ("https://contoso.ciamlogin.com/tenant", .notEntra(looksLike: "Entra External ID")),
        ("https://fs.contoso.com/adfs", .notEntra(looksLike: "AD FS")),
        ("https://contoso.b2clogin.com/tfp/t/p", .notEntra(looksLike: "Azure AD B2C")),
    ]

    @Test("An Entra authority differs from the other types", arguments: wrongKinds)
    func aadRejects(text: String, rejection: AuthorityRejection) throws {
        let url = try url(text)
        #expect(throws: rejection) { try AuthorityRules.aad(url) }
    }

    @Test("A raw tenant is an ID or a domain", arguments: ["a&b=c#d?e", "t\0/x", " ", "\0", "a/b", "."])
    func badRawTenant(tenant: String) throws {
        let url = try url("https://login.microsoftonline.com/common")
        #expect(throws: AuthorityRejection.badTenant(tenant)) { try AuthorityRules.aad(url, rawTenant: tenant) }
        let long = String(repeating: "t", count: 256)
        #expect(throws: AuthorityRejection.badTenant(long)) { try AuthorityRules.aad(url, rawTenant: long) }
    }

    @Test("A raw tenant replaces the tenant of the URL")
    func rawTenant() throws {
        let authority = try AuthorityRules.aad(
            url("https://login.microsoftonline.com/common"), rawTenant: "contoso.com")
        #expect(authority.url.absoluteString == "https://login.microsoftonline.com/contoso.com")
        #expect(authority.tenant == .named("contoso.com"))
    }

    @Test("An explicit B2C authority may have any path and loses only query and fragment")
    func explicitB2C() throws {
        let authority = try AuthorityRules.b2c(url("https://signin.contoso.com/Tenant/Policy?x=1#y"))
        #expect(authority.url.absoluteString == "https://signin.contoso.com/Tenant/Policy")
        #expect(authority.kind == .b2c(tenant: nil, policy: nil))
    }

    @Test("An explicit CIAM authority may be a custom domain, unless its format is validated")
    func explicitCIAM() throws {
        let custom = try url("https://signin.contoso.com/a/b?x=1")
        #expect(try AuthorityRules.ciam(custom).url.absoluteString == "https://signin.contoso.com/a/b")
        #expect(throws: AuthorityRejection.notCIAMHost("signin.contoso.com")) {
            try AuthorityRules.ciam(custom, validatesFormat: true)
        }
        let bare = try url("https://intranet/a")
        #expect(throws: AuthorityRejection.notCIAMHost("intranet")) { try AuthorityRules.ciam(bare) }
    }

    @Test("The seven clouds and the known hosts")
    func clouds() {
        #expect(AuthorityRules.Cloud.allCases.count == 7)
        #expect(MicrosoftHosts.signIn.count == 11)
        #expect(MicrosoftHosts.signIn.isSuperset(of: AuthorityRules.Cloud.allCases.map(\.rawValue)))
    }
}

@Suite("Authorities: their documents and names")
struct AuthorityAddressTests {
    static let documents: [(String, String)] = [
        (
            "https://login.microsoftonline.com/common",
            "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration"
        ),
        (
            "https://contoso.b2clogin.com/tfp/t/p",
            "https://contoso.b2clogin.com/tfp/t/p/v2.0/.well-known/openid-configuration"
        ),
        (
            "https://contoso.ciamlogin.com",
            "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration"
        ),
    ]

    @Test("The URL of the OpenID configuration", arguments: documents)
    func metadata(authority: String, document: String) throws {
        #expect(try AuthorityRules.classify(url(authority)).metadataURL().absoluteString == document)
    }

    @Test(
        "The URL of a generic provider's OpenID configuration",
        arguments: [
            "https://id.example", "https://id.example/", "https://id.example/realms/a", "https://id.example/realms/a/",
        ])
    func openID(issuer: String) throws {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let document = try AuthorityRules.openID(url(issuer)).metadataURL().absoluteString
        #expect(document == "\(base)/.well-known/openid-configuration")
    }

    @Test("GitHub's endpoints are known, and others come from metadata")
    func oauth() throws {
        let server = try AuthorityRules.oauth(url("https://github.com")).oauthServer
        #expect(server?.endpoints?.device?.absoluteString == "https://github.com/login/device/code")
        #expect(server?.account?.member == "login")
        let other = try AuthorityRules.oauth(url("https://git.example/.well-known/oauth-authorization-server"))
        #expect(other.oauthServer == OAuthServer() && other.url.absoluteString == "https://git.example")
        let enterprise = try AuthorityRules.oauth(url("https://github.com.example"))
        #expect(enterprise.oauthServer?.endpoints == nil)
    }

    @Test(
        "An endpoint is as safe as its authority",
        arguments: [
            ("https://a.example", "http://a.example/t"), ("https://a.example", "http://127.0.0.1/t"),
            ("http://127.0.0.1", "http://a.example/t"),
        ])
    func unsafeEndpoint(authority: String, endpoint: String) throws {
        let endpoints = OAuthServer.Endpoints(authorization: try url(endpoint), token: try url(endpoint))
        #expect(throws: AuthorityRejection.self) {
            try AuthorityRules.oauth(url(authority), OAuthServer(endpoints: endpoints))
        }
    }

    @Test("Requests go to the preferred network host")
    func preferredHost() throws {
        let authority = try AuthorityRules.classify(url("https://login.windows.net/common"))
        let document = authority.metadataURL(networkEnvironment: "login.microsoftonline.com")
        #expect(document.absoluteString.hasPrefix("https://login.microsoftonline.com/common/v2.0/"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var authority: String
        var isKnown = false
        var origin: String
        var testDescription: String { "\(authority)\(isKnown ? ", known to the developer" : "")" }
    }

    @Test(
        "The host that knows the names of an Entra authority",
        arguments: [
            Row(authority: "https://login.chinacloudapi.cn/t", origin: "https://login.chinacloudapi.cn"),
            Row(authority: "https://sts.contoso.com/t", origin: "https://login.microsoftonline.com"),
            Row(authority: "https://sts.contoso.com/t", isKnown: true, origin: "https://sts.contoso.com"),
            Row(authority: "http://127.0.0.1:99/t", origin: "http://127.0.0.1:99"),
        ])
    func instanceDiscovery(row: Row) throws {
        let authority = try AuthorityRules.classify(url(row.authority))
        let asked = try #require(authority.instanceDiscoveryURL(isDeveloperKnown: row.isKnown))
        #expect(asked.origin == row.origin)
        #expect(asked.path() == "/common/discovery/instance")
        let query = Parameters(formEncoded: asked.query(percentEncoded: true) ?? "")
        #expect(query["api-version"] == "1.1")
        #expect(query["authorization_endpoint"] == "\(row.authority)/oauth2/v2.0/authorize")
    }

    @Test("Only Entra authorities have other names")
    func noInstanceDiscovery() throws {
        #expect(try AuthorityRules.openID(url("https://id.example")).instanceDiscoveryURL() == nil)
        #expect(try AuthorityRules.classify(url("https://c.ciamlogin.com")).instanceDiscoveryURL() == nil)
    }

    static let results: [(String, String?, String)] = [
        ("https://login.microsoftonline.com/common", "tid-1", "https://login.microsoftonline.com/tid-1"),
        ("https://login.microsoftonline.com/common", nil, "https://login.microsoftonline.com/common"),
        ("https://login.microsoftonline.com/common", "a/../b", "https://login.microsoftonline.com/common"),
        ("https://c.b2clogin.com/tfp/t/p", nil, "https://c.b2clogin.com/tfp/home/p"),
        ("https://c.ciamlogin.com", nil, "https://c.ciamlogin.com/home"),
    ]

    @Test("The authority of a result is that of the tenant that issued the tokens", arguments: results)
    func resulting(authority: String, tenantID: String?, result: String) throws {
        let info = ClientInfo(uid: "u", utid: "home")
        let resulting = try AuthorityRules.classify(url(authority)).resulting(tenantID: tenantID, clientInfo: info)
        #expect(resulting.url.absoluteString == result)
    }

    @Test("An environment is the host, and the port if there is one")
    func environment() throws {
        #expect(try AuthorityRules.classify(url("http://127.0.0.1:99/t")).environment == "127.0.0.1:99")
        #expect(try AuthorityRules.classify(url("https://login.windows.net/t")).environment == "login.windows.net")
    }
}

@Suite("Microsoft's APIs")
struct MicrosoftAPITests {
    @Test("Each row of the table has a name, application IDs or hosts, all in lower case")
    func rows() {
        #expect(MicrosoftAPI.all.count == 40 && MicrosoftAPI.domains.count == 36)
        #expect(MicrosoftAPI.graph.name == "Microsoft Graph")
        #expect(Set(MicrosoftAPI.all.map(\.name)).count == 40)
        #expect(MicrosoftAPI.domains.allSatisfy { $0.hasPrefix(".") })
        for api in MicrosoftAPI.all {
            #expect(!api.name.isEmpty && !(api.ids.isEmpty && api.identifiers.isEmpty), "\(api.name)")
            #expect(api.ids.allSatisfy { UUID(uuidString: $0)?.uuidString.lowercased() == $0 }, "\(api.name)")
            for host in api.identifiers + api.servers {
                #expect(host.wholeMatch(of: #/\.?[a-z0-9\-]+(\.[a-z0-9\-]+)+/#) != nil, "\(host)")
            }
        }
    }
}

import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

/// Authorities by cloud and audience, and which of them are trusted (docs/upstream-behaviour.md §2, §2.1).
@Suite("Authorities by cloud, audience and trust", .oneSessionAtATime) struct MSALAuthorityInitialiserTests {
    private func code(_ work: () throws -> Void) -> Int? {
        do {
            try work()
            return nil
        } catch let error as NSError {
            return error.userInfo[MSALInternalErrorCodeKey] as? Int
        }
    }

    @Test(
        "Each cloud has its host",
        arguments: zip(
            MSALAzureCloudInstance.allCases,
            [
                "login.microsoftonline.com", "login.chinacloudapi.cn", "login.microsoftonline.de",
                "login.microsoftonline.us", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
                "login.sovcloud-identity.sg",
            ]))
    func clouds(cloud: MSALAzureCloudInstance, host: String) throws {
        let authority = try MSALAADAuthority(
            cloudInstance: cloud, audienceType: .azureADMyOrgOnlyAudience, rawTenant: "contoso.example")
        #expect(authority.url.absoluteString == "https://\(host)/contoso.example")
    }

    private static let audiences: [(audience: MSALAudienceType, tenant: String?, path: String?)] = [
        (.azureADAndPersonalMicrosoftAccountAudience, nil, "common"),
        (.azureADMultipleOrgsAudience, nil, "organizations"),
        (.personalMicrosoftAccountAudience, nil, "consumers"),
        (.azureADMyOrgOnlyAudience, "contoso.example", "contoso.example"),
        (.azureADMyOrgOnlyAudience, nil, nil),
        (.azureADMyOrgOnlyAudience, "", nil),
        (.azureADAndPersonalMicrosoftAccountAudience, "contoso.example", nil),
        (.azureADMultipleOrgsAudience, "contoso.example", nil),
        (.personalMicrosoftAccountAudience, "contoso.example", nil),
        (.azureADMultipleOrgsAudience, "", nil),
    ]

    @Test("Each audience has its tenant, and the single-tenant one needs a name", arguments: audiences)
    func byAudience(audience: MSALAudienceType, tenant: String?, path: String?) {
        let authority = try? MSALAADAuthority(
            environment: "login.example.com", audienceType: audience, rawTenant: tenant)
        #expect(authority?.url.absoluteString == path.map { "https://login.example.com/\($0)" })
        if path == nil {
            #expect(
                code {
                    _ = try MSALAADAuthority(
                        environment: "login.example.com", audienceType: audience, rawTenant: tenant)
                } == -42000)
        }
    }

    @Test(
        "A text that is not a host is not an environment",
        arguments: [
            "", " ", "a b", "https://a.example", "a.example/path", "a.example?x", "user@a.example", "a.example#f",
        ])
    func environments(environment: String) {
        #expect(
            code {
                _ = try MSALAADAuthority(
                    environment: environment, audienceType: .azureADMultipleOrgsAudience, rawTenant: nil)
            } == -42000)
    }

    @Test(
        "AD FS is rejected, by its class and by its URL",
        arguments: ["https://adfs.example/adfs", "https://adfs.example/ADFS/oauth2"])
    func adfs(address: String) throws {
        let url = try #require(URL(string: address))
        #expect(code { _ = try MSALADFSAuthority(url: url) } == -42008)
        #expect(code { _ = try MSALAuthority(url: url) } == -42008)
    }

    private static let hosts: [(b2c: String, isListed: Bool, code: Int?)] = [
        ("https://contoso.b2clogin.com/tfp/contoso.example/policy", false, -42008),
        ("https://contoso.b2clogin.com/tfp/contoso.example/policy", true, nil),
        ("https://login.microsoftonline.com/tfp/contoso.example/policy", false, nil),
        ("http://127.0.0.1:8400/tfp/contoso.example/policy", false, nil),
        ("https://127.0.0.1.example/tfp/contoso.example/policy", false, -42008),
    ]

    @Test("A B2C host must be Microsoft's, this computer's or listed", arguments: hosts)
    func b2c(address: String, isListed: Bool, code: Int?) async throws {
        let world = try World()
        let url = try #require(URL(string: address))
        let authority = try MSALB2CAuthority(url: url)
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: "http://localhost", authority: authority)
        configuration.knownAuthorities = isListed ? [try MSALB2CAuthority(url: url)] : []
        let application = try MSALPublicClientApplication(
            configuration: configuration, registration: World.registration, dependencies: world.dependencies)
        let parameters = MSALInteractiveTokenParameters(scopes: ["s"], webviewParameters: MSALWebviewParameters())
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters)
        }
        // A trusted authority is requested, and the built-in authority has no such page.
        #expect(world.transport.requests.isEmpty == (code != nil))
        #expect((error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42008) == (code != nil))
    }

    @Test("A known authority has the same type and URL, not only the same host") func known() throws {
        let url = try #require(URL(string: "https://contoso.b2clogin.com/tfp/contoso.example/policy"))
        let other = try #require(URL(string: "https://contoso.b2clogin.com/tfp/contoso.example/other"))
        #expect(try MSALB2CAuthority(url: url) == MSALB2CAuthority(url: url))
        #expect(try MSALB2CAuthority(url: url) != MSALB2CAuthority(url: other))
        #expect(try MSALB2CAuthority(url: url) != MSALCIAMAuthority(url: url))
    }
}

import Foundation
import MSAL
import Testing

/// The authority classes: what `MSALAuthority(url:)` creates, and what it rejects.
@Suite struct MSALAuthorityTests {
    @Test(arguments: [
        ("https://login.microsoftonline.com/common", "MSALAADAuthority"),
        ("https://contoso.b2clogin.com/tfp/contoso.example/b2c_1_signin", "MSALB2CAuthority"),
        ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com", "MSALCIAMAuthority"),
    ])
    func theAddressShowsTheKind(url: String, kind: String) throws {
        let authority = try MSALAuthority(url: #require(URL(string: url)))
        #expect(String(describing: type(of: authority)) == kind)
        #expect(authority.url.absoluteString == url)
    }

    @Test(arguments: ["http://login.microsoftonline.com/common", "https://login.microsoftonline.com", "https://h/adfs"])
    func invalidURLsAreRejected(url: String) throws {
        let url = try #require(URL(string: url))
        #expect(throws: MSALAuthenticationError.self) { try MSALAuthority(url: url) }
    }

    @Test func anyOpenIDProviderIsAnAuthorityOfItsOwnType() throws {
        let url = try #require(URL(string: "https://issuer.example/realms/one"))
        #expect(try MSALOIDCAuthority(url: url).url == url)
    }

    @Test func theTenantCanBeReplaced() throws {
        let url = try #require(URL(string: "https://login.microsoftonline.com/common"))
        let authority = try MSALAADAuthority(url: url, rawTenant: "contoso.example")
        #expect(authority.url.absoluteString == "https://login.microsoftonline.com/contoso.example")
    }

    @Test func equalByURL() throws {
        let url = try #require(URL(string: "https://login.microsoftonline.com/common"))
        #expect(try MSALAuthority(url: url) == MSALAADAuthority(url: url))
    }
}

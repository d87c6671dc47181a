import Diagnosis
import Foundation
import Testing

@testable import Subcommands

@Suite("The class for an authority's URL")
struct AuthorityKindTests {
    @Test(
        "auto",
        arguments: [
            ("https://login.microsoftonline.com/common", .aad),
            ("https://LOGIN.microsoftonline.com/contoso.com", .aad),
            ("https://login.microsoftonline.us/common", .aad),
            ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_in", .b2c),
            ("https://login.contoso.com/tfp/contoso/b2c_1_in", nil),
            ("https://fs.contoso.com/adfs", nil),
            ("https://contoso.ciamlogin.com/", .ciam),
            ("https://ciamlogin.com/x", .oidc),
            ("https://login.microsoftonline.com.example.org/common", .oidc),
            ("https://accounts.example.org", .oidc),
            ("http://127.0.0.1:8002/o", .oidc),
        ] as [(String, AuthorityKind?)])
    func auto(_ address: String, _ expected: AuthorityKind?) throws {
        #expect(AuthorityKind(of: try #require(URL(string: address))) == expected)
    }

    @Test("A named type is used as given", arguments: AuthorityKind.allCases)
    func named(_ type: AuthorityKind) throws {
        let url = try #require(URL(string: "https://login.example.org/tfp/a/b"))
        var profile = Profile(name: "a", clientID: "1", authority: url)
        #expect(profile.authorityKind == nil)
        profile.authorityType = type
        #expect(profile.authorityKind == type)
    }
}

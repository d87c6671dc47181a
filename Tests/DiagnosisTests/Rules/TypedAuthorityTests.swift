import Diagnosis
import Testing

@Suite("Completion of a typed authority")
struct TypedAuthorityTests {
    private static let entra = "https://login.microsoftonline.com"
    private static let tenantID = "11111111-2222-3333-4444-555555555555"

    @Test(
        "Completes a URL",
        arguments: [
            ("contoso.com", .aad, "\(entra)/contoso.com"), (" Contoso.com/ ", .aad, "\(entra)/contoso.com"),
            (tenantID, .aad, "\(entra)/\(tenantID)"), ("common", .aad, "\(entra)/common"),
            ("login.microsoftonline.com/contoso.com", .aad, "\(entra)/contoso.com"),
            ("contoso.onmicrosoft.com", .ciam, "https://contoso.ciamlogin.com"),
            ("contoso.ciamlogin.com", .ciam, "https://contoso.ciamlogin.com"),
            ("contoso.b2clogin.com/tfp/a/b", .b2c, "https://contoso.b2clogin.com/tfp/a/b"),
            ("accounts.google.com", .oidc, "https://accounts.google.com"),
            ("sso.example.org:8443/realms/a", .oidc, "https://sso.example.org:8443/realms/a"),
            ("localhost:8400/realm", .oidc, "http://localhost:8400/realm"),
            ("[::1]:8400", .aad, "http://[::1]:8400"), ("localhost:99999", .oidc, "http://localhost:99999"),
            ("id.example.org", nil, "https://id.example.org"),
        ] as [(String, AuthorityKind?, String)])
    func completed(text: String, provider: AuthorityKind?, address: String) {
        #expect(TypedAuthority(text).address(at: provider) == address)
    }

    @Test(
        "A metadata document's URL becomes its issuer's",
        arguments: [
            ("https://id.example/.well-known/openid-configuration", "https://id.example"),
            ("https://id.example/realms/a/.well-known/openid-configuration?x=1#y", "https://id.example/realms/a"),
            ("id.example/realms/a/.well-known/openid-configuration", "https://id.example/realms/a"),
            ("https://id.example/.well-known/oauth-authorization-server/realms/a", "https://id.example/realms/a"),
            ("https://id.example/a/.well-known/oauth-authorization-server", "https://id.example/a"),
            ("\(entra)/contoso.com/v2.0/.well-known/openid-configuration", "\(entra)/contoso.com/v2.0"),
        ])
    func metadata(text: String, issuer: String) {
        #expect(TypedAuthority(text).address(at: .oidc) == issuer)
    }

    @Test(
        "Other texts stay unchanged",
        arguments: [
            "", "contoso", "ann@contoso.com", "two words.com", "https://login.example.org/", "ftp://example.org",
            "https://id.example/.well-known/jwks.json", "https://id.example/.well-known",
        ])
    func others(text: String) {
        #expect(TypedAuthority(text).address(at: .aad) == text)
    }
}

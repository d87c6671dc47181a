import Diagnosis
import Testing

@Suite("Masking in a report")
struct MaskingTests {
    @Test(
        "A URL and its masked form",
        arguments: [
            (
                "https://login.microsoftonline.com/common/oauth2/v2.0/token",
                "https://login.microsoftonline.com/common/oauth2/v2.0/token"
            ),
            (
                "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token",
                "https://login.microsoftonline.com/‹hidden›/oauth2/v2.0/token"
            ),
            (
                "https://contoso.b2clogin.com/tfp/contoso/b2c_1_signin",
                "https://‹hidden›.b2clogin.com/‹hidden›/‹hidden›/‹hidden›"
            ),
            (
                "https://id.contoso.com/.well-known/openid-configuration",
                "https://‹hidden›/.well-known/openid-configuration"
            ),
            (
                "http://127.0.0.1:8400/common/oauth2/v2.0/authorize?code=a#b",
                "http://127.0.0.1:8400/common/oauth2/v2.0/authorize"
            ),
            ("http://ann:secret@localhost:1/x", "http://localhost:1/‹hidden›"),
            ("myapp://auth", "‹hidden›://‹hidden›/"), ("not an address", "‹hidden›"), ("", "‹hidden›"),
        ])
    func addresses(text: String, expected: String) {
        #expect(Masking().address(text) == (expected.hasSuffix("›/") ? String(expected.dropLast()) : expected))
    }

    @Test(
        "A sentence and its masked form",
        arguments: [
            ("Within a minute of the authority's clock.", "Within a minute of the authority's clock."),
            ("TLS 1.2 or later.", "TLS 1.2 or later."),
            ("10.1.2.3 refused it.", "‹hidden› refused it."),
            ("LSApplicationQueriesSchemes lacks msauthv3.", "LSApplicationQueriesSchemes lacks msauthv3."),
            (
                "Encrypted with a key in the file /home/ann/x.key beside it.",
                "Encrypted with a key in the file ‹hidden› beside it."
            ),
            ("“myapp://auth” is not registered.", "‹hidden› is not registered."),
            (
                "Requests use proxy.contoso.com:8080 from $https_proxy.",
                "Requests use ‹hidden›:8080 from $https_proxy."
            ),
            ("ann@contoso.com may not.", "‹hidden› may not."), ("Kim may not.", "‹hidden› may not."),
            ("Found eyJhbGciOiJub25lIn0.e30. there", "Found ‹hidden› there"),
            ("tenant 11111111-2222-3333-4444-555555555555", "tenant ‹hidden›"),
            ("code 0.AXoAaZbYcXdWeVfUgThSiRjQkPlO", "code ‹hidden›"),
            ("https://login.microsoftonline.com/common answers.", "https://login.microsoftonline.com/common answers."),
            ("http://localhost (it listens).", "http://localhost (it listens)."),
            ("with http://localhost: it responds.", "with http://localhost: it responds."),
            ("It is http://id.contoso.com/x.", "It is http://‹hidden›/‹hidden›."),
            ("The profile local, on LOCAL.", "The profile ‹hidden›, on ‹hidden›."),
            ("http://kim.contoso.example/x fails.", "http://‹hidden›/‹hidden› fails."),
        ])
    func sentences(text: String, expected: String) {
        #expect(Masking(words: ["Kim", "x", "local"]).text(text) == expected)
    }
}

import Foundation
import Testing

@testable import MSAL

/// What may stay of a text that a server wrote.
@Suite("Random runs in a server's text") struct RandomRunsTests {
    static let hidden = [
        // Hexadecimal, base64, base64url, base32, base36, letters alone, digits alone.
        "d41d8cd98f00b204e9800998ecf8427e", "9F86D081884C7D659A2F", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ==",
        "Kx8-fQ2_aLw9Zr7TtYb3Nc5Vd1Hs", "0.AXoAz8k1Ld2Qm4Rt6Vx8Zb0Nf2Hj4Lp6Sv8Xz0Cd2Fh4Jk", "MZXW6YTBOI2XK3LQOR4XE5DF",
        "k3j9x0q7w2m5v8b1n4c6z9l2", "QwErTyUiOpAsDfGhJkLzXcVb", "abcdefghijklmnopqrstuvwxyz",
        "123456789012345678901234",
        // Signs of standard base64 and of Entra's secrets divide them.
        "QS+5lOuRT7SYK+ieObw9dyfq97/kRCuG50KfUVEpcQc=", "htjfHEgVKsnlh9/3Fx5RZmyWSj0=",
        "Wmw2Q~QS_bPq8clb.~iZzTOa02.1IbdLpqNHWTsc",
        // The end of a JSON Web Token, whose beginning was cut off.
        "sIm5hbWUiOiJBbm4ifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "1//0gAbCdEf12GhIjKl34MnOpQr56StUvWx78Yz", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    ]

    static let shown = [
        "AADSTS50058: A silent sign-in request was sent but no user is signed in.",
        "AADSTS700016: Application with identifier '11111111-2222-3333-4444-555555555555' was not found.",
        "Trace ID: 8d8b1c7e-0a3a-4f43-9d4e-6f2b1a9c1200 Correlation ID: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "Timestamp: 2026-01-01 10:11:12Z", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        "https://login.example/11111111-2222-3333-4444-555555555555/discovery/v2.0/keys",
        "org.springframework.security.oauth2.core.OAuth2AuthenticationException",
        "token_endpoint_auth_method must be none", "urn:ietf:params:oauth:grant-type:device_code",
        "duplicate key value violates unique constraint \"refresh_tokens_pkey\"", "ann@contoso.example",
        "Zertifikatsüberprüfung fehlgeschlagen", "Client authentication failed (e.g., unknown client).", "",
        "The provided authorization grant is invalid, expired or revoked.", "HTTP_400_BAD_REQUEST",
        "https%3A%2F%2Flogin.microsoftonline.com%2Fcommon%2Foauth2%2Fv2.0%2Fauthorize",
        "invalid_request/invalid_scope/access_denied",
        "com.example.auth.v2.Oauth2LoginServlet.doGet", "10.0.0.1/24,10.0.1.1/24,10.0.2.1/24",
        "libcurl/8.5.0.OpenSSL/3.0.15",
    ]

    @Test("Are hidden, whatever is around them", arguments: hidden) func hides(_ token: String) {
        for (before, after) in [("", ""), ("(refresh_token)=(", ") already exists."), ("token=", "."), ("x '", "' y")] {
            let text = (before + token + after).withoutRandomRuns()
            #expect(text.hasPrefix(before) && text.contains("‹redacted›"), "\(text)")
            // Not even a part that would be useful.
            for start in stride(from: 0, to: max(1, token.count - 12), by: 4) {
                let part = token.dropFirst(start).prefix(12)
                #expect(start < 8 && token.contains("/") || !text.contains(part), "\(text)")
            }
        }
    }

    @Test(
        "Are hidden although invisible characters divide them",
        arguments: ["\u{200B}", "\u{202E}", "\u{1B}", "\u{34F}"])
    func divided(_ separator: String) {
        let token = Array("d41d8cd98f00b204e9800998ecf8427e")
        let text = token.map(String.init).joined(separator: separator).withoutRandomRuns()
        #expect(text == "‹redacted›")
    }

    @Test(
        "Tokens are found by their header, at any place in a word",
        arguments: [
            ("a eyJhbGciOiJub25lIn0.e30. b", "a ‹redacted› b"), ("xeyJhbGciOiJub25lIn0.e30", "x‹redacted›"),
            ("1.eyJhbGciOiJub25lIn0.e30,c", "1.‹redacted›,c"), ("eyJ.eyJ", "eyJ.eyJ"),
            ("eyJhbGciOiJub25lIn0", "eyJhbGciOiJub25lIn0"),
        ])
    func tokens(_ text: String, _ shown: String) {
        #expect(text.withoutJWTs == shown)
    }

    @Test("A megabyte of beginnings of tokens takes no minutes", .timeLimit(.minutes(1)))
    func beginnings() {
        let text = String(repeating: "eyJ.", count: 250_000)
        #expect(text.withoutJWTs == text)
        #expect(Privacy().shown(text) == "‹redacted›")
        #expect(Privacy().shown("No. " + text) == "No.")
    }

    @Test("Leave words, URLs, identifiers, numbers and times", arguments: shown) func shows(_ text: String) {
        #expect(text.withoutRandomRuns() == text)
    }

    @Test(
        "Are hidden if they are short or GUIDs, but have the name of a secret",
        arguments: [
            ("refresh_token='de779f82-a37a-4f43-9d4e-6f2b1a9c1200' is used", "refresh_token='‹redacted›' is used"),
            ("Refresh_Token=8X6glCkd7Ha6WA, id_token: dy8KJv", "Refresh_Token=‹redacted›, id_token: ‹redacted›"),
            ("Key (refresh_token)=(a1b2c3d4) exists.", "Key (refresh_token)=(‹redacted›) exists."),
            (#"row {\"client_secret\":\"hunter2abc\"}"#, #"row {\"client_secret\":\"‹redacted›\"}"#),
            ("Authorization: Basic Ym86aHVudGVyMg==", "Authorization: Basic ‹redacted›"),
            (#""refresh_token":"abcd\/d4e5f6g7""#, #""refresh_token":"‹redacted›""#),
            (#"password=hunter2abc\!x9 and"#, #"password=‹redacted› and"#),
            (#"client_secret=ab\cd1234ef"#, #"client_secret=‹redacted›"#),
            ("refresh_token: expired", "refresh_token: expired"),
            ("client_secret is missing", "client_secret is missing"),
            ("error_code: AADSTS50058", "error_code: AADSTS50058"), ("code: AADSTS50058", "code: AADSTS50058"),
        ])
    func named(text: String, shown: String) {
        #expect(Privacy().shown(text) == shown)
    }

    @Test("Leave the client ID of the request") func client() {
        let client = "0oa1b2c3d4e5f6g7h8i9"
        #expect("No client \(client).".withoutRandomRuns(sparing: client) == "No client \(client).")
        #expect("No client \(client).".withoutRandomRuns() == "No client ‹redacted›.")
    }
}

import Foundation
import Testing

@testable import Diagnosis

@Suite("Failing sentences")
struct StatementTests {
    private static func explain(_ text: String) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        return try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000)
        ).explain(file: Array(text.utf8))
    }

    @Test(
        "A sentence in any words names the cell of what it is about and what is wrong with it",
        arguments: [
            (
                "The callback address isn't one of those that this application has registered.",
                "redirect-uri-not-registered"
            ),
            ("RedirectUrlMismatchException", "redirect-uri-not-registered"),
            (
                #"level=error msg="callback_url was not found on the whitelist: redirectUrl not whitelisted""#,
                "redirect-uri-not-registered"
            ),
            ("ledger.auth.IssuerMismatchError: token issuer rejected", "issuer-differs"),
            ("expected iss to equal https://a.example but the issuer was different", "issuer-differs"),
            ("the aud claim does not include this service: unexpected audience", "other-audience-expected"),
            ("idTokenNonceInvalid", "nonce-unknown"), ("nonce claim missing", "nonce-unknown"),
            ("The saved state is gone: csrf token mismatch", "state-unknown"),
            (#"{"error":"invalid_grant","error_description":"proof key missing"}"#, "challenge-missing"),
            (#"{"error":"invalid_grant","error_description":"code_verifier rejected"}"#, "verifier-mismatch"),
            ("codeVerifier wasn\\u0027t sent", "verifier-missing"),
            (
                "error=invalid_client&error_description=The+client%20secret+isn%27t+valid&state=null",
                "client-secret-wrong"
            ),
            ("Request rejected: client_secret is missing.", "client-secret-missing"),
            ("token request rejected: code_verifier missing", "verifier-missing"),
            ("consumer secret expired", "client-secret-expired"),
            ("bearer token has expired", "token-expired"), ("JwtExpiredException", "token-expired"),
            ("ID token isn't valid yet", "token-not-valid-yet"),
            ("Can't handle token prior to 2026-12-01T10:39:32+0000", "token-not-valid-yet"),
            ("peer cert not trusted", "untrusted-certificate"),
            ("The host name a.example can't be resolved", "host-not-resolved"),
            ("handshake with a.example timed out: connection reset by peer", "no-response"),
            ("refresh_token revoked", "refresh-token-not-active"),
            ("requested scope isn't allowed", "scope-not-configured"),
            ("RAPT expired: reauthentication required", "reauthentication-needed"),
            ("the second factor is required", "mfa-needed"), ("password has expired", "password-expired"),
            ("Error: No state in response", "state-unknown"),
            ("Impossible to decode OIDC token:Wrong number of segments", "token-unreadable"),
            ("oidc: failed to unmarshal claims: invalid character 'x'", "token-unreadable"),
            ("id token signed with unsupported algorithm, expected [RS256] got HS512", "signature-algorithm"),
            ("Error: Not authorized to perform sts:AssumeRoleWithWebIdentity", "workload-not-trusted"),
            ("error validating claims: bound claim \"sub\" does not match", "workload-not-trusted"),
            ("WARN Code '0e1f2a3b-06c2-4e3d-9054-ebff4d96b459' already used for session", "code-not-valid"),
            ("SAML response rejected: subject confirmation missing", "assertion-not-accepted"),
            ("failed to fetch the OpenID configuration: 404 Not Found", "metadata-unreadable"),
            (
                "The request fails due to a missing, invalid, or mismatching redirection URI (redirect_uri).",
                "redirect-uri-not-registered"
            ),
            ("Your admin requires the device requesting access to be managed by your company.", "conditional-access"),
            ("login error: user is not present in the database", "no-such-account"),
            ("oauth: user is not a member of any of the required groups", "not-in-group"),
            ("Access denied: User does not have the required role 'viewer'", "not-in-group"),
            ("User cancelled the authorize request", "user-closed-page"),
            ("Assertion is not yet valid.", "token-not-valid-yet"),
            ("The attributes have expired, based on the SessionNotOnOrAfter of the Response", "token-expired"),
            ("CreateToken failed with status 400, InvalidGrantException: x", "invalid_grant"),
            ("token exchange failed: Post \"https://id.example/token\": EOF", "no-response"),
            (
                "invalid_grant: The grant is invalid, expired, revoked, does not match the redirection URI, or was issued to another client.",
                "invalid_grant"
            ),
            (
                "error=invalid_client_credentials\n{\"error_description\":\"Client secret not provided\"}\nerror=invalid_client_credentials",
                "client-secret-missing"
            ),
            ("oidc: error checking claims: claim \"team\" is missing", "claim-missing"),
            ("oauth: tls: first record does not look like a TLS handshake", "plain-http-port"),
        ])
    func cells(text: String, id: String) throws { #expect(try Self.explain(text).cause == id) }

    @Test(
        "What is no failure of a sign-in has no reason",
        arguments: [
            "issuer validated\naudience validated\nnonce ok, no error\ntoken not expired",
            "INFO state verified, code verifier accepted\nINFO signed in as user 7",
            "java.lang.IllegalStateException: queue is full",
            "export const errors = [\n  \"invalid_grant\",\n]\nthrow new Error(\"redirect URI mismatch\");",
            "# Troubleshooting\n\nIf the redirect URI does not match, register it.\nWhen the token has expired, get a new one.\nYou can see this.\n",
            "| Error | Meaning |\n|---|---|\n| invalid_grant | The refresh token expired |\n| state mismatch | Try again |\n",
            "08:00 INFO start\n08:01 ERROR SQLSTATE[HY000] [2002] Connection refused\n08:02 INFO stop\n08:03 INFO stop",
            "ERROR [org.hibernate.SqlExceptionHelper] timeout while waiting for new connection\nERROR [org.keycloak.quarkus.cli.Main] Failed to obtain JDBC connection\nERROR [org.keycloak.quarkus.cli.Main] Connection to db.example:5432 refused\nx",
            "ssh: connect to host a.example port 22: Connection refused",
            "npm ERR! code ECONNREFUSED\nnpm ERR! connect ECONNREFUSED 10.0.0.1:443\nnpm ERR! network\nnpm ERR! a",
            "2026-11-02 nginx: connect() failed (111: Connection refused) while connecting to upstream\nx\ny\nz",
            "ERROR pool: start failed\norg.store.DriverException: Connection to db.a.example:5433 refused\n\tat a.b\nCaused by: java.net.ConnectException: Connection refused",
            "10.0.0.7 - - [a] \"POST /login HTTP/1.1\" 302 0\n10.0.0.7 - - [a] \"GET /year HTTP/1.1\" 504 167\nerror: timed out\nwarn: slow",
            "0 verbose cli node\n1 http fetch GET 401 https://packages.a.example/b\n2 error code E401\n3 error Incorrect or missing password.\n4 verbose exit 1",
            "[a.go:9] No valid authentication in request. Initiating login.\n10.0.0.7 - - a.example GET - \"/\" HTTP/1.1 \"M\" 302 427 0.001\n10.0.0.7 - b [AuthSuccess] Authenticated via OAuth2\nx\n",
            "# latch\n\nOAuth for a server.\n\n## Use\n\n1. Register it, or the provider says\n   `redirect_uri_mismatch` or `AADSTS50011`.\n2. Set `ID`.\n\n| Error | Meaning |\n|---|---|\n| `invalid_client` | wrong secret |\n| `access_denied` | No |\n\n## Licence\n\nMIT\n",
        ])
    func healthy(text: String) throws {
        let explanation = try? Self.explain(text)
        #expect(explanation?.cause == nil && explanation?.findings.contains { $0.verdict == .failed } != true)
    }

    @Test("A source file states nothing, however short")
    func sourceFile() throws {
        let text =
            "import A\n\n" + String(repeating: "let a = 1\n", count: 10)
            + "// handle error here\n#expect(b.error == \"redirect_uri mismatch\")\n"
        #expect(try Self.explain(text).summary.contains("source code") && TextKind.isDocument(Array(text.utf8)))
        #expect(!TextKind.isDocument(Array(text.utf8.prefix(40))))
        let policy = "The role's policy:\n{\n" + String(repeating: "\"a\": \"b\",\n", count: 30) + "}\nError: x\n"
        #expect(!TextKind.isDocument(Array(policy.utf8)))
    }

    @Test(
        "A later success beats an earlier failure, whatever program wrote it",
        arguments: [
            "ERROR oauth: state mismatch\nINFO second try\nINFO token acquired, expires in 3600 s",
            "WARN AADSTS50076: MFA\nx\nlogin succeeded",
            "msal.application: invalid_grant: AADSTS70043: x\nDEBUG:urllib3.connectionpool:https://graph.microsoft.com:443 \"GET /v1.0/me HTTP/1.1\" 200 2859",
        ])
    func success(text: String) throws {
        let findings = try Self.explain(text).findings
        #expect(findings.first?.verdict == .passed && !findings.contains { $0.verdict == .failed }, "\(findings)")
    }

    @Test("A denied success is none", arguments: ["not signed in", "you must be logged in", "is_successful: false"])
    func denied(text: String) { #expect(LogFile(Array("ERROR oauth \(text)\n".utf8)).success == nil) }

    @Test(
        "The description beats the name of its error, and is the only finding",
        arguments: [
            (#"{"error":"invalid_grant","error_description":"code challenge required"}"#, "challenge-missing"),
            ("{\n\"error\": \"invalid_grant\",\n\"error_subtype\": \"invalid_rapt\"\n}", "reauthentication-needed"),
        ])
    func description(text: String, id: String) throws {
        let explanation = try Self.explain(text)
        #expect(explanation.cause == id)
        let rows = explanation.sections.flatMap(\.rows)
        #expect(rows.filter { $0.name == "Next step" }.count == 1)
        #expect(rows.contains { $0.name == "Also named" && $0.value == "invalid_grant" })
    }

    @Test("The last of the causes in a stack trace counts, not the exceptions around it")
    func chain() throws {
        let text = """
            ERROR oidc login failed
            org.example.AuthException: token request failed
            \tat org.example.InvalidStateHandler.handle(InvalidStateHandler.java:7)
            Caused by: javax.net.ssl.SSLHandshakeException: PKIX path building failed: unable to find valid certification path
            \tat org.example.A.b(A.java:1)
            """
        let explanation = try Self.explain(text)
        #expect(explanation.cause == "untrusted-certificate")
        #expect("\(explanation)".contains("keytool -importcert"))
    }

    @Test(
        "Advice is that of the runtime",
        arguments: [("node:internal/tls", "NODE_EXTRA_CA_CERTS"), ("System.Net.Http", ".NET")])
    func runtime(text: String, words: String) throws {
        let explanation = try Self.explain("\(text) oauth error: self-signed certificate, certificate not trusted")
        #expect("\(explanation)".contains(words))
    }

    @Test("A SAML response gets advice for SAML, and a member of a log's line is a sentence of its own")
    func protocols() throws {
        let audience = try Self.explain("Error: SAML Response is not valid for this audience")
        #expect("\(audience)".contains("entity ID"))
        let members = #"level=error msg="Failed to look up user by cookie" error="user token not found""#
        #expect(try Self.explain(members).cause != "page-without-cookie")
    }

    @Test(
        "Mail programs and terminals change a text, and it stays readable",
        arguments: [
            "Content-Transfer-Encoding: quoted-printable\n\nerror_description=3DAADSTS65=\n001: x\n\n",
            "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nQUFEU1RTNjUwMDE6IHRoZSB1c2VyIGhhcyBu\nb3QgY29uc2VudGVk\n",
            "On Monday Ann wrote:\n> > Error: AADSTS65001: the user\n> > has not consented\n",
            "╭──────── Error ────────╮\n│ it says AADSTS65001:  │\n│ consent is needed     │\n╰───────────────────────╯\n",
        ])
    func forms(text: String) throws { #expect(try Self.explain(text).cause == "AADSTS65001") }

    @Test("Lines keep their numbers, and curl's marks stay")
    func marks() {
        let mail = Array("Content-Transfer-Encoding: quoted-printable\na=\nb\nc\n".utf8)
        let decoded = String(decoding: TransferForm.decoded(mail), as: UTF8.self)
        #expect(decoded == "Content-Transfer-Encoding: quoted-printable\nab\n\nc\n")
        let parts = Array(
            "--x\nContent-Transfer-Encoding: Quoted-Printable\n\nstate=3Da\n--x\nContent-Type: text/plain\n\nstate=3Da\n"
                .utf8)
        #expect(
            String(decoding: TransferForm.decoded(parts), as: UTF8.self).hasSuffix(
                "\n\nstate=a\n--x\nContent-Type: text/plain\n\nstate=3Da\n"))
        // A page or header of a recording, which isn't a mail.
        for recorded in [
            "{\"text\": \"quoted-printable\", \"url\": \"?code=0A1b\"}\n",
            "< Content-Transfer-Encoding: quoted-printable\n> GET /?code=0A1b HTTP/1.1\n",
        ] { #expect(TransferForm.decoded(Array(recorded.utf8)) == Array(recorded.utf8)) }
        let curl = Array("> POST /token HTTP/1.1\n> Host: a.example\n>\n< HTTP/1.1 400\n".utf8)
        #expect(TransferForm.decoded(curl) == curl)
    }

    @Test(
        "A number means the same in decimal and hexadecimal form",
        arguments: ["-2147023584", "0x80070520", "0xffffffff80070520"])
    func number(text: String) throws {
        #expect(try Self.explain("MSAL.NetCore WAM: api_error_code \(text) \n").cause == "broker-other-session")
    }

    @Test("A sentence that nothing explains is quoted: its words stay, its values don't")
    func unknown() throws {
        let text =
            "ERROR oauth2: The wizard lost its hat for user Jana Mori, ticket 4Xy9-planted, at https://a.kestrel.example/x?c=d"
        let explanation = try Self.explain(text)
        #expect(explanation.cause == Cause.unknown && explanation.findings.allSatisfy { $0.verdict != .failed })
        let shown = "\(explanation)"
        #expect(shown.contains("wizard lost its hat"))
        for line in [
            "OAuth helper crashed, password: abcd efgh ijkl mnop", "HTTP header Authorization: Bearer abcdefghijkl",
            "passphrase correct horse battery staple", "Cookie: session abcdefghijkl;",
        ] {
            let quote = Sentence.quoted(Array(line.utf8))
            #expect(!["efgh", "mnop", "abcdefghijkl", "correct"].contains(where: quote.contains), "\(quote)")
        }
        let said = Sentence.quoted(Array("[x] ##[error]Could not juggle: Not willing to".utf8))
        #expect(said.contains("Could not juggle: Not willing to"), "\(said)")
        for value in ["Jana", "Mori", "planted", "kestrel"] { #expect(!shown.contains(value)) }
        #expect(explanation.ticket?.text(for: .developer).contains("Who must do it: you.") == true)
    }

    @Test("A copy keeps the sentence and says nothing of its values")
    func copy() throws {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000))
        let text = "KestrelAuth.InvalidIssuerError: planted-value: Invalid issuer https://planted.kestrel.example\n"
        let copy = try #require(try explainer.examine(file: Array(text.utf8), copies: true).copy)
        #expect(copy.loss == nil && !copy.text.contains("planted") && !copy.text.contains("kestrel"))
    }

    @Test("No row has a text that a cell covers")
    func covered() {
        for row in KnownCause.bundled where row.with.isEmpty && row.without.isEmpty && row.strength != .guessed {
            for phrase in row.phrases where !phrase.text.contains("://") {
                let cell = Statement.row(in: phrase.text)
                #expect(cell == nil || cell?.subject != row.subject, "\(row.id): \(phrase.text)")
            }
        }
    }

    @Test("Each cell has one row, and the file has fewer rows than before the cells")
    func rows() {
        let cells = KnownCause.bundled.flatMap(\.cells)
        #expect(Set(cells).count == cells.count && cells.count > 90)
        #expect(cells.allSatisfy { KnownCause.vocabulary.subjects.contains($0.subject) })
        #expect(KnownCause.bundled.count < 197)
    }

    @Test("Twice the failing lines take at most 2.5 times as long")
    func time() throws {
        func seconds(_ count: Int) -> Double {
            let line = "2026-11-02 ERROR oauth: invalid state in callback https://a.example/cb?code=a&state=b nonce\n"
            let bytes = Array(String(repeating: line, count: count).utf8)
            // Other tests run beside this one.
            func spent() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }
            let start = spent()
            _ = LogFile(bytes)
            return spent() - start
        }
        // By turns, as the other tests slow the processor down at times.
        let rounds = (0..<5).map { _ in (once: seconds(300), twice: seconds(600)) }
        let (once, twice) = (rounds.map(\.once).min() ?? 0, rounds.map(\.twice).min() ?? 0)
        #expect(twice < 2.5 * once + 0.05)
    }
}

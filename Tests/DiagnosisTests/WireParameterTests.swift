import MSAL
import Testing

@testable import Diagnosis

/// The one table that decides who sees which value.
@Suite("Wire parameters")
struct WireParameterTests {
    private static let meanings = Set(ParameterDictionary.bundled.names + ParameterDictionary.bundled.headerNames)

    /// The names of the table whose meanings `parameters.json` doesn't have, with the reason.
    private static let unexplained: [(reason: String, names: [String])] = [
        ("masked in texts and tokens only", ["actor_token", "logout_token", "secret", "sid"]),
        ("no flow depends on it", ["alt-svc"]),
        (
            "metadata of the client, which parameters.json explains by prefix",
            ["x-app-name", "x-app-ver", "x-client-CPU", "x-client-OS", "x-client-SKU", "x-client-Ver"]
        ),
        (
            "only in recordings, where the rules read it",
            [
                "access-control-allow-origin", "access-control-request-method", "authorization_uri", "errorCode",
                "errorSummary", "origin", "referer", "resource_metadata", "sec-fetch-dest", "sec-fetch-mode",
                "sec-fetch-site", "status",
            ]
        ),
    ]

    @Test("Every name has a meaning, or is listed here with a reason")
    func everyNameIsExplained() {
        let reasons = Set(Self.unexplained.flatMap(\.names))
        for entry in WireParameter.all {
            let isClaim = entry.secrecy == .personal && ClaimDictionary.bundled.entry(forClaim: entry.name) != nil
            let isElsewhere = reasons.contains(entry.name) || isClaim
            #expect(Self.meanings.contains(entry.name) || isElsewhere, "\(entry.name) has no meaning")
            #expect(
                Self.meanings.contains(entry.name) == WireParameter.isListed(entry.name), "\(entry.name) is explained")
        }
        #expect(reasons.isSubset(of: Set(WireParameter.all.map(\.name)).subtracting(Self.meanings)))
    }

    @Test("Every name with a meaning is in the table", arguments: meanings.sorted())
    func everyMeaningHasAName(name: String) {
        #expect(WireParameter.isListed(name))
    }

    @Test("No name is listed twice")
    func unique() {
        let names = WireParameter.all.map { $0.name.lowercased() }
        #expect(Set(names).count == names.count)
    }

    @Test("Nobody else reads a secret or personal value", arguments: WireParameter.all.map(\.name))
    func hidden(name: String) throws {
        let entry = try #require(WireParameter.named(name))
        guard entry.secrecy == .secret || entry.secrecy == .personal else { return }
        for value in ["code", "3600", "openid", "https://a.example/", "login", "1.1", "invalid_grant", "[50076]"] {
            for audience in [Privacy.Audience.explanation, .support, .redactedCopy] {
                #expect(Privacy.shown(value, of: name, to: audience) == nil)
            }
        }
    }

    @Test(
        "A value is shown in its form only, and in a report only if the protocols define it",
        arguments: [
            ("client_id", "11111111-2222", "11111111-2222", nil), ("client_id", "ann@contoso.example", nil, nil),
            ("response_type", "code id_token", "code id_token", "code id_token"),
            ("response_type", "made up", "made up", nil), ("grant_type", "abc123def456", nil, nil),
            ("error", "invalid_grant", "invalid_grant", "invalid_grant"), ("error", "made_up", "made_up", nil),
            ("suberror", "bad_token", "bad_token", "bad_token"), ("error_codes", "[50076]", nil, "[50076]"),
            ("expires_in", "3600", "3600", "3600"), ("expires_in", "4915550123456", "4915550123456", nil),
            ("expires_in", "007", "7", nil), ("foci", "10", nil, "10"),
            ("correlation_id", "6F1C2B7E-0000-4000-8000-0000000000A1", "6F1C2B7E-0000-4000-8000-0000000000A1", nil),
            (
                "redirect_uri", "https://ann:pw@a.example/cb?code=x",
                "https://‹hidden›@a.example/cb?code=‹hidden›", nil
            ),
            (
                "redirect_uri", "https://a.example/a1b2c3d4e5f60/cb", "https://a.example/‹hidden›/cb", nil
            ), ("scope", "openid api://a/b", "openid api://a/b", nil), ("scope", "openid", "openid", "openid"),
            ("code", "abc", nil, nil), ("login_hint", "abc", nil, nil), ("made_up", "abc", nil, nil),
            ("Retry-After", "120", "120", "120"), ("x-client-sku", "MSAL.Linux", "MSAL.Linux", nil),
        ])
    func forms(name: String, value: String, explained: String?, reported: String?) {
        let length = "hidden, \(value.count) characters"
        #expect(Privacy.text(value, of: name, for: .explanation) == explained ?? length)
        #expect(Privacy.text(value, of: name, for: .support) == reported ?? "‹hidden›")
    }

    @Test("A screen and a shared flow hide secrets and unknown names, a shared flow also personal data")
    func flows() {
        for (name, screen, shareable) in [
            ("code", "‹redacted› 3 characters", "‹redacted› 3 characters"),
            ("made_up", "‹redacted› 3 characters", "‹redacted› 3 characters"), ("login_hint", "a@b", "‹personal›"),
            ("prompt", "a@b", "‹personal›"),
        ] {
            #expect(Privacy.text("a@b", of: name, for: .screen) == screen)
            #expect(Privacy.text("a@b", of: name, for: .shareable) == shareable)
        }
    }

    @Test("A copy has the value of a header field only from a header")
    func places() {
        #expect(Privacy.shown("42", of: "Age", in: .responseHeader, to: .redactedCopy) == "42")
        #expect(Privacy.shown("42", of: "age", in: .responseBody, to: .redactedCopy) == nil)
        #expect(Privacy.shown("1", of: "foci", in: .responseHeader, to: .redactedCopy) == nil)
    }

    private static func names(_ secrecy: WireParameter.Secrecy) -> String {
        WireParameter.all.filter { $0.secrecy == secrecy }.map(\.name).sorted().joined(separator: " ")
    }

    @Test("A row changes its secrecy only together with this list")
    func secrecy() {
        #expect(
            Self.names(.secret) == """
                access_token actor_token assertion authorization client_assertion client_secret code \
                code_verifier cookie device_code dpop id_token id_token_hint logout_token nonce password \
                proxy-authorization refresh_token request secret session_state set-cookie sid state \
                subject_token token user_code
                """)
        #expect(
            Self.names(.personal) == """
                address birthdate client_info domain_hint domain_req email email_verified family_name \
                gender given_name locale login_hint login_req logout_hint middle_name name nickname oid \
                phone_number phone_number_verified picture preferred_username profile profile_info sub \
                tid unique_name updated_at upn username website x-anchormailbox zoneinfo
                """)
        #expect(
            Self.names(.plain) == """
                accept accept-encoding accept-language access_type acr_values age allow alt-svc \
                api-version audience authorization_endpoint authorization_expires_in brk_client_id brk_redirect_uri cache-control \
                claims client-request-id client_id cloud_graph_host_name cloud_instance_host_name \
                cloud_instance_name code_challenge code_challenge_method connection content-encoding \
                content-language content-length content-type correlation_id date dc display error \
                error_codes error_description error_subcode error_uri etag expires expires_in expires_on \
                ext_expires_in foci grant_type haschrome host id_token_expires_in instance_aware \
                interval iss issued_token_type keep-alive last-modified max_age message msgraph_host nca not_before p p3p \
                pc post_logout_redirect_uri pragma prompt redirect_uri referrer-policy refresh_in \
                refresh_token_expires_in refresh_token_timeout req_cnf request-id request_uri requested_token_type resource response_mode \
                response_type retry-after return-client-request-id scope server slice \
                strict-transport-security suberror subject_token_type timestamp token_type token_type_hint trace_id \
                transfer-encoding ui_locales user-agent vary verification_uri verification_uri_complete \
                verification_url via www-authenticate x-app-name x-app-ver x-client-CPU x-client-OS \
                x-client-SKU x-client-Ver x-client-current-telemetry x-client-last-telemetry \
                x-content-type-options x-frame-options x-ms-clitelem x-ms-ests-server x-ms-httpver \
                x-ms-request-id
                """)
    }
}

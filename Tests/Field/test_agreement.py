"""Values that must agree and don't: each text is one that people post, and the explanation shows both values and what differs."""

import json

from field import FieldCase, complaint

CONFIGURED = "OIDC_ISSUER=https://id.birch.example/application/o/ledger\n"


class AgreementRow(FieldCase):
    def explain(self, text):
        file = self.workspace.path / "evidence.txt"
        file.write_text(text)
        return json.loads(self.succeed("explain", file, "--offline", "-o", "json"))

    def differ(self, text, cause, *values):
        """The cause comes first, and its evidence has these values."""
        explanation = self.explain(text)
        self.assertEqual(explanation["cause"], cause, explanation["summary"])
        subject = explanation["findings"][0]["subject"]
        rows = [row["value"] for section in explanation["sections"] if section["title"] == f"Evidence: {subject}"
                for row in section["rows"]]
        for value in values:
            self.assertIn(value, rows)

    @complaint(
        "https://github.com/OpenAEV-Platform/openaev/issues/360",
        "The application doesn't start: two issuers in one sentence of an exception, and nobody sees the slash",
        "Both issuers below each other, and \"Only the final slash differs\"")
    def test_the_slash_of_an_issuer(self):
        self.differ(
            'IllegalStateException: The Issuer "https://id.birch.example/" provided in the metadata did not match the requested '
            'issuer "https://id.birch.example"\n',
            "issuer-differs", "https://id.birch.example/", "https://id.birch.example", "Only the final slash differs.")

    @complaint(
        "https://github.com/constructorfabric/insight/issues/1903",
        "The login page is a 500 whose message has the unexpected value first and the expected one in parentheses",
        "The order of the sentence doesn't matter")
    def test_the_unexpected_value_first(self):
        self.differ(
            "ERROR discovery failed: unexpected issuer URI `https://id.birch.example/` (expected `https://id.birch.example`)\n",
            "issuer-differs", "Only the final slash differs.")

    @complaint(
        "https://github.com/JavaScriptSolidServer/JavaScriptSolidServer/issues/524",
        "The metadata has the issuer with a slash, the authorization response without",
        "The issuer in the response is compared with that in the metadata")
    def test_the_issuer_of_the_response(self):
        self.differ(
            '{"issuer":"https://pod.birch.example:8443/","jwks_uri":"https://pod.birch.example:8443/jwks"}\n'
            "https://app.birch.example/cb?code=1&state=2&iss=https%3A%2F%2Fpod.birch.example%3A8443\n"
            "Error: Issuer mismatch in the authorization response\n",
            "issuer-differs", "https://pod.birch.example:8443", "Only the final slash differs.")

    @complaint(
        "https://github.com/achtungsoftware/alarik/issues/14",
        "The message says that the issuers differ and names neither; the configuration stands below it",
        "A value of another form and place counts: here an environment variable beside the metadata")
    def test_a_message_without_values(self):
        self.differ(
            CONFIGURED + "the document's issuer does not match the configured issuer URL\n"
            '{"issuer": "https://id.birch.example/application/o/ledger/", "jwks_uri": "https://id.birch.example/jwks"}\n',
            "issuer-differs", "Only the final slash differs.")

    @complaint(
        "https://github.com/Azure-Samples/active-directory-aspnetcore-webapp-openidconnect-v2/issues/347",
        "Two audiences look the same in the message; the one in the settings ends with a blank",
        "The value stands in quotation marks with its blank, and the difference is named")
    def test_a_blank_in_the_settings(self):
        self.differ(
            "IDX10214: Audience validation failed. Audiences: 'api://ledger'. Did not match: validationParameters.ValidAudience: "
            "'api://ledger ' or validationParameters.ValidAudiences: 'null'.\n",
            "audience-differs", '"api://ledger "', "One has a blank at its start or end.")

    @complaint(
        "https://github.com/kubernetes-sigs/headlamp/issues/670",
        "The API server rejects the tokens, and the reason is in its log, with escaped quotation marks",
        "The audience that is expected and that of the token")
    def test_the_audience_of_the_cluster(self):
        self.differ(
            'E0817 1 authentication.go:63] "Unable to authenticate the request" err="[invalid bearer token, oidc: verify token: '
            'oidc: expected audience \\"kubernetes\\" got [\\"headlamp\\"]]"\n',
            "audience-differs", "kubernetes", "headlamp")

    @complaint(
        "https://github.com/auth0/auth0.js/issues/473",
        "The API expects its URL as the audience, and the page sends the token for its own client ID",
        "The expected audience of the message is compared with the claim of the token below it")
    def test_the_token_of_the_page(self):
        self.differ(
            '"message": "jwt audience invalid. expected: http://localhost:1337"\n{ "aud": "ledger-page", "exp": 1500586000 }\n',
            "audience-differs", "http://localhost:1337", "ledger-page")

    @complaint(
        "https://github.com/DuendeArchive/IdentityServer4/issues/2101",
        "Why is the redirect URI http, although the registered one is https? Both stand in the log of the provider",
        "Sent and registered redirect URI, and \"Only the scheme differs\"")
    def test_the_scheme_behind_a_proxy(self):
        self.differ(
            "fail: Invalid redirect_uri: http://store.birch.example/signin-oidc\n{\n"
            '  "AllowedRedirectUris": [\n    "https://store.birch.example/signin-oidc"\n  ]\n}\n',
            "redirect-uri-not-registered", "http://store.birch.example/signin-oidc", "Only the scheme differs.")

    @complaint(
        "https://github.com/christiaangoossens/hass-oidc-auth/issues/91",
        "The error page has the URI with http; the user writes that the one with https is registered",
        "What the user wrote counts as the registered URI")
    def test_the_words_of_a_user(self):
        self.differ(
            "In the portal I registered https://home.birch.example/auth/callback.\nAADSTS50011: The redirect URI "
            "'http://home.birch.example/auth/callback' specified in the request does not match the redirect URIs configured.\n",
            "redirect-uri-not-registered", "https://home.birch.example/auth/callback", "Only the scheme differs.")

    @complaint(
        "https://github.com/keycloak/keycloak-community/issues/185",
        "Keycloak's log has the redirect URI, and a table in the ticket the registered one, with another port",
        "The row of the table is read, and the port is named")
    def test_the_port_in_a_table(self):
        self.differ(
            "type=LOGIN_ERROR, clientId=hub, error=invalid_redirect_uri, redirect_uri=http://192.168.100.1:8600/hub/callback\n"
            "| Valid Redirect URIs | http://192.168.100.1:8000/hub/callback |\n",
            "redirect-uri-not-registered", "http://192.168.100.1:8600/hub/callback", "Only the port differs.")

    @complaint(
        "https://github.com/OpenIDC/mod_auth_openidc/issues/478",
        "The page and the redirect URI have different hosts, in parentheses and without a scheme",
        "Both hosts")
    def test_hosts_in_parentheses(self):
        self.differ(
            "[error] the URL hostname (sso.birch.example) of the configured OIDCRedirectURI does not match the URL hostname of the "
            "URL being accessed (www.birch.example): the cookies will not be shared\n",
            "host-differs", "sso.birch.example", "www.birch.example")

    @complaint(
        "https://github.com/mariovalney/laravel-keycloak-web-guard/issues/116",
        "The sign-in goes round between callback and login since the session's cookie is SameSite=Strict; half a day",
        "Three rounds are a failure although each response is in order, and the cookie is the reason")
    def test_a_loop(self):
        rounds = "".join(
            f"GET /login HTTP/1.1\nHost: desk.birch.example\n\nHTTP/1.1 302 Found\nSet-Cookie: s={number}; secure; samesite=strict\n"
            f"Location: https://sso.birch.example/auth\n\nGET /callback?code=c{number}&state={number} HTTP/1.1\n"
            "Host: desk.birch.example\n\nHTTP/1.1 302 Found\nLocation: https://desk.birch.example/login\n\n"
            for number in range(3))
        explanation = self.explain(rounds)
        self.assertEqual(explanation["cause"], "cookie-lost")
        self.assertIn("SameSite=Strict", explanation["findings"][0]["fact"])
        self.assertEqual(explanation["findings"][0]["verdict"], "failed")

    @complaint(
        "https://github.com/aws-actions/configure-aws-credentials/issues/511",
        "The cloud says only that the job may not assume the role. Its trust policy names a branch, the token an environment",
        "The condition on `sub` and the token's, below each other, for the administrator")
    def test_the_subject_of_a_trust_policy(self):
        self.differ(
            "Error: Could not assume role with OIDC: Not authorized to perform sts:AssumeRoleWithWebIdentity\n"
            '"Condition": { "StringEquals": {\n'
            '  "token.ci.birch.example:aud": "sts.birch.example",\n'
            '  "token.ci.birch.example:sub": "repo:birch/operations:ref:refs/heads/main"\n}}\n'
            'the claims of the job:\n"aud": "sts.birch.example",\n"sub": "repo:birch/operations:environment:production"\n',
            "subject-differs", "repo:birch/operations:ref:refs/heads/main", "repo:birch/operations:environment:production")

    @complaint(
        "https://github.com/int128/kubelogin/issues/156",
        "The sign-in works, and kubectl must be logged in: the API server and the plugin have the same options with other values",
        "The options of the API server are told from the plugin's by the lines around them, and compared")
    def test_the_options_of_an_api_server(self):
        self.differ(
            "# /etc/kubernetes/manifests/kube-apiserver.yaml\n- --oidc-issuer-url=https://id.birch.example/k8s\n"
            "- --oidc-client-id=kubernetes\n- --oidc-username-claim=sub\n\n$ kubectl oidc-login get-token -v1\n"
            '{\n "iss": "https://id.birch.example/k8s",\n "aud": "laptop"\n}\n'
            "error: You must be logged in to the server (Unauthorized)\n",
            "audience-differs", "kubernetes", "laptop")

    @complaint(
        "https://github.com/synfinatic/aws-sso-cli/issues/453",
        "After Allow, the page says \"Invalid grant provided\". The settings have another region than the page",
        "Both regions: that of the settings, and that in the page's URL")
    def test_the_region_of_a_page(self):
        self.differ(
            "SSORegion: us-east-1\nStartUrl: https://birch.awsapps.com/start\n"
            "https://birch.awsapps.com/start/user-consent/authorize.html?clientType=public&region=us-east-2\ninvalid_grant\n",
            "aws-sso-region", "us-east-1", "us-east-2")

    @complaint(
        "https://github.com/quarkusio/quarkus/issues/9251",
        "A rejected token, and no reason in the log. Its claims and the time of the line show that it was over",
        "The expiry is compared with the time of the rejection")
    def test_the_times_of_a_token(self):
        rejected = "2025-06-15 08:00:01,200 DEBUG [jwt] Token is invalid\n"
        self.differ(
            '{"iat": 1749902400, "exp": 1749906000}\n' + rejected, "token-expired", "2025-06-14T13:00:00Z",
            "2025-06-15T08:00:01Z")

    @complaint(
        "https://github.com/Clever/saml2/issues/136",
        "\"Not valid for this audience\", and the advice on the web is about tokens, although the protocol is SAML",
        "The advice for SAML: one entity ID at the provider and in the application")
    def test_advice_for_saml(self):
        self.assertIn("entity ID", json.dumps(self.explain("Error: SAML Response is not valid for this audience\n")))

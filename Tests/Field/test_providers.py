"""Providers as they are: scopes that they don't know, firewalls before them, parameters of their own."""

import urllib.parse

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider


class PickyProvider(StrictProvider):
    """Rejects the whole authorization request for a scope that it doesn't list, as Amazon Cognito and Google do, and each
    request without a User-Agent, as firewalls do."""

    def __init__(self, *scopes):
        super().__init__()
        self.scopes = scopes
        self.accepts_all = False
        # The parameters of the authorization and token requests, and the User-Agent fields.
        self.authorizations, self.redemptions, self.agents = [], [], []

    def metadata(self):
        return {**super().metadata(), "scopes_supported": list(self.scopes)}

    def get(self, handler):
        if self.passes(handler):
            super().get(handler)

    def post(self, handler, body):
        if self.passes(handler):
            super().post(handler, body)

    def passes(self, handler):
        agent = handler.headers.get("User-Agent")
        if not agent:
            handler.answer(403, "<html><title>Forbidden</title></html>", "text/html")
            return False
        self.agents.append(agent)
        return True

    def authorize(self, handler, query):
        self.authorizations.append(query)
        unknown = [] if self.accepts_all else [name for name in query["scope"].split() if name not in self.scopes]
        if unknown:
            answer = urllib.parse.urlencode({
                "error": "invalid_scope", "error_description": f"Scope not allowed: {unknown[0]}", "state": query["state"]})
            return handler.answer(302, "", Location=f"{query['redirect_uri']}?{answer}")
        return super().authorize(handler, query)

    def token(self, handler, form):
        self.redemptions.append(form)
        return super().token(handler, form)


class ProviderRow(FieldCase):
    def sign_in(self, *scopes, **profile):
        self.provider = self.closing(PickyProvider(*scopes))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"}, **profile)
        self.workspace._use_browser(CURL)
        return self.workspace.run("sign-in", "--method", "browser")

    def requested(self):
        return self.provider.authorizations[-1]["scope"].split()

    @complaint(
        "https://github.com/onyx-dot-app/onyx/issues/11931",
        "Amazon Cognito rejects the whole request for `offline_access`, which the program always adds. The user can't leave it "
        "out",
        "Of its own scopes, it requests those that the metadata lists")
    def test_an_unlisted_scope_is_not_requested(self):
        result = self.sign_in("openid", "email", "phone", "profile")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(self.requested()), ["email", "openid", "profile"])

    @complaint(
        "https://github.com/nuxt-community/auth-module/issues/1359",
        "The default scopes come back although the user configured others, and the provider rejects them",
        "A scope that the profile names is requested as it is, also `offline_access`; no other is added")
    def test_a_named_scope_is_requested(self):
        result = self.sign_in("openid", "email", "offline_access", scopes=["email", "offline_access"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(self.requested()), ["email", "offline_access", "openid"])
        self.refresh()

    @complaint(
        "https://github.com/Chainlit/chainlit/issues/2136",
        "\"invalid_scope\" with no word about which scope, or where it comes from",
        "The message names the scope, and whether the profile or every sign-in requests it")
    def test_a_rejected_scope_is_named(self):
        result = self.sign_in("openid", "profile", scopes=["reports"])
        self.assertIn("Check the spelling of reports", " ".join(result.stderr.split()))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"}, scopes=["offline_access"])
        result = self.workspace.run("sign-in", "--method", "browser")
        self.assertIn("Every sign-in requests offline_access", " ".join(result.stderr.split()))

    @complaint(
        "https://github.com/aws-samples/anthropic-on-aws/issues/310",
        "Nothing says before the first sign-in that this provider gives no refresh token, or what to configure",
        "`keyturn check` warns that the metadata doesn't list `offline_access`, and says what to do")
    def test_check_finds_the_missing_refresh_token(self):
        self.provider = self.closing(PickyProvider("openid", "email"))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"})
        result = self.workspace.run("check")
        self.assertRegex(result.stdout, r"Refresh token\s.*doesn't list offline_access")

    @complaint(
        "https://github.com/anthropics/claude-code/issues/47390",
        "Discovery, registration and token requests have no User-Agent, so that firewalls answer 403 with a web page",
        "Each request has `User-Agent: keyturn/VERSION`")
    def test_every_request_has_a_user_agent(self):
        result = self.sign_in("openid", "email", "offline_access")
        self.assertEqual(result.returncode, 0, result.stderr)
        version = self.succeed("--version").split()[1]
        self.refresh()
        agents = {agent for agent in self.provider.agents if not agent.startswith("curl/")}
        self.assertEqual(agents, {f"keyturn/{version}"})

    @complaint(
        "https://github.com/openstreetmap/operations/issues/1339",
        "A server blocks the User-Agent of a library, and the user can't change it",
        "`call -H 'User-Agent: …'` replaces it")
    def test_a_call_can_name_another_agent(self):
        self.sign_in("openid", "email", "offline_access")
        self.succeed("call", "-H", "User-Agent: osmcal/1.0", f"{self.provider.issuer}/api")
        self.assertEqual(self.provider.agents[-1], "osmcal/1.0")

    @complaint(
        "https://github.com/nbarbettini/oidc-debugger/issues/79",
        "Without the parameter `audience`, Auth0 issues an opaque token that the API can't read. There is no way to send it",
        "The profile's `audience` is sent with each request for tokens")
    def test_an_audience(self):
        result = self.sign_in("openid", "email", "offline_access", audience="https://api.example")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.refresh()
        for parameters in [*self.provider.authorizations, *self.provider.redemptions]:
            self.assertEqual(parameters["audience"], "https://api.example")

    @complaint(
        "https://github.com/auth0/auth0-cli/issues/344",
        "The token that the program prints is for another API than the one asked for",
        "A cached token is used only for the audience that it was requested for")
    def test_a_token_of_another_audience_is_not_used(self):
        self.sign_in("openid", "email", "offline_access", audience="https://a.example")
        first = self.succeed("token", "--no-interaction")
        self.assertEqual(self.succeed("token", "--no-interaction"), first)
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"}, audience="https://b.example")
        self.assertNotEqual(self.succeed("token", "--no-interaction"), first)
        self.assertEqual(self.provider.redemptions[-1]["audience"], "https://b.example")

    @complaint(
        "https://github.com/zitadel/oidc/issues/659",
        "The library builds the authorization request and leaves no way to add a provider's parameter",
        "The profile's `extraParameters`")
    def test_extra_parameters(self):
        self.sign_in("openid", "email", extraParameters={"kc_idp_hint": "github", "organization": "org_1"})
        self.assertEqual(self.provider.authorizations[-1]["kc_idp_hint"], "github")
        self.assertEqual(self.provider.authorizations[-1]["organization"], "org_1")


class NamelessProvider(StrictProvider):
    """Its ID tokens have only a subject, as OpenID Connect Core allows. The userinfo endpoint knows more."""

    def __init__(self, user_info):
        super().__init__()
        self.user_info = user_info

    def metadata(self):
        return {**super().metadata(), "userinfo_endpoint": f"{self.issuer}/me"}

    def get(self, handler):
        if handler.path == "/me":
            handler.answer(200, self.user_info)
        else:
            super().get(handler)

    def claims(self, client):
        return {name: value for name, value in super().claims(client).items() if name != "preferred_username"}


class NameRow(FieldCase):
    def sign_in(self, user_info):
        self.setUpProvider(NamelessProvider(user_info))
        self.workspace._use_browser(CURL)
        self.succeed("sign-in", "--method", "browser")

    @complaint(
        "https://github.com/zamnzim/Libreseerr/pull/22",
        "An ID token with only `sub` is not empty, so that nobody asks the userinfo endpoint, and the user is called by an "
        "identifier",
        "The userinfo endpoint names the user if the ID token doesn't")
    def test_an_id_token_with_only_a_subject(self):
        self.sign_in({"sub": "1", "preferred_username": "ada", "name": "Ada"})
        self.assertIn("ada", self.succeed("accounts"))
        self.succeed("token", "--account", "ada", "--no-interaction")

    @complaint(
        "https://github.com/discord/discord-api-docs/issues/7460",
        "The userinfo endpoint returns no `sub`. A program that needs it fails after the tokens were issued",
        "The sign-in succeeds, and the subject stays the name")
    def test_user_info_without_a_subject(self):
        self.sign_in({"id": "1", "username": "ada"})
        self.assertNotIn("ada", self.succeed("accounts"))


class CommaProvider(StrictProvider):
    def tokens(self, *arguments):
        return {**super().tokens(*arguments), "scope": "openid,email,offline_access"}


class CommaRow(FieldCase):
    @complaint(
        "https://github.com/jupyterhub/oauthenticator/pull/820",
        "GitHub separates the granted scopes by commas, so that the program finds none of two requested ones",
        "Scopes separated by commas are scopes")
    def test_scopes_with_commas(self):
        self.setUpProvider(CommaProvider())
        self.workspace._use_browser(CURL)
        self.succeed("sign-in", "--method", "browser")
        self.succeed("token", "--scope", "email", "--no-interaction")

"""Resources and clusters: which server a token is for, and which of the tokens it wants."""

import json
import time

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support import person
from support.hostile_server import HostileServer
from support.provider import start_authority


class NamingProvider(StrictProvider):
    """Its resource metadata names the resource in its own way."""

    def __init__(self, name, only_at_root=False):
        super().__init__()
        self.name, self.only_at_root = name, only_at_root

    def get(self, handler):
        place = "/.well-known/oauth-protected-resource"
        if not handler.path.startswith(place):
            return super().get(handler)
        if self.only_at_root and handler.path != place:
            return handler.answer(404, {})
        return handler.answer(
            200, {"resource": self.issuer + self.name, "authorization_servers": [self.issuer]})

    def serve(self, handler, path):
        if handler.headers.get("Authorization"):
            return super().serve(handler, path)
        return handler.answer(401, {}, WWW_Authenticate="Bearer")


class ResourceRow(FieldCase):
    def sign_in(self, provider, path):
        self.setUpProvider(provider)
        self.workspace._use_browser(CURL)
        return self.workspace.run("sign-in", "--method", "browser", "--resource", self.provider.issuer + path)

    @complaint(
        "https://github.com/microsoft/vscode/issues/259251",
        "The metadata names `/mcp`, the user typed `/mcp/`: no sign-in, because the texts differ",
        "A slash at the end means nothing")
    def test_a_slash(self):
        for named, typed in (("/resource/mcp", "/resource/mcp/"), ("/resource/mcp/", "/resource/mcp")):
            with self.subTest(typed):
                result = self.sign_in(NamingProvider(named), typed)
                self.assertEqual(result.returncode, 0, result.stderr)

    @complaint(
        "https://github.com/PrimeIntellect-ai/prime-agent/pull/2357",
        "The metadata at the root names the whole server, which is rejected for the endpoint `/mcp`",
        "A parent at the same origin is accepted, and a notice says that the token is for all of it")
    def test_an_origin(self):
        result = self.sign_in(NamingProvider("", only_at_root=True), "/resource/mcp")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("The token is for all of", result.stderr)

    @complaint(
        "https://github.com/modelcontextprotocol/python-sdk/issues/1400",
        "A resource that differs is rejected although it is harmless, or accepted although it isn't",
        "Another path is another resource, and nothing is sent")
    def test_another_path(self):
        result = self.sign_in(NamingProvider("/resource/other"), "/resource/mcp")
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(self.provider.registrations, 0)


class ExpiringProvider(StrictProvider):
    """Issues each registered client a secret that has expired by the next sign-in."""

    def post(self, handler, body):
        if handler.path != "/register":
            return super().post(handler, body)
        answer = handler.answer
        handler.answer = lambda status, value: answer(
            status, {
                **value, "client_secret": "aSecretOfTheProvider", "client_secret_expires_at": 1,
                "token_endpoint_auth_method": "client_secret_post"})
        return super().post(handler, body)


class ReticentProvider(StrictProvider):
    """Its metadata lists no scopes, and its resource only its own."""

    def __init__(self):
        super().__init__()
        self.requested, self.registered = [], []

    def get(self, handler):
        if handler.path.startswith("/.well-known/oauth-protected-resource/"):
            place = handler.path.removeprefix("/.well-known/oauth-protected-resource")
            return handler.answer(
                200, {"resource": self.issuer + place, "authorization_servers": [self.issuer], "scopes_supported": ["a"]})
        return super().get(handler)

    def metadata(self):
        return {name: value for name, value in super().metadata().items() if name != "scopes_supported"}

    def authorize(self, handler, query):
        self.requested = query["scope"].split()
        return super().authorize(handler, query)

    def post(self, handler, body):
        if handler.path == "/register":
            self.registered = json.loads(body)["scope"].split()
        return super().post(handler, body)


class RegistrationRow(FieldCase):
    """Without a configuration."""

    def sign_in_to(self, provider, *arguments):
        self.workspace._use_browser(CURL)
        self.resource = provider.resource("mcp")
        return self.workspace.run("sign-in", "--method", "browser", "--resource", self.resource, *arguments)

    @complaint(
        "https://github.com/modelcontextprotocol/python-sdk/issues/3256",
        "The secret of a registered client expires, and no later sign-in recovers: the old client is sent again and again",
        "The next sign-in registers again, and a silent request says that the secret may have expired")
    def test_an_expired_secret(self):
        provider = self.closing(ExpiringProvider())
        for registrations in (1, 2):
            result = self.sign_in_to(provider)
            self.assertEqual((result.returncode, provider.registrations), (0, registrations), result.stderr)
        provider.clients.clear()
        refused = self.workspace.run("token", "--resource", self.resource, "--force-refresh", "--no-interaction")
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn("its secret has expired", " ".join(refused.stderr.split()))

    @complaint(
        "https://github.com/anomalyco/opencode/issues/34034",
        "The scopes that the user configures are ignored where the resource lists its own, so `offline_access` is never sent",
        "Every scope that the user names is registered and requested")
    def test_scopes_that_the_user_names(self):
        provider = self.closing(ReticentProvider())
        result = self.sign_in_to(provider, "--scope", "a", "--scope", "b", "--scope", "offline_access")
        for scopes in (provider.registered, provider.requested):
            self.assertLessEqual({"a", "b", "offline_access"}, set(scopes), result.stderr)
        # It grants neither of the two.
        self.assertEqual(result.returncode, 8, result.stderr)


class OneTenantRow(FieldCase):
    """Two servers of one tenant, at an authority where only scopes say what a token is for."""

    SCOPE = "api://keyturn-files/Files.Read"

    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace)).address
        good, bad = (self.closing(HostileServer(f"{authority}/contoso/v2.0", scopes=[self.SCOPE])) for _ in range(2))
        self.good, self.bad = good, bad
        self.workspace.configure(
            clientId=person.DEMO_CLIENT_ID, authority=f"{authority}/contoso", authorityType="aad",
            knownAuthorities=[f"{authority}/contoso"], scopes=["User.Read"], resources={good.origin: [self.SCOPE]})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.succeed("sign-in")
        self.succeed("sign-in", "--scope", self.SCOPE)

    @complaint(
        "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1581",
        "A second server names the first one's scopes, and gets its tokens without a page: consent and browser session exist",
        "A yes is for one URL; the second server needs its own, and gets nothing until then")
    def test_a_second_server_with_the_same_scopes(self):
        self.succeed("token", "--resource", self.good.address, "--no-interaction")
        for command in (["token", "--resource", self.bad.address], ["call", self.bad.address]):
            refused = self.workspace.run(*command)
            self.assertEqual((refused.returncode, refused.stdout), (4, ""), refused.stderr)
        self.assertEqual(self.bad.tokens, [])
        self.workspace.run("call", self.good.address)
        self.assertEqual(len(self.good.tokens), 1)


class ClusterProvider(StrictProvider):
    """Its ID tokens end before its access tokens."""

    id_lifetime = 600

    def claims(self, client):
        return {**super().claims(client), "exp": int(time.time()) + self.id_lifetime}


class ClusterRow(FieldCase):
    @complaint(
        "https://github.com/dexidp/dex/issues/1336",
        "kubectl gets a token that the API server can't verify: \"invalid bearer token\"",
        "`-o exec-credential` prints the ID token of an OpenID provider, and renews it when it has expired")
    def test_a_cluster_with_an_issuer(self):
        self.setUpProvider(ClusterProvider())
        self.provider.id_lifetime = 5
        self.workspace._use_browser(CURL)
        self.succeed("sign-in", "--method", "browser")
        old = json.loads(self.succeed("token", "-o", "json", "--no-interaction"))["idToken"]
        self.provider.id_lifetime = 600
        credential = json.loads(self.succeed("token", "-o", "exec-credential", "--no-interaction"))["status"]
        tokens = json.loads(self.succeed("token", "-o", "json", "--no-interaction"))
        self.assertEqual(credential["token"], tokens["idToken"])
        self.assertNotEqual(credential["token"], old)
        chosen = self.succeed("token", "-o", "exec-credential", "--token", "access", "--no-interaction")
        self.assertEqual(json.loads(chosen)["status"]["token"], tokens["accessToken"])
        self.assertEqual(self.succeed("token", "--token", "id", "--no-interaction").strip(), tokens["idToken"])

"""Tokens at other servers than their own: what clients of other programs were told, and what happens here."""

import time

from field import CURL, FieldCase, complaint
from joserfc import jwt
from strict_provider import StrictProvider
from support.hostile_authority import HostileAuthority
from support.hostile_server import HostileServer
from support.authority import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN
from test_destinations import FILES, DestinationCase


class MovingProvider(StrictProvider):
    """Later, its metadata names a server of somebody else's."""

    thief = None

    def metadata(self):
        members = super().metadata()
        if self.thief:
            members["token_endpoint"] = f"{self.thief}/token"
        return members

    def get(self, handler):
        if handler.path.endswith(("/openid-configuration", "/oauth-authorization-server")):
            return handler.answer(200, self.metadata(), Cache_Control="max-age=0")
        return super().get(handler)


def bind(provider, audience):
    claims = {"iss": provider.issuer, "sub": "1", "aud": audience, "exp": int(time.time()) + 600}
    provider.others = {"access_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, provider.key)}


class AudienceRow(FieldCase):
    def server(self, audience=None):
        """A server of somebody else's, whose tokens come from a provider with this audience in each of them: its own by default."""
        provider = self.setUpProvider(StrictProvider())
        self.workspace._use_browser(CURL)
        server = self.closing(HostileServer(provider.issuer))
        bind(provider, server.address if audience is None else audience)
        return server

    @complaint(
        "https://github.com/engram-app/Engram/issues/1242",
        "The authority passes `resource` along and binds no token to it: one for this server is good at each other one",
        "A readable token that names other audiences needs the user's yes for this server, once")
    def test_a_provider_that_ignores_the_resource(self):
        for audience in ("native", "https://api.example/", []):
            with self.subTest(audience):
                server = self.server(audience)
                for command in (["call"], ["sign-in", "--resource"], ["token", "--resource"]):
                    result = self.workspace.run(*command, server.address)
                    self.assertEqual(result.returncode, 4, (command, result.stderr))
                    self.assertNotIn("eyJ", result.stdout + result.stderr)
                self.assertEqual(server.tokens, [])
        terminal = self.closing(
            PseudoTerminal([KEYTURN, "call", server.address], self.workspace.environment, columns=500))
        terminal.read_until(b"asks for a token of", b"[y/N]")
        terminal.press(b"y\n")
        wait_until(lambda: server.tokens, 20, "no token arrived")
        terminal.read_to_end()
        self.workspace.run("call", server.address, "--no-interaction")
        self.assertGreater(len(server.tokens), 1)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/90497",
        "The client sends no `resource`, and a strict server rejects the token, whose audience is the client",
        "The request names the server, and its tokens go there without a question: for the URL or its origin")
    def test_a_bound_token(self):
        for audience in ("", "/", "/mcp"):
            with self.subTest(audience):
                server = self.server()
                bind(self.provider, [server.origin + audience])
                self.workspace.run("call", server.address)
                self.assertGreater(len(server.tokens), 0)

    @complaint(
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/592",
        "A server's metadata names the user's authority, which issues opaque tokens and ignores `resource`: nobody can see what they open",
        "The opaque token of the profile's client needs a yes for this server, or its profile on the command line")
    def test_an_opaque_token_of_the_profile(self):
        server = self.server()
        self.provider.others = {}
        for command in (["call"], ["sign-in", "--resource"], ["token", "--resource"]):
            result = self.workspace.run(*command, server.address)
            self.assertEqual(result.returncode, 4, (command, result.stderr))
        self.assertEqual(server.tokens, [])
        self.workspace.run("call", "--profile", "test", server.address)
        self.assertGreater(len(server.tokens), 0)

    @complaint(
        "https://github.com/keycloak/keycloak/issues/14355",
        "The authority ignores `resource`, so each token is good for every server that accepts the authority's tokens",
        "The yes for one server is none for the next one, and is asked once for each")
    def test_one_yes_for_each_server(self):
        first = self.server("account")
        second = self.closing(HostileServer(self.provider.issuer))
        for server in (first, second):
            self.assertEqual(self.workspace.run("call", server.address).returncode, 4)
            self.assertEqual(server.tokens, [])
            terminal = self.closing(
                PseudoTerminal([KEYTURN, "call", server.address], self.workspace.environment, columns=500))
            terminal.read_until(b"[y/N]")
            terminal.press(b"y\n")
            wait_until(lambda: server.tokens, 20, "no token arrived")
            terminal.read_to_end()
            before = len(server.tokens)
            self.workspace.run("call", server.address, "--no-interaction")
            self.assertGreater(len(server.tokens), before)

    @complaint(
        "https://github.com/IBM/mcp-context-forge/issues/3563",
        "The stored token goes to the server without a look at its audience: only its expiry is checked",
        "With --resource, a token for one server goes to another one only with the user's yes for that")
    def test_another_server_than_the_resource(self):
        good, evil = self.server(), self.closing(HostileServer(self.provider.issuer))
        self.workspace.run("call", good.address)
        self.assertGreater(len(good.tokens), 0)
        refused = self.workspace.run("call", "--resource", good.address, evil.address)
        self.assertEqual((refused.returncode, evil.tokens), (4, []), refused.stderr)
        self.assertIn(f"{evil.address} asks for a token", " ".join(refused.stderr.split()))

    @complaint(
        "https://github.com/forwardemail/superagent/issues/1844",
        "A redirect with 307 or 308 takes the token to another origin, although one with 302 doesn't",
        "No redirect takes a token to another origin")
    def test_a_redirect_to_another_origin(self):
        thief = self.closing(HostileServer(""))
        server = self.server()
        server.leads = f"{thief.origin}/mcp"
        called = self.workspace.run("call", server.address)
        self.assertIn("without the token", called.stderr)
        self.assertEqual((len(server.tokens), thief.tokens, len(thief.requests)), (1, [], 1), called.stderr)

    @complaint(
        "https://github.com/algesten/ureq/pull/445",
        "The client drops the token at each redirect, so a server that adds a slash to the path never gets it",
        "The token follows a redirect to the resource's own path and below it, but not to the rest of the host")
    def test_a_redirect_of_the_same_origin(self):
        for path, reached in (("/mcp/", ["/mcp", "/mcp/"]), ("/mcp/v2", ["/mcp", "/mcp/v2"]), ("/others", ["/mcp"])):
            server = self.server()
            server.leads = path
            called = self.workspace.run("call", server.address)
            self.assertEqual(server.reached[:2], reached, called.stderr)


class StepUpRow(DestinationCase):
    def agreed(self):
        server = self.hostile(scopes=[FILES])
        _, status = self.answer(b"y\n", "sign-in", "--resource", server.address)
        self.assertEqual(status, 0)
        return server

    @complaint(
        "https://github.com/anthropics/claude-code/issues/44652",
        "After a 403 with insufficient_scope, the client reads metadata again but never gets a suitable token",
        "A step-up without scopes keeps those that the user allowed for this server, and the error has its own reason")
    def test_a_step_up_without_scopes(self):
        server = self.agreed()
        server.then = ['error="insufficient_scope", error_description="Ask your admin"']
        called = " ".join(self.workspace.run("call", server.address, "--no-interaction").stderr.split())
        self.assertIn("Ask your admin", called)
        self.assertNotIn("Graph", called)

    @complaint(
        "https://github.com/modelcontextprotocol/csharp-sdk/issues/1547",
        "A step-up asks only for the new scopes, and the user loses what was allowed before",
        "The question is about the new scopes alone, and says which ones the server has already")
    def test_a_step_up_for_more(self):
        server = self.agreed()
        server.then = ['error="insufficient_scope", scope="api://keyturn-files/Files.ReadWrite"']
        shown, _ = self.answer(b"n\n", "call", server.address)
        self.assertIn("with api://keyturn-files/Files.ReadWrite, as ann@", shown)
        self.assertIn(f"Already allowed here: {FILES}", shown)
        self.assertIn(f"It still gets only tokens with {FILES}", " ".join(shown.split()))

    @complaint(
        "https://github.com/mcp-use/mcp-use/pull/2258",
        "What a server's metadata said at first is used for ever, although the document at the same URL has changed",
        "Before the user is asked, the server is, so that the question names today's scopes")
    def test_what_the_server_asks_for_has_changed(self):
        server = self.hostile(scopes=["api://keyturn-old/Old.Read"])
        self.assertIn("keyturn-old", self.workspace.run("call", server.address).stderr)
        server.scopes = [FILES]
        refused = self.workspace.run("token", "--resource", server.address).stderr
        self.assertIn(FILES, refused)
        self.assertNotIn("keyturn-old", refused)


class RelayingProvider(StrictProvider):
    """Passes on a device code of somebody else's authority, whose page it names."""

    page = "https://login.example/device"

    def post(self, handler, body):
        if handler.path != "/device":
            return super().post(handler, body)
        return handler.answer(200, {
            "device_code": "d", "user_code": "ABCD", "verification_uri": self.page, "expires_in": 60, "interval": 1})


class MixUpRow(FieldCase):
    @complaint(
        "https://github.com/oxidecomputer/oxide.rs/issues/1016",
        "An attacker requests a device code at an honest authority and has the user enter it, and gets the tokens",
        "A resource's authority that names another host's page for its code is refused without a terminal, and the code isn't shown")
    def test_a_device_code_of_another_authority(self):
        provider = self.closing(RelayingProvider())
        for command in (["sign-in", "--method", "device", "--resource"], ["sign-in", "-q", "--method", "device", "--resource"]):
            result = self.workspace.run(*command, provider.resource("a"))
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertNotIn("ABCD", result.stdout + result.stderr)
            self.assertIn("login.example", result.stderr)

    @complaint(
        "https://github.com/apify/mcpc/pull/389",
        "The destination of a refresh is read from the server's metadata each time, whatever it was at the login",
        "A refresh token goes only to the servers of the sign-in; after the metadata has named another one, to none")
    def test_metadata_that_changes_after_the_sign_in(self):
        provider = self.setUpProvider(MovingProvider())
        self.workspace._use_browser(CURL)
        thief = self.closing(HostileServer(""))
        server = provider.resource("a")
        self.succeed("sign-in", "--resource", server)
        provider.thief = thief.origin
        result = self.workspace.run("token", "--resource", server, "--force-refresh", "--no-interaction")
        self.assertIn("which would get your tokens", " ".join(result.stderr.split()))
        self.assertEqual(thief.requests, [], result.stderr)
        provider.thief = None
        self.succeed("token", "--resource", server, "--force-refresh", "--no-interaction")

    @complaint(
        "https://github.com/anomalyco/opencode/pull/47814",
        "If the server's metadata names another authority later, that one gets the refresh token of the first",
        "Tokens are kept for the issuer that gave them, and no other one gets them")
    def test_another_authority_after_the_sign_in(self):
        self.setUpProvider(StrictProvider())
        self.workspace._use_browser(CURL)
        server, other = self.closing(HostileServer(self.provider.issuer)), self.closing(StrictProvider())
        bind(self.provider, server.address)
        self.succeed("sign-in", "--resource", server.address)
        posts = []
        other.post = lambda handler, body: (posts.append(body), handler.answer(400, {"error": "invalid_grant"}))
        server.authority = other.issuer
        for words in (["token", "--force-refresh"], ["token"], ["sign-in"]):
            self.workspace.run(*words, "--resource", server.address)
        self.assertFalse([body for body in posts if "refresh_token=" in body], posts)

    @complaint(
        "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1721",
        "A client of several authorities can give one of them what belongs to another, and nothing obliges them to name themselves",
        "An endpoint that gets codes or tokens of a page must belong to it, or the response must name the issuer")
    def test_tokens_at_a_third_site(self):
        self.refused("userinfo_endpoint")

    @complaint(
        "https://github.com/modelcontextprotocol/go-sdk/pull/859",
        "`iss` protects a code only at authorities that send it; others give codes and tokens to whoever the metadata names",
        "Without a user who has read both hosts, no client is registered and no page opens there")
    def test_codes_at_a_third_site(self):
        self.refused("token_endpoint")

    def refused(self, endpoint):
        authority = start_authority(self)
        hostile = self.closing(HostileAuthority(authority, False, [endpoint]))
        result = self.workspace.run("sign-in", "--resource", hostile.resource)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("to another authority", result.stderr)
        self.assertEqual([line for line in hostile.log if line.startswith("POST")], [])

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


class AudienceRow(FieldCase):
    def server(self, audience=None):
        """A server of somebody else's, whose tokens come from a provider with this audience in each of them."""
        provider = self.setUpProvider(StrictProvider())
        if audience is not None:
            claims = {"iss": provider.issuer, "sub": "1", "aud": audience, "exp": int(time.time()) + 600}
            provider.others = {"access_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, provider.key)}
        self.workspace._use_browser(CURL)
        return self.closing(HostileServer(provider.issuer))

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
        "The request names the server, and its tokens go there without a question: for the URL, its origin, or opaque ones")
    def test_a_bound_token(self):
        for audience in (None, "", "/", "/mcp"):
            with self.subTest(audience):
                server = self.server()
                if audience is not None:
                    claims = {"aud": [server.origin + audience], "sub": "1", "exp": int(time.time()) + 600}
                    self.provider.others = {"access_token": jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.provider.key)}
                self.workspace.run("call", server.address)
                self.assertGreater(len(server.tokens), 0)


class MixUpRow(FieldCase):
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

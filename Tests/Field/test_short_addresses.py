"""Pushed authorization requests (RFC 9126), and sign-in URLs that people copy from a terminal."""

import json
import re
import secrets
import urllib.parse

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support.pseudo_terminal import PseudoTerminal
from support.workspace import KEYTURN


class PushProvider(StrictProvider):
    """Takes requests from the application, and from the browser only if it doesn't require that."""

    requires = True
    lifetime_of_requests = 60
    # The response to a pushed request instead of a reference: (status, value, headers).
    refuses_pushes = None
    status = 201

    def __init__(self):
        super().__init__()
        self.held, self.pushed, self.opened = {}, [], []

    def metadata(self):
        return {
            **super().metadata(), "pushed_authorization_request_endpoint": f"{self.issuer}/par",
            "require_pushed_authorization_requests": self.requires,
        }

    def post(self, handler, body):
        if handler.path != "/par":
            return super().post(handler, body)
        self.pushed.append(dict(urllib.parse.parse_qsl(body)))
        if self.refuses_pushes:
            status, value, headers = self.refuses_pushes
            return handler.answer(status, value, **headers)
        reference = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(16)}"
        self.held[reference] = self.pushed[-1]
        return handler.answer(self.status, {"request_uri": reference, "expires_in": self.lifetime_of_requests})

    def authorize(self, handler, query):
        self.opened.append(query)
        if "request_uri" in query:
            query = self.held.pop(query["request_uri"])
        elif self.requires:
            return handler.answer(400, {"error": "invalid_request"})
        return super().authorize(handler, query)


class PushRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(PushProvider())
        script = self.workspace.path / "browser"
        script.write_text(f"#!/bin/sh\n{CURL}\n")
        script.chmod(0o700)
        self.workspace.environment["BROWSER"] = str(script)

    def sign_in_by_browser(self, *arguments):
        return self.workspace.run("sign-in", "--method", "browser", *arguments)

    @complaint(
        "https://github.com/chillerlan/php-oauth/issues/6",
        "The client takes only status 200 for a pushed request, but the standard says 201, so nobody can sign in",
        "Takes both, because servers send both")
    def test_status_of_a_pushed_request(self):
        for status in (201, 200):
            with self.subTest(status):
                self.provider.status = status
                result = self.sign_in_by_browser()
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(set(self.provider.opened[-1]), {"client_id", "request_uri"})

    @complaint(
        "https://github.com/keycloak/keycloak/issues/8939",
        "The metadata offers pushed requests to everyone, but the endpoint fails for public clients: invalid_request, "
        "\"Authentication failed\"",
        "Where it is only offered, the browser brings the request itself")
    def test_not_for_public_clients(self):
        self.provider.requires = False
        self.provider.refuses_pushes = 400, {"error": "invalid_request", "error_description": "Authentication failed."}, {}
        result = self.sign_in_by_browser()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("redirect_uri", self.provider.opened[0])

    @complaint(
        "https://github.com/erlef/oidcc/pull/313",
        "What to do if a pushed request fails is open. Going on without it silently would be a downgrade where the provider "
        "requires it",
        "Where it is required, the sign-in ends with the provider's reason, before any browser opens")
    def test_no_downgrade(self):
        self.provider.refuses_pushes = 400, {"error": "invalid_request", "error_description": "The redirect URI is wrong."}, {}
        result = self.sign_in_by_browser()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("The redirect URI is wrong.", result.stderr)
        self.assertEqual(self.provider.opened, [])

    @complaint(
        "https://github.com/Abblix/Oidc.Server/issues/118",
        "The endpoint redirects to the login page instead of an error, and clients that follow get a web page",
        "Doesn't follow, and says where the endpoint redirects to")
    def test_a_redirect_to_the_login_page(self):
        self.provider.refuses_pushes = 302, "", {"Location": "https://login.example/signin"}
        result = self.sign_in_by_browser()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("https://login.example", result.stderr)
        self.assertEqual(self.provider.opened, [])

    @complaint(
        "https://github.com/spring-attic/spring-authorization-server/issues/2024",
        "A pushed request is valid for 30 seconds, which is too short for a person, and nothing says so",
        "Says how long the URL is valid, and when it has expired")
    def test_the_time_to_open_the_url(self):
        self.provider.lifetime_of_requests = 2
        terminal = self.open_terminal(100, 30)
        terminal.start(KEYTURN, "sign-in", "--method", "paste")
        terminal.wait_for("Open the URL within 2 s", "Paste the final URL")
        terminal.wait_for_words("The URL has expired, unless its page is open already.")
        terminal.press("C-c")
        self.assertNotEqual(terminal.exit_status(), 0)

    @complaint(
        "https://github.com/keycloak/keycloak/issues/51761",
        "Who needs longer for password and second factor than the request is valid can't sign in: the provider wants it once more "
        "at the end, and says invalid_request",
        "Shows the provider's error, which came back to the program, at once")
    def test_expired_at_the_end(self):
        provider = self.provider
        provider.authorize = lambda handler, query: handler.answer(
            302, "", Location=provider.held[query["request_uri"]]["redirect_uri"] + "?" + urllib.parse.urlencode({
                "error": "invalid_request", "error_description": "PAR not found. Could not restore request.",
                "state": provider.held[query["request_uri"]]["state"]}))
        result = self.sign_in_by_browser()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("PAR not found. Could not restore request.", result.stderr)


class AddressRow(FieldCase):
    @complaint(
        "https://github.com/anthropics/claude-code/issues/34555",
        "In a narrow terminal over ssh, the sign-in URL wraps with line breaks, and the copied one lacks parameters",
        "With a pushed request the URL has fewer than 200 characters, and a terminal wraps it itself")
    def test_the_length_of_the_url(self):
        self.setUpProvider(PushProvider())
        terminal = self.open_terminal(60, 30)
        terminal.start(KEYTURN, "sign-in", "--method", "paste")
        screen = terminal.wait_for("Paste the final URL").replace("\n", "")
        url = re.search(r"http://127\.0\.0\.1:\d+/authorize\?[^ ]+?(?=Paste)", screen).group()
        self.assertLess(len(url), 200)
        self.assertRegex(url, r"\?client_id=native&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A[\w-]{22}$")

    @complaint(
        "https://github.com/anthropics/claude-code/issues/73114",
        "Ctrl and a click open only the first line of a URL that is wrapped",
        "The URL is one link of the terminal (OSC 8) as well, in line mode and on the screen, except where a terminal prints that")
    def test_one_link(self):
        self.setUpProvider(PushProvider())
        for arguments, name, has_links in (
            (["sign-in", "--method", "paste"], "xterm-256color", True), (["sign-in", "--method", "paste"], "linux", False),
            ([], "xterm-256color", True), ([], "linux", False),
        ):
            with self.subTest(arguments=arguments, name=name):
                self.assertEqual(self.links(arguments, name), has_links)

    def links(self, arguments, name):
        terminal = PseudoTerminal([KEYTURN, *arguments], self.workspace.environment, name=name)
        self.addCleanup(terminal.close)
        if not arguments:
            terminal.read_until(b"No accounts yet")
            terminal.press(b"p")
        shown = terminal.read_until(b"request_uri", b"final URL" if name == "linux" else b"\x1b]8;;\x1b\\")
        targets = re.findall(rb"\x1b\]8;;(http[^\x1b]+)\x1b\\", shown)
        self.assertEqual(len(set(targets)), 1 if targets else 0)
        if targets:
            self.assertIn(b"client_id=native&request_uri=urn%3A", targets[0])
        return bool(targets)


class RevocationRow(FieldCase):
    @complaint(
        "https://github.com/clerk/cli/pull/418",
        "Logging out deletes only the session on this computer. The refresh token can be used until it expires, and nobody is told",
        "sign-out revokes it, and says that; remove says which command does")
    def test_a_sign_out_revokes(self):
        provider = self.setUpProvider(RevokingProvider())
        self.sign_in()
        result = self.workspace.run("sign-out", "ada")
        self.assertIn("The refresh token is revoked at", result.stderr)
        self.assertEqual(provider.valid, {})

    @complaint(
        "https://github.com/abofs/stonyx-oauth/issues/37",
        "Revoking does nothing and reports success, so the grant lives on after a sign-out",
        "Says that the token may still be valid if the provider has no endpoint or fails, and removes what is here")
    def test_nothing_is_said_to_be_revoked(self):
        provider = self.setUpProvider(RevokingProvider())
        for status in (503, 404):
            with self.subTest(status):
                self.sign_in()
                provider.revocation_status = status
                result = self.workspace.run("sign-out", "ada")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("may still be valid", result.stderr)
                self.assertNotIn("is revoked", result.stderr)
                self.assertEqual(json.loads(self.succeed("accounts", "-o", "json")), [])


class RevokingProvider(StrictProvider):
    revocation_status = 200

    def metadata(self):
        return {**super().metadata(), "revocation_endpoint": f"{self.issuer}/revoke"}

    def post(self, handler, body):
        if handler.path != "/revoke":
            return super().post(handler, body)
        if self.revocation_status == 200:
            self.valid.pop(dict(urllib.parse.parse_qsl(body))["token"], None)
        return handler.answer(self.revocation_status, "" if self.revocation_status == 200 else {})

"""Proxies and certificate authorities: every request of a sign-in uses them."""

import json
import os
import subprocess
import unittest

from support.case import JourneyCase
from support.provider import PageServer
from support.pseudo_terminal import PseudoTerminal
from support.secure_provider import HOST, Proxy, SecureProvider, make_authority
from support.workspace import KEYTURN

NOBODY = "http://127.0.0.1:1"
EVERY_KIND = {"/.well-known/openid-configuration", "/device", "/token", "/keys"}


class NetworkJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.folder = self.workspace.path
        make_authority(self.folder)
        self.ca = str(self.folder / "ca.pem")

    def sign_in(self, issuer, *options, **variables):
        self.configure_for_provider(issuer, cache={"key": "keyFile"})
        return self.workspace.run("sign-in", "--method", "device", *options, **variables)

    def assert_signed_in(self, result, provider):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("ada "), result.stdout)
        self.assertEqual(set(provider.paths), EVERY_KIND)

    def test_by_a_proxy(self):
        """Only the proxy knows the provider's name, so every request came through it."""
        provider = self.closing(SecureProvider(self.folder, issuer=f"https://{HOST}"))
        proxy = self.closing(Proxy(provider))
        for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            with self.subTest(variable):
                provider.paths.clear()
                self.workspace.forget_documents()
                result = self.sign_in(provider.issuer, "--ca-file", self.ca, **{variable: proxy.address})
                self.assert_signed_in(result, provider)
                self.assertEqual(set(proxy.targets), {f"{HOST}:443"})

    def test_around_the_proxy(self):
        """Requests to a host in NO_PROXY bypass the proxy, which alone knows it; so do requests to this computer."""
        provider = self.closing(SecureProvider(self.folder, issuer=f"https://{HOST}"))
        proxy = self.closing(Proxy(provider))
        for variable in ("NO_PROXY", "no_proxy"):
            with self.subTest(variable):
                result = self.sign_in(
                    provider.issuer, "--ca-file", self.ca, HTTPS_PROXY=proxy.address, **{variable: f"example.org,{HOST}"})
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertIn(f"Can't resolve {HOST}", result.stderr)
        self.assertEqual(proxy.targets, [])
        here = self.closing(SecureProvider(self.folder))
        self.assert_signed_in(self.sign_in(here.issuer, "--ca-file", self.ca, HTTPS_PROXY=proxy.address), here)
        self.assertEqual(proxy.targets, [])

    def test_an_unusable_proxy(self):
        """It doesn't listen, has no address, or requires a password."""
        forbidding = self.closing(PageServer(status=407))
        for proxy, reason in [(NOBODY, ""), ("http://proxy.invalid:1", "proxy.invalid"), (forbidding.address, "407")]:
            with self.subTest(proxy):
                result = self.sign_in(f"https://{HOST}", "--ca-file", self.ca, HTTPS_PROXY=proxy)
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertRegex(result.stderr, rf"keyturn: Can't use the proxy: .*{reason}")
                self.assertIn("Check the proxy's address", result.stderr)

    def test_certificate_authorities(self):
        provider = self.closing(SecureProvider(self.folder))
        other = self.folder / "other"
        other.mkdir()
        make_authority(other)
        hashed = str(self.folder)
        subprocess.run(["openssl", "rehash", hashed], check=True, capture_output=True)
        cases = [
            ([], {}, 6),
            ([], {"SSL_CERT_FILE": self.ca}, 0),
            (["--ca-file", self.ca], {}, 0),
            ([], {"SSL_CERT_FILE": str(other / "ca.pem")}, 6),
            (["--ca-file", self.ca], {"SSL_CERT_FILE": str(other / "ca.pem")}, 0),
            (["--ca-file", str(other / "ca.pem")], {"SSL_CERT_FILE": self.ca}, 6),
            (["--ca-file", str(self.folder / "none.pem")], {}, 3),
            ([], {"SSL_CERT_DIR": hashed}, 0),
            (["--ca-file", str(other / "ca.pem")], {"SSL_CERT_DIR": hashed}, 6),
            # curl's own variable adds no trusted certificates.
            ([], {"CURL_CA_BUNDLE": self.ca}, 6),
        ]
        for options, variables, status in cases:
            with self.subTest(options=options, variables=variables):
                provider.paths.clear()
                self.workspace.forget_documents()
                result = self.sign_in(provider.issuer, *options, **variables)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertEqual(set(provider.paths), EVERY_KIND if status == 0 else set())
                if status == 6:
                    self.assertIn("--ca-file", result.stderr)

    def test_two_profiles_with_different_certificate_authorities(self):
        """Whom a profile trusts doesn't depend on the form of another profile that was opened."""
        other = self.folder / "other"
        other.mkdir()
        make_authority(other)
        first, second = (self.closing(PageServer("hello", tls_folder=folder)) for folder in (self.folder, other))
        profiles = {}
        for name, server, folder in (("first", first, self.folder), ("second", second, other)):
            self.configure_for_provider(server.address, caFile=str(folder / "ca.pem"), cache={"key": "keyFile"})
            file = self.workspace.path / "config/keyturn/config.json"
            profiles[name] = json.loads(file.read_text())["profiles"]["test"]
        file.write_text(json.dumps({"defaultProfile": "first", "profiles": profiles}))
        terminal = self.open_keyturn(shows="first ·")

        def call(server, outcome):
            terminal.press("a")
            terminal.wait_for("URL of the API")
            terminal.paste(server.address)
            terminal.press("Enter")
            terminal.wait_for(outcome)
            terminal.press("q")
            terminal.wait_for("first ·", "Accounts")

        call(first, "HTTP 200")
        call(second, "The API call failed.")
        terminal.press("P")
        terminal.wait_for("in use", "second")
        terminal.press("Down", "E")
        terminal.wait_for("Authority", second.address)
        # Also after its test, which asks the server.
        terminal.press("C-t")
        terminal.wait_for("Authority", "✗")
        terminal.press("Escape")
        terminal.wait_for("in use", "second")
        terminal.press("Escape")
        terminal.wait_for("first ·", "Accounts")
        call(first, "HTTP 200")
        call(second, "The API call failed.")
        # The command uses the same trust.
        for options, server, status in [
            (["--profile", "first"], first, 0), (["--profile", "first"], second, 6), (["--profile", "second"], second, 0),
        ]:
            result = self.workspace.run("call", "--no-interaction", *options, server.address)
            self.assertEqual(result.returncode, status, result.stderr)
        by_variable = self.workspace.run("call", "--no-interaction", first.address, SSL_CERT_FILE=self.ca)
        self.assertEqual(by_variable.stdout, "hello", by_variable.stderr)

    def test_a_ca_file_in_the_environment_that_others_can_change(self):
        provider = self.closing(SecureProvider(self.folder))
        fifo = self.folder / "fifo"
        os.mkfifo(fifo, 0o600)
        result = self.sign_in(provider.issuer, SSL_CERT_FILE=str(fifo))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("it is not a regular file", result.stderr)
        os.chmod(self.ca, 0o666)
        result = self.sign_in(provider.issuer, SSL_CERT_FILE=self.ca)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"chmod o-w '{self.ca}'", result.stderr)
        self.assertEqual(provider.paths, [])

    # A database error with the row that could not be written: new tokens, and the one of the request.
    ROW = ("SQLSTATE[23505]: duplicate key value violates unique constraint \"tokens_pkey\" DETAIL: Key (old, new, access)="
           "(refresh, Kx8-fQ2_aLw9Zr7TtYb3Nc5Vd1Hs, sIm5hbWUiOiJBbm4ifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p) already exists. "
           + "at TokenStore.insert " * 40)

    def test_tokens_in_a_server_error(self):
        """A server that fails quotes tokens: on standard error there are none, and its text only with -vv, into a file."""
        provider = self.closing(SecureProvider(self.folder))
        self.assert_signed_in(self.sign_in(provider.issuer, "--ca-file", self.ca), provider)
        description = json.dumps({"error": "server_error", "error_description": self.ROW})
        refresh = ["token", "--ca-file", self.ca, "--force-refresh", "--no-interaction"]
        for text, error in ((description, ": server_error"), (self.ROW, "")):
            provider.statuses["/token"], provider.texts["/token"] = 500, text
            for options in ((), ("-v",), ("-vv",), ("-o", "json"), ("-o", "json", "-vv")):
                with self.subTest(text=text[:10], options=options):
                    result = self.workspace.run(*refresh, *options)
                    self.assertEqual(result.returncode, 6, result.stderr)
                    self.assertIn(f"failed (HTTP 500){error}.", result.stderr)
                    self.assertEqual("SQLSTATE" in result.stderr, "-vv" in options, result.stderr)
                    self.assert_no_token(result.stdout + result.stderr)
            with self.subTest(text=text[:10], terminal=True):
                terminal = self.closing(PseudoTerminal([KEYTURN, *refresh, "-vv"], self.workspace.environment))
                shown = terminal.read_until(b"correlation ID").decode()
                self.assertNotIn("SQLSTATE", shown)
                self.assert_no_token(shown)
        provider.statuses["/token"] = 400
        provider.texts["/token"] = json.dumps({"error": "invalid_request", "error_description": self.ROW})
        result = self.workspace.run(*refresh)
        self.assertIn("SQLSTATE[23505]: duplicate key value", result.stderr)
        self.assertLess(len(result.stderr), 600)
        self.assert_no_token(result.stderr)

    def assert_no_token(self, text):
        for part in ("(refresh", "Kx8-fQ2", "aLw9Zr7T", "Nc5Vd1Hs", "sIm5hbWU", "dBjftJeZ", "K27uhbUJ"):
            self.assertNotIn(part, text)


if __name__ == "__main__":
    unittest.main()

"""Proxies and certificate authorities: every request of a sign-in uses them."""

import os
import subprocess
import unittest

from support.case import JourneyCase
from support.provider import PageServer
from support.secure_provider import HOST, Proxy, SecureProvider, make_authority

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
            # Neither OpenSSL's folder nor curl's own variable adds trusted certificates.
            ([], {"SSL_CERT_DIR": hashed}, 6),
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


if __name__ == "__main__":
    unittest.main()

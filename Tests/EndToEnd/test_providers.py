"""Foreign OpenID providers: sign in with Chromium, verify claims, refresh silently, remove."""

import json
import re
import subprocess
import unittest

from support import person
from support.case import SIZES, JourneyCase
from support.provider import DjangoProviders, start_provider
from support.waiting import wait_until
from support.workspace import KEYTURN, Workspace

# Shorter than the margin of expiry, so every silent request refreshes.
SOON = "60"


class ProviderJourney(JourneyCase):
    def test_django_allauth(self):
        self.journey("allauth", SIZES[0])

    def test_django_oauth_toolkit(self):
        self.journey("toolkit", SIZES[1])

    def journey(self, name, size):
        provider = self.closing(start_provider(name, AT_TTL=SOON))
        self.configure_for_provider(provider.address)
        self.workspace.use_person("alice", "password1")
        terminal = self.open_keyturn(size=size)

        terminal.press("i")
        landed = self.browser_result(terminal)
        self.assertNotIn("code=", landed["address"])
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, "alice")
        self.assertIn("grant authorization_code 200", provider.lines)

        for _ in range(2):
            # The second refresh uses the refresh token from the first one.
            before = provider.lines.count("grant refresh_token 200")
            claims = self.read_claims(terminal)
            self.assertIn("from the authority", claims)
            wait_until(
                lambda: provider.lines.count("grant refresh_token 200") > before, 10, lambda: f"not refreshed: {provider.lines}"
            )
            self.close_claims(terminal)

        self.remove_account(terminal, "alice")
        self.quit(terminal)
        self.assert_sane(terminal)
        self.assert_no_secrets(terminal)


class RegistrationJourney(DjangoProviders, JourneyCase):
    """`check` asks the provider whether it knows the client and its redirect URI."""

    def journey(self, name):
        provider = self.closing(start_provider(name))
        for change, verdict in (({}, "passed"), ({"redirectUri": "http://127.0.0.1/other"}, "failed"), ({"clientId": "x"}, "failed")):
            with self.subTest(change=change):
                self.configure_for_provider(provider.address, **change)
                document = json.loads(self.workspace.run("check", "-o", "json").stdout)
                findings = [finding for section in document["sections"] for finding in section["findings"]]
                (finding,) = [finding for finding in findings if finding["subject"] == "Registration"]
                self.assertEqual(finding["verdict"], verdict, finding)


class ForeignDevice:
    """A journey at each foreign provider that issues device codes."""

    def test_django_allauth(self):
        self.journey("allauth", "native")

    def test_django_oauth_toolkit(self):
        self.journey("toolkit", "native-device")

    def sign_in_by_device(self, name, client):
        provider = self.closing(start_provider(name))
        self.configure_for_provider(provider.address, clientId=client, cache={"key": "keyFile"})
        process = subprocess.Popen(
            [str(KEYTURN), "sign-in", "--method", "device"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        told = ""
        while not (page := re.search(r"Open (\S+)", told)):
            line = process.stderr.readline()
            self.assertTrue(line, told)
            told += line
        last = person.enter_code(page.group(1), "alice", "password1")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, f"{told}{errors}\n{last}")
        self.assertTrue(output.startswith("alice"), output)


class DeviceCodeJourney(ForeignDevice, JourneyCase):
    """RFC 8628 in foreign implementations."""

    def journey(self, name, client):
        self.sign_in_by_device(name, client)
        token = self.workspace.run("token", "--no-interaction")
        self.assertEqual(token.returncode, 0, token.stderr)


class RevocationJourney(ForeignDevice, JourneyCase):
    """RFC 7009 in foreign implementations: a copy of the cache is useless after a sign-out."""

    def journey(self, name, client):
        self.sign_in_by_device(name, client)
        copy = self.closing(Workspace.copy(self.workspace))
        removed = self.workspace.run("sign-out", "alice")
        self.assertEqual(removed.returncode, 0, removed.stderr)
        self.assertIn("The refresh token is revoked at", removed.stderr)
        token = copy.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(token.returncode, 4, token.stderr)


if __name__ == "__main__":
    unittest.main()

"""The user and the scopes of a token: at the built-in authority, and at foreign providers."""

import json
import re
import subprocess
import unittest

from support import person
from support.case import JourneyCase
from support.provider import DjangoProviders, start_authority, start_provider
from support.tokens import without_random
from support.workspace import KEYTURN

ALICE = ("alice", "password1")
FORMATS = ("token", "json", "header", "env", "exec-credential")


class IdentityCase(JourneyCase):
    def browse_as(self, who):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *who)

    def run_well(self, *arguments):
        """The output of a successful command."""
        result = self.workspace.run(*arguments)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        return result.stdout

    def assert_refused(self, status, output, errors, *names):
        """Nothing is printed and nothing saved, and the message has both names."""
        self.assertEqual((status, output), (1, ""), errors)
        for name in names:
            self.assertIn(name, errors)
        self.assertNotIn("eyJ", without_random(errors))
        self.assertEqual(json.loads(self.run_well("accounts", "-o", "json")), [])


class RequiredUser(IdentityCase):
    """`--account` names a user who is not in the cache, and another user signs in."""

    zoe = "zoe@fabrikam.example"

    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure("browser")

    def configure(self, method):
        self.configure_for_authority(self.authority.address, method=method, cache={"key": "keyFile"})

    def start(self):
        """`token` for Zoe, with the profile's sign-in method."""
        process = subprocess.Popen(
            [str(KEYTURN), "token", "--account", self.zoe], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.workspace.environment)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def read_until(self, process, pattern):
        told = ""
        while not (found := re.search(pattern, told)):
            line = process.stderr.readline()
            self.assertTrue(line, told)
            told += line
        return found.group(1)

    def test_the_browser_in_every_format(self):
        self.browse_as(person.ANN)
        for name in FORMATS:
            with self.subTest(name):
                refused = self.workspace.run("token", "--account", self.zoe, "-o", name)
                self.assert_refused(refused.returncode, refused.stdout, refused.stderr, self.zoe, person.ANN[0])
                if name == "json":
                    error = json.loads(refused.stderr.splitlines()[-1])["error"]
                    self.assertEqual(error["internalCode"], -42101)
        self.assertIn("eyJ", self.run_well("token", "--account", person.ANN[0].upper()))

    def test_a_device_code(self):
        self.configure("device")
        self.workspace.environment["BROWSER"] = "false"
        process = self.start()
        page = self.read_until(process, r"Open (\S+)\n")
        person.enter_code(page, *person.ANN)
        output, errors = process.communicate(timeout=60)
        self.assert_refused(process.returncode, output, errors, self.zoe, person.ANN[0])

    def test_a_pasted_url(self):
        self.configure("paste")
        self.workspace.environment["BROWSER"] = "false"
        process = self.start()
        page = self.read_until(process, r"(http://127\.0\.0\.1\S+/authorize\S+)")
        output, errors = process.communicate(person.landing_of(page, *person.ANN) + "\n", timeout=60)
        self.assert_refused(process.returncode, output, errors, self.zoe, person.ANN[0])

    def test_claims_never_signs_in(self):
        self.browse_as(person.ANN)
        refused = self.workspace.run("claims", "--account", self.zoe)
        self.assert_refused(refused.returncode, refused.stdout, refused.stderr, self.zoe)

    def test_a_login_hint(self):
        self.browse_as(person.ANN)
        other = self.workspace.run("sign-in", "--login-hint", self.zoe)
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertIn(f"{person.ANN[0]} signed in instead of {self.zoe}", other.stderr)
        self.assertTrue(other.stdout.startswith(person.ANN[0]))


class Usernames(IdentityCase):
    def test_an_account_is_found_by_every_username_and_has_no_tenant(self):
        provider = self.closing(start_provider("toolkit", CLAIMS="scoped"))
        self.configure_for_provider(provider.address, scopes=[], cache={"key": "keyFile"})
        self.browse_as(ALICE)
        self.assertTrue(self.run_well("sign-in").startswith("alice  "))
        account = json.loads(self.run_well("sign-in", "--scope", "email", "-o", "json"))
        # The name of the first sign-in stays, whatever claims later ones have.
        self.assertEqual(account["username"], "alice")
        listed = json.loads(self.run_well("accounts", "-o", "json"))
        self.assertEqual([each.pop("authorities") for each in listed], [[provider.address]])
        self.assertEqual([bool(each.pop("signedInOn")) for each in listed], [True])
        self.assertEqual([bool(each.pop("tokenExpiresOn")) for each in listed], [True])
        self.assertEqual([each.pop("state") for each in listed], ["valid"])
        accounts = [
            account,
            json.loads(self.run_well("token", "--account", "ALICE", "--no-interaction", "-o", "json"))["account"],
            json.loads(self.run_well("claims", "--account", "alice@example.test", "-o", "json"))["account"],
            *listed,
        ]
        self.assertEqual(accounts, [account] * 4)
        self.assertNotIn("tenantId", account)
        self.run_well("sign-out", "alice")
        self.assertEqual(json.loads(self.run_well("accounts", "-o", "json")), [])


class GrantedScopes(DjangoProviders, IdentityCase):
    def journey(self, name):
        """Other scopes need a sign-in; granted ones are refreshed, and later served from the cache."""
        provider = self.closing(start_provider(name))
        self.configure_for_provider(
            provider.address, scopes=["openid", "profile", "offline_access"], cache={"key": "keyFile"})
        self.browse_as(ALICE)
        self.run_well("sign-in")

        refused = self.workspace.run("token", "--scope", "email", "--no-interaction")
        self.assertEqual((refused.returncode, refused.stdout), (4, ""), refused.stderr)
        self.assertIn("email", refused.stderr)
        self.assertFalse([line for line in provider.lines if line.startswith("grant refresh_token")])

        self.run_well("token", "--scope", "email")
        scoped = ("token", "--scope", "openid", "--scope", "email", "--no-interaction", "-o", "json")
        self.assertTrue(json.loads(self.run_well(*scoped))["fromCache"])
        renewed = json.loads(self.run_well(*scoped, "--force-refresh"))
        self.assertIn("email", renewed["scopes"])
        self.assertFalse(renewed["fromCache"])
        self.assertIn("grant refresh_token 200", provider.lines)
        self.assertTrue(json.loads(self.run_well(*scoped))["fromCache"])


if __name__ == "__main__":
    unittest.main()

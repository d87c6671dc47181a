"""Servers without OpenID Connect."""

import json
import unittest

from support.case import JourneyCase
from support.forge_server import ForgeServer


class ForgeJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.forge = self.closing(ForgeServer())
        self.configure()

    def configure(self, **others):
        self.workspace.configure(**self.forge.profile(**others))

    def keyturn(self, *arguments, **others):
        return self.workspace.run(*arguments, **others)

    def sign_in(self):
        result = self.keyturn("sign-in", "--method", "device")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def requests(self, path):
        return [form for seen, form, _ in self.forge.seen if seen == path]

    def test_habits(self):
        for sends_json in (False, True):
            with self.subTest(json=sends_json):
                self.forge.sends_json = sends_json
                self.forge.first = ["authorization_pending", "slow_down"]
                self.sign_in()
                token = self.keyturn("token", "--no-interaction")
                self.assertEqual((token.returncode, token.stdout.strip()), (0, f"gho_{self.forge.issued}"), token.stderr)
        self.assertEqual({form["scope"] for form in self.requests("/login/device/code")}, {"repo"})
        accounts = json.loads(self.keyturn("accounts", "-o", "json").stdout)
        self.assertEqual([account["username"] for account in accounts], ["ann-forge"])

    def test_token_without_expiry(self):
        self.sign_in()
        printed = json.loads(self.keyturn("token", "-o", "json").stdout)
        self.assertNotIn("expiresOn", printed)
        self.assertRegex(self.keyturn("accounts").stdout, r"valid, no expiry")
        shell = self.keyturn("token", "-o", "headers")
        self.assertEqual(json.loads(shell.stdout), {"Authorization": "Bearer gho_1"})

    def test_refused_device_code(self):
        self.forge.first = ["device_flow_disabled"]
        failed = self.keyturn("sign-in", "--method", "device")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("device_flow_disabled", failed.stderr)

    def test_code_in_the_browser(self):
        self.workspace.environment["BROWSER"] = "curl -sL"
        result = self.keyturn("sign-in", "--method", "browser")
        self.assertEqual(result.returncode, 0, result.stderr)
        form = self.requests("/login/oauth/access_token")[0]
        self.assertEqual(form["code"], "code-1")
        self.assertIn("code_verifier", form)

    def test_account_without_the_member(self):
        self.forge.account = {"id": 1}
        failed = self.keyturn("sign-in", "--method", "device")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("login", failed.stderr)

    def test_two_accounts_with_git(self):
        self.sign_in()
        self.forge.account = {"login": "bo-forge", "id": 12}
        self.sign_in()
        for name, token in (("ann-forge", "gho_1"), ("bo-forge", "gho_2")):
            given = f"protocol=http\nhost=127.0.0.1:7000\nusername={name}\n\n"
            answer = self.keyturn(
                "git-credential", "get", "--host", "http://127.0.0.1:7000", "--no-interaction", input=given)
            self.assertIn(f"password={token}\n", answer.stdout, answer.stderr)
            self.assertNotIn("password_expiry_utc", answer.stdout)

    def test_screens_say_that_nothing_is_proven(self):
        for size in self.sizes:
            with self.subTest(size=size):
                self.sign_in()
                terminal = self.open_keyturn(size=size, shows="ann-forge")
                terminal.press("Enter")
                terminal.wait_for("Claims of", "No ID token")
                terminal.press("Escape")
                terminal.wait_until_gone("Claims of")
                self.assertIn("no expiry", terminal.seen)
                self.quit(terminal)

    def test_check(self):
        result = self.keyturn("check")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, "(?i)no ID tokens")

    def test_mistakes(self):
        endpoints = self.forge.endpoints
        for others, words in (
            ({"authorityType": "oidc"}, "oauth"),
            ({"endpoints": {"token": endpoints["token"]}}, "authorization"),
            ({"endpoints": {**endpoints, "accountMember": None}}, "accountMember"),
            ({"endpoints": {**endpoints, "token": "ftp://a"}}, "token"),
            ({"endpoints": {**endpoints, "revoke": "x"}}, "revoke"),
        ):
            with self.subTest(words):
                self.configure(**others)
                failed = self.keyturn("accounts")
                self.assertEqual(failed.returncode, 3, failed.stdout)
                self.assertIn(words, failed.stderr)


if __name__ == "__main__":
    unittest.main()

"""When a sign-in ends, and whether it is gone after a sign-out."""

import json
import unittest

from support.case import JourneyCase
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until


class HorizonJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)

    def sign_in(self):
        result = self.workspace.run("sign-in", "--method", "device")
        self.assertEqual(result.returncode, 0, result.stderr)

    def accounts(self):
        return json.loads(self.workspace.run("accounts", "-o", "json").stdout)


class EndJourney(HorizonJourney):
    def test_an_end_that_the_provider_names(self):
        for member in ("refresh_token_expires_in", "refresh_expires_in"):
            with self.subTest(member):
                self.provider.others = {member: 7 * 86400 + 60}
                self.sign_in()
                self.assertRegex(self.accounts()[0]["signInEndsOn"], r"^20\d\d-")
                self.assertRegex(self.workspace.run("accounts").stdout, r"(?s)SIGN-IN ENDS.*in 7 days")
                token = self.workspace.run("token", "-o", "json")
                self.assertEqual(json.loads(token.stdout)["signInEndsOn"], self.accounts()[0]["signInEndsOn"])
                self.assertEqual(token.stderr, "")

    def test_the_last_day(self):
        self.provider.others = {"refresh_token_expires_in": 3 * 3600 + 30}
        self.sign_in()
        for _ in range(2):
            self.assertRegex(
                self.workspace.run("token").stderr, r"^The sign-in ends in 3 h at the latest\. Run 'keyturn sign-in'.*\n$")
        self.assertEqual(self.workspace.run("token", "-q").stderr, "")

    def test_an_end_that_has_passed(self):
        self.provider.lifetime = 1
        self.provider.others = {"refresh_token_expires_in": 1}
        self.sign_in()
        wait_until(lambda: "ended" in self.workspace.run("accounts").stdout, 10, "the sign-in doesn't end")
        for size in self.sizes:
            terminal = self.open_keyturn(size=size, shows="1 of 1")
            terminal.wait_for("expired", "ended")
            self.quit(terminal)

    def test_nothing_is_claimed(self):
        for others in (
            {}, {"refresh_token_expires_in": -5}, {"refresh_token_expires_in": 1e300}, {"refresh_token_expires_in": "soon"},
            {"refresh_token_expires_in": {}}, {"refresh_expires_in": 0},
        ):
            with self.subTest(others):
                self.provider.others = others
                self.sign_in()
                self.assertNotIn("signInEndsOn", self.accounts()[0])
                self.assertNotIn("ENDS", self.workspace.run("accounts").stdout)

    def test_screens(self):
        self.provider.others = {"refresh_token_expires_in": 7 * 86400 + 60}
        self.sign_in()
        terminal = self.open_keyturn(size=(120, 40), shows="SIGN-IN ENDS")
        terminal.wait_for("in 7 days")
        self.quit(terminal)


class RevocationJourney(HorizonJourney):
    def setUp(self):
        super().setUp()
        self.answer = 200, {}
        self.provider.documents["/revoke"] = lambda: self.answer

    def offer(self, address=None):
        self.provider.metadata["revocation_endpoint"] = address or f"{self.provider.issuer}/revoke"

    def revoked(self):
        return [form for path, form in self.provider.forms if path == "/revoke"]

    def test_a_sign_out_revokes(self):
        self.offer()
        self.sign_in()
        name = self.accounts()[0]["username"]
        result = self.workspace.run("sign-out", name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("The refresh token is revoked at", result.stderr)
        form = self.revoked()[0]
        self.assertEqual((form["token"], form["token_type_hint"], form["client_id"]), ("refresh-1", "refresh_token", "native"))
        self.assertEqual(self.accounts(), [])

    def test_remove_asks_first(self):
        self.offer()
        self.sign_in()
        name = self.accounts()[0]["username"]
        self.workspace.run("remove", name)
        self.assertEqual(self.revoked(), [])
        self.sign_in()
        removed = json.loads(self.workspace.run("remove", name, "--revoke", "-o", "json").stdout)
        self.assertEqual(removed["accounts"][0]["revocation"], "revoked")
        self.assertEqual(len(self.revoked()), 1)

    def test_a_failure_keeps_nothing_here(self):
        self.offer()
        for answer in ((503, {}), (400, {"error": "unsupported_token_type"}), (400, {"error": "invalid_client"})):
            with self.subTest(answer):
                self.answer = answer
                self.sign_in()
                result = self.workspace.run("sign-out", self.accounts()[0]["username"], "-o", "json")
                self.assertEqual(json.loads(result.stdout)["accounts"][0]["revocation"], "failed")
                self.assertEqual(self.accounts(), [])
                self.sign_in()
                result = self.workspace.run("sign-out", self.accounts()[0]["username"])
                self.assertEqual(result.returncode, 0)
                self.assertIn("still valid", result.stderr)

    def test_no_endpoint(self):
        self.sign_in()
        result = self.workspace.run("sign-out", self.accounts()[0]["username"])
        self.assertIn("has no revocation endpoint", result.stderr)
        self.assertEqual(result.returncode, 0)

    def test_an_endpoint_without_encryption(self):
        self.offer("http://127.0.0.1:1/revoke")
        self.sign_in()
        self.assertIn("revocation_endpoint", self.workspace.run("check").stdout)
        result = self.workspace.run("sign-out", self.accounts()[0]["username"])
        self.assertIn("has no revocation endpoint", result.stderr)

    def test_screens(self):
        self.offer()
        for size in self.sizes:
            with self.subTest(size=size):
                self.sign_in()
                terminal = self.open_keyturn(size=size, shows="1 of 1")
                terminal.press("D")
                terminal.wait_for("This computer", "Provider too", "Browser too")
                terminal.press("R")
                terminal.wait_for_words("refresh token is revoked")
                self.quit(terminal)


if __name__ == "__main__":
    unittest.main()

"""When a sign-in ends, and whether it is gone after a sign-out."""

import datetime
import json
import os
import signal
import threading
import unittest

from support.case import JourneyCase
from support.clock import Clock
from support.pseudo_terminal import PseudoTerminal
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until
from support.workspace import KEYTURN


class HorizonJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.clock = Clock(self.workspace.path / "clock")

    def run_at(self, hours, *arguments):
        self.clock.set(int(hours * 3600))
        return self.workspace.run(*arguments, **self.clock.environment)

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
        self.provider.lifetime = 8 * 86400
        # Without the rule for the last quarter, short sign-ins would warn from their first minute on.
        for lifetime, silent, warned, left in ((12, 8.5, 10, "2 h"), (7 * 24, 143, 145, "23 h")):
            with self.subTest(lifetime):
                self.provider.others = {"refresh_token_expires_in": lifetime * 3600 + 30}
                self.sign_in()
                self.assertEqual(self.run_at(silent, "token").stderr, "")
                self.assertRegex(
                    self.run_at(warned, "token").stderr,
                    rf"^The sign-in ends in {left}.* at the latest, as the authority said\. Run 'keyturn sign-in' before then\.\n$")
                self.assertEqual(self.run_at(warned, "token", "-q").stderr, "")

    def test_an_end_that_has_passed(self):
        self.provider.lifetime = 1
        self.provider.others = {"refresh_token_expires_in": 1}
        self.sign_in()
        wait_until(lambda: "ended" in self.workspace.run("accounts").stdout, 10, "the sign-in doesn't end")
        for size in self.sizes:
            terminal = self.open_keyturn(size=size, shows="1 of 1")
            terminal.wait_for("sign in again", "ended")
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
                self.assertNotIn("signInEndReason", self.accounts()[0])
                self.assertNotIn("ENDS", self.workspace.run("accounts").stdout)

    def test_screens(self):
        self.provider.others = {"refresh_token_expires_in": 7 * 86400 + 60}
        self.sign_in()
        terminal = self.open_keyturn(size=(120, 40), shows="SIGN-IN ENDS")
        terminal.wait_for("in 7 days")
        self.quit(terminal)


class LearnedJourney(HorizonJourney):
    """Lifetimes that only the rejection of an earlier refresh token states."""

    def accounts_at(self, hours):
        return json.loads(self.run_at(hours, "accounts", "-o", "json").stdout)[0]

    def test_a_maximum_age(self):
        self.sign_in()
        self.assertNotIn("signInEndsOn", self.accounts()[0])
        self.provider.rejects_for_age(43200)
        result = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(result.returncode, 4, result.stderr)
        # The authority states more than it grants, so its rejection counts.
        self.provider.others = {"refresh_token_expires_in": 90 * 86400}
        self.provider.lifetime = 86400
        self.sign_in()
        account = self.accounts()[0]
        since, until = (datetime.datetime.fromisoformat(account[name]) for name in ("signedInOn", "signInEndsOn"))
        self.assertEqual(until - since, datetime.timedelta(hours=12))
        self.assertEqual(account["signInEndReason"], "maximumAge")
        self.assertRegex(self.workspace.run("accounts").stdout, r"(?s)SIGN-IN ENDS.*in 11 h 59 min")
        token = self.workspace.run("token", "-o", "json")
        self.assertEqual(json.loads(token.stdout)["signInEndsOn"], account["signInEndsOn"])
        self.assertRegex(
            self.run_at(10.5, "token").stderr,
            r"ends in 1 h 29 min at the latest, because the authority rejected a sign-in after 12 h \(AADSTS70043\)\.")
        terminal = self.open_keyturn(size=(120, 40), shows="Signed in")
        terminal.wait_for("Sign-in ends", "at the latest,", "AADSTS70043", "administrator can end it")
        self.quit(terminal)

    def test_inactivity(self):
        self.sign_in()
        self.provider.rejects_for_inactivity("90.00:00:00")
        self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.provider.lifetime = 100 * 86400
        self.sign_in()
        first = self.accounts()[0]
        self.assertEqual(first["signInEndReason"], "inactivity")
        self.assertRegex(self.workspace.run("accounts").stdout, r"in 89 days")
        token = self.run_at(1 / 60, "token", "--force-refresh", "-o", "json")
        self.assertEqual(token.returncode, 0, token.stderr)
        self.assertGreater(json.loads(token.stdout)["signInEndsOn"], first["signInEndsOn"])
        self.assertEqual(self.accounts_at(1 / 60)["signedInOn"], first["signedInOn"])
        # A refresh moves the end, so it is no reason to sign in.
        late = self.run_at(24 * 89.5, "token")
        self.assertEqual((late.returncode, late.stderr), (0, ""))

    def test_another_clock(self):
        self.provider.others = {"refresh_token_expires_in": 12 * 3600}
        self.sign_in()
        account = self.accounts()[0]
        times = {name: value for name, value in account.items() if name not in ("state", "tokenExpiresOn")}
        self.assertLessEqual(times.items(), self.accounts_at(6).items())
        self.assertRegex(self.run_at(6, "accounts").stdout, "in 5 h 59 min")
        self.assertRegex(self.run_at(13, "accounts").stdout, r"sign in again +ended")
        # A clock that was set back since says nothing about the sign-in.
        past = self.accounts_at(-6)
        self.assertEqual([name for name in times if name not in past], ["signInEndReason", "signInEndsOn", "signedInOn"])
        self.assertNotIn("ENDS", self.run_at(-6, "accounts").stdout)

    def test_rejections_that_state_nothing(self):
        for text in (
            "AADSTS70043: The token was issued on 2099-01-01T00:00:00.0000000Z and the maximum allowed lifetime for this request is 60.",
            "AADSTS70043: The token was issued on yesterday and the maximum allowed lifetime for this request is 60.",
            "AADSTS70043: The token was issued on 2026-01-01T00:00:00.0000000Z and the maximum allowed lifetime for this request is -1.",
            "AADSTS70043: The token was issued on 2026-01-01T00:00:00.0000000Z and the maximum allowed lifetime for this request is 9e9.",
            "AADSTS70043", "",
        ):
            with self.subTest(text):
                self.sign_in()
                self.provider.rejection = {"error": "invalid_grant", "error_description": text, "error_codes": [70043]}
                result = self.workspace.run("token", "--force-refresh", "--no-interaction")
                self.assertEqual(result.returncode, 4, result.stderr)
                self.sign_in()
                self.assertNotIn("signInEndsOn", self.accounts()[0])


class EndedAccountJourney(HorizonJourney):
    """Two accounts, of which Ada's sign-in has ended."""

    def setUp(self):
        super().setUp()
        self.provider.lifetime = 1
        self.provider.others = {"refresh_token_expires_in": 1}
        self.sign_in()
        wait_until(lambda: "ended" in self.workspace.run("accounts").stdout, 10, "the sign-in doesn't end")
        (self.provider.lifetime, self.provider.others) = (3600, {})
        self.provider.user = "zoe"
        self.sign_in()

    def test_a_script_is_told(self):
        result = self.workspace.run("token", "--no-interaction")
        self.assertEqual(result.returncode, 2)
        self.assertIn("Several accounts: zoe, ada (sign-in ended).", result.stderr)
        self.assertEqual(self.workspace.run("token", "--account", "zoe", "--no-interaction").returncode, 0)
        self.assertEqual(self.workspace.run("accounts", "--default", "ada").returncode, 0)

    def test_the_question(self):
        terminal = self.open_terminal(120, 40)
        terminal.start(KEYTURN, "claims", "--offline")
        terminal.wait_for("Number of the account")
        self.assertRegex(terminal.screen, r"1  zoe .*\n *2  ada .*\(sign-in ended\)")
        self.assertNotRegex(terminal.screen, r"zoe .*ended")

    def test_completion(self):
        lines = self.workspace.run("complete", "--", "token", "--account", "").stdout.splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], ["zoe", "ada"])
        self.assertEqual([line.endswith(" (sign-in ended)") for line in lines], [False, True])


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

    def removing(self):
        """The terminal program while it revokes at an authority that doesn't answer."""
        self.offer()
        self.sign_in()
        asked, answered = threading.Event(), threading.Event()
        self.addCleanup(answered.set)
        self.provider.documents["/revoke"] = lambda: (asked.set(), answered.wait(60), (200, {}))[-1]
        terminal = PseudoTerminal([KEYTURN], self.workspace.environment)
        self.addCleanup(terminal.close)
        terminal.read_until(self.accounts()[0]["username"].encode(), b"sign out")
        terminal.press(b"D")
        terminal.read_until(b"Provider too")
        terminal.press(b"V")
        wait_until(asked.is_set, 15, "nothing is revoked")
        return terminal

    def assert_ends(self, terminal, expected):
        # A request that has begun is finished, for ten seconds at most (OneTimeWork).
        wait_until(lambda: terminal.exit_status() is not None, 14, "the program does not end")
        self.assertEqual(terminal.exit_status(), expected)

    def test_a_signal_ends_a_screen_that_waits(self):
        terminal = self.removing()
        os.kill(terminal.pid, signal.SIGTERM)
        self.assert_ends(terminal, 128 + signal.SIGTERM)

    def test_ctrl_c_ends_a_screen_that_quits_and_waits(self):
        terminal = self.removing()
        terminal.press(b"q")

        def has_ended():
            terminal.press(b"\x03")
            return terminal.exit_status() is not None

        wait_until(has_ended, 5, "the program does not end")
        self.assertEqual(terminal.exit_status(), 128 + signal.SIGINT)

    def test_a_sign_out_without_a_page_says_what_the_revocation_did(self):
        self.offer()
        for answer, sentence in (((200, {}), "The refresh token is revoked at"), ((503, {}), "may still be valid")):
            with self.subTest(answer):
                self.answer = answer
                self.sign_in()
                result = self.workspace.run("sign-out", self.accounts()[0]["username"], "--browser")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(sentence, result.stderr)
                self.assertEqual(self.accounts(), [])
                self.sign_in()
                result = self.workspace.run("sign-out", self.accounts()[0]["username"], "--browser", "-o", "json")
                document = json.loads(result.stdout)
                self.assertEqual((result.returncode != 0, document["isSignedOutInBrowser"]), (True, False))
                self.assertIn("revocation", document["accounts"][0])
                self.assertIn("error", json.loads(result.stderr))

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
                for options, is_shown in (((), True), (("-q",), False)):
                    self.sign_in()
                    result = self.workspace.run("sign-out", self.accounts()[0]["username"], *options)
                    self.assertEqual(result.returncode, 0)
                    self.assertEqual("Removed" in result.stderr, is_shown)
                    self.assertIn("may still be valid", result.stderr)

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
                terminal.press("V")
                terminal.wait_for_words("refresh token is revoked")
                self.quit(terminal)

    def test_a_slow_endpoint_on_the_screen(self):
        self.offer()
        self.sign_in()
        responds = threading.Event()
        self.addCleanup(responds.set)
        self.provider.documents["/revoke"] = lambda: (responds.wait(60) and self.answer)
        terminal = self.open_keyturn(shows="1 of 1")
        terminal.press("D")
        terminal.wait_for("Provider too")
        terminal.press("V")
        host = self.provider.issuer.removeprefix("https://")
        terminal.wait_for_words("Removing", f"Waiting for {host} to respond, 30 s of silence at most.")
        responds.set()
        terminal.wait_for_words("refresh token is revoked")


if __name__ == "__main__":
    unittest.main()

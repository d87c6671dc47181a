"""Who is signed in: what went wrong with the status commands and lists of accounts of other programs."""

import datetime
import json

from field import FieldCase, complaint
from support.clock import Clock
from support.rotating_provider import RotatingProvider


class StatusRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.clock = Clock(self.workspace.path / "clock")
        self.sign_in()

    def sign_in_for_an_hour(self):
        self.provider.others = {"refresh_token_expires_in": 3600}
        self.sign_in()
        return self

    def status(self, *arguments, code=0, **others):
        result = self.workspace.run("status", *arguments, **others)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout

    def states(self, **others):
        return [row["state"] for row in json.loads(self.status("-o", "json", **others))]

    @complaint(
        "https://github.com/cli/cli/issues/8845",
        "The status command says that the token is invalid, and exits with 0",
        "exits with 4 if an account needs a sign-in, and names the command for it")
    def test_exit_status(self):
        self.assertRegex(self.sign_in_for_an_hour().status(), r", sign-in ends in \d+ min\n$")
        self.clock.set(7200)
        self.assertRegex(
            self.status(code=4, **self.clock.environment), r"sign in again: run 'keyturn sign-in --login-hint ada'\n$")
        self.provider.is_revoked = True
        token = self.workspace.run("token", "--account", "ada", "--no-interaction", **self.clock.environment)
        self.assertRegex(token.stderr, r"Run 'keyturn sign-in --login-hint ada'\.")

    @complaint(
        "https://github.com/cli/cli/issues/8637",
        "The status is only text, which each script parses in its own way",
        "status -o json has the account, the profile, a state and times")
    def test_json(self):
        (row,) = json.loads(self.status("-o", "json"))
        self.assertEqual((row["state"], row["profile"]), ("valid", "test"))
        self.assertGreater(datetime.datetime.fromisoformat(row["tokenExpiresOn"]), datetime.datetime.now(datetime.UTC))

    @complaint(
        "https://github.com/cli/cli/pull/14054",
        "Any failure of the network is reported as an invalid token, with the advice to sign in again",
        "status sends no request: without the provider it says the same")
    def test_without_the_provider(self):
        before = self.states()
        self.provider.close()
        self.assertEqual(self.states(), before)

    @complaint(
        "https://github.com/aws/aws-cli/issues/7341",
        "No command shows which sessions are active, and when they expire",
        "status shows each account of each profile, until when its token is valid")
    def test_all_profiles(self):
        self.assertRegex(self.status(), r"^\S+ +test +valid \d+ min, until .+\n$")

    @complaint(
        "https://github.com/aws/aws-cli/issues/9845",
        "A cached token hides that the sign-in has ended, until other programs fail",
        "status says when the sign-in ends, and that it ended while the token is still valid")
    def test_an_end_before_the_token(self):
        self.provider.others = {"refresh_token_expires_in": 600}
        self.sign_in()
        self.clock.set(900)
        self.assertRegex(self.status(**self.clock.environment), r"  valid \d+ min, until [^,]+, sign-in ended\n$")
        self.clock.set(7200)
        self.assertEqual(self.states(code=4, **self.clock.environment), ["signInRequired"])

    @complaint(
        "https://github.com/skypilot-org/skypilot/issues/3754",
        "Asking for the status starts a sign-in",
        "status never signs in, with a terminal and a browser, too")
    def test_no_sign_in(self):
        self.sign_in_for_an_hour()
        self.clock.set(7200)
        self.workspace.use_recording_browser()
        redeemed = self.provider.redeemed
        self.status(code=4, **self.clock.environment)
        self.assertEqual(self.provider.redeemed, redeemed)
        self.assertIsNone(self.workspace.opened_address)

    @complaint(
        "https://github.com/ship-studio/ship-studio/pull/129",
        "An account that is signed out makes another one look signed out, because only the exit status is read",
        "-o json has the state of each account, those that need the user first")
    def test_one_of_two_accounts(self):
        self.provider.user, self.provider.others = "bob", {"refresh_token_expires_in": 600}
        self.provider.lifetime = 60
        self.sign_in()
        self.clock.set(1200)
        rows = json.loads(self.status("-o", "json", code=4, **self.clock.environment))
        self.assertEqual([(row["username"], row["state"]) for row in rows], [("bob", "signInRequired"), ("ada", "valid")])

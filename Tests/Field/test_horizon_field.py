"""When a sign-in ends: what others leave to chance, or claim without knowing."""

import datetime
import json
import unittest

from field import FieldCase, complaint
from strict_provider import StrictProvider
from support.clock import Clock
from support.rotating_provider import entra_rejection
from support.waiting import wait_until

DAY = 86400


class HorizonRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())

    def reject(self, code, seconds, words):
        """The authority rejects the refresh token, and the user signs in again."""
        text = json.dumps(entra_rejection(code, seconds, words))
        self.provider.refuses = lambda token: (400, "application/json", text)
        result = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.sign_in()

    def account(self):
        return json.loads(self.succeed("accounts", "-o", "json"))[0]

    def token_later(self, hours):
        """The cached token by a clock that is ahead."""
        clock = Clock(self.workspace.path / "clock")
        clock.set(hours * 3600)
        return self.workspace.run("token", **clock.environment)

    def lifetime(self):
        """The seconds from the sign-in to its end."""
        account = self.account()
        since, until = (datetime.datetime.fromisoformat(account[name]) for name in ("signedInOn", "signInEndsOn"))
        return (until - since).total_seconds()

    @complaint(
        "https://github.com/nais/device/issues/45",
        "A background program stops with AADSTS70043 after 23 hours, in the middle of the work. Nothing said that the sign-in "
        "would end then, and the next one ends as suddenly",
        "The next sign-in shows its end from the first minute, and token warns in the last day")
    def test_a_policy_of_23_hours(self):
        self.provider.lifetime = 2 * DAY
        self.sign_in()
        self.reject(70043, 82800, "the maximum allowed lifetime for this request is 82800")
        self.assertEqual(self.lifetime(), 82800)
        self.assertRegex(self.succeed("accounts"), "in 22 h 59 min")
        self.assertRegex(self.token_later(20).stderr, "^The sign-in ends in 2 h 59 min at the latest")

    @complaint(
        "https://github.com/Azure/azure-cli/issues/16641",
        "Must sign in again every day, although it is said to last for weeks, and nothing tells why",
        "The account says that the authority rejected a sign-in after a day, with the code")
    def test_why_every_day(self):
        self.provider.lifetime = 2 * DAY
        self.sign_in()
        self.reject(70043, DAY, "the maximum allowed lifetime for this request is 86400")
        self.assertEqual(self.account()["signInEndReason"], "maximumAge")
        self.assertIn("because the authority rejected a sign-in after 1 day (AADSTS70043)", self.token_later(23).stderr)

    @complaint(
        "https://github.com/Azure/azure-cli/issues/5922",
        "Is there a way to see when the sign-in expires? The debug output says nothing useful",
        "accounts and token have it as a date in JSON")
    def test_a_date_for_scripts(self):
        self.provider.others = {"refresh_token_expires_in": 14 * DAY}
        self.sign_in()
        self.assertEqual(self.lifetime(), 14 * DAY)
        token = json.loads(self.succeed("token", "-o", "json"))
        self.assertEqual((token["signInEndsOn"], token["signInEndReason"]), (self.account()["signInEndsOn"], "stated"))

    @complaint(
        "https://github.com/microsoft/Partner-Center-PowerShell/issues/166",
        "A script's refresh token expires after 90 days without use, and its user has to wait 90 days to learn whether each "
        "refresh moves the end",
        "The account says that the end is one of inactivity; each refresh moves it, and only then")
    def test_inactivity(self):
        self.sign_in()
        self.reject(700082, 90 * DAY, "was inactive for 90.00:00:00")
        self.assertEqual(self.account()["signInEndReason"], "inactivity")
        self.assertAlmostEqual(self.lifetime(), 90 * DAY, delta=60)
        self.assertEqual(self.workspace.run("token").stderr, "")

    @complaint(
        "https://github.com/keycloak/keycloak/issues/48063",
        "refresh_expires_in is 0 for offline tokens, which clients take for the end of the session, or for none, although the "
        "server ends it when it is idle",
        "Nothing is claimed, and the token is refreshed")
    def test_zero_is_no_end(self):
        self.provider.others = {"refresh_expires_in": 0}
        self.sign_in()
        self.assertNotIn("signInEndsOn", self.account())
        self.assertNotIn("SIGN-IN ENDS", self.succeed("accounts"))
        self.refresh()

    @complaint(
        "https://github.com/fastly/cli/pull/1728",
        "Warnings that the session expires in minutes, right after the sign-in: they are about the token that is refreshed anyway",
        "Only the refresh token's end counts, not the access token's")
    def test_an_access_token_is_no_sign_in(self):
        self.provider.lifetime = 300
        self.provider.others = {"refresh_token_expires_in": 30 * DAY}
        self.sign_in()
        self.assertEqual(self.workspace.run("token").stderr, "")
        self.assertEqual(self.lifetime(), 30 * DAY)

    @complaint(
        "https://github.com/pulumi/pulumi-gcp/issues/479",
        "An organisation limits sessions, and the refresh fails with invalid_grant and rapt_required. The message names no "
        "command that helps",
        "Says to sign in. The authority names no lifetime, so none is claimed for the next sign-in")
    def test_a_limit_without_a_number(self):
        self.sign_in()
        text = json.dumps({
            "error": "invalid_grant", "error_description": "reauth related error (rapt_required)", "error_subtype": "rapt_required"})
        self.provider.refuses = lambda token: (400, "application/json", text)
        result = self.workspace.run("token", "--force-refresh", "--no-interaction")
        self.assertEqual(result.returncode, 4)
        self.assertIn("keyturn sign-in", result.stderr)
        self.sign_in()
        self.assertNotIn("signInEndsOn", self.account())

    @complaint(
        "https://github.com/microsoft/vscode/issues/331777",
        "An account whose refresh token is dead stays in the list like the others, and is used again and again",
        "It comes last, marked, wherever accounts are offered, and works again after a sign-in")
    def test_an_ended_account_is_marked(self):
        self.provider.lifetime = 1
        self.provider.others = {"refresh_token_expires_in": 1}
        self.sign_in()
        wait_until(lambda: "ended" in self.workspace.run("accounts").stdout, 10, "the sign-in doesn't end")
        (self.provider.lifetime, self.provider.others, self.provider.user) = (3600, {}, "zoe")
        self.sign_in()
        result = self.workspace.run("token", "--no-interaction")
        self.assertIn("Several accounts: zoe, ada (sign-in ended).", result.stderr)
        self.provider.user = "ada"
        self.sign_in()
        self.assertIn("Several accounts: ada, zoe.", self.workspace.run("token", "--no-interaction").stderr)


if __name__ == "__main__":
    unittest.main()

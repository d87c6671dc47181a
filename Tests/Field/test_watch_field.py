"""Watching tokens: what went wrong with other programs that refresh tokens in the background."""

import contextlib
import json
import pathlib
import re
import signal

from field import FieldCase, complaint
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until
from support.wake_ups import is_asleep

PATIENCE = 30


class WatchRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)

    def sign_in(self, lifetime=3600):
        self.provider.lifetime = lifetime
        super().sign_in()

    def watch(self, *arguments):
        return self.start("watch", *arguments)

    def wait_for_sleep(self, process):
        wait_until(lambda: is_asleep(process.pid), PATIENCE, "it doesn't sleep")

    def lines_until(self, process, text):
        """The lines up to the first with this text."""
        lines = ""
        while text not in lines:
            line = process.stderr.readline()
            self.assertTrue(line, f"no {text!r} in {lines!r}")
            lines += line
        return lines

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        status, _, errors = super().end(process)
        self.assertEqual(status, 0, errors)
        return errors

    def timer(self, process, least=0):
        """The kernel's description of the timer that it waits for, of at least so many seconds."""
        folder = pathlib.Path(f"/proc/{process.pid}/fdinfo")

        def description():
            for file in folder.iterdir():
                # A descriptor can be closed after it was listed.
                with contextlib.suppress(FileNotFoundError):
                    text = file.read_text()
                    if (value := re.search(r"it_value: \((\d+),", text)) and int(value.group(1)) >= least:
                        return text, int(value.group(1))
            return None

        return wait_until(description, PATIENCE, "it waits for no such timer")

    @complaint(
        "https://github.com/caozhiyuan/copilot-api/pull/170",
        "A timer that stands still while the computer sleeps refreshes hours too late, so the program looks every 30 seconds",
        "One timer of the wall clock, which also ends when the computer resumes or the clock is set (TFD_TIMER_CANCEL_ON_SET)")
    def test_suspension(self):
        self.sign_in()
        process = self.watch()
        timer, _ = self.timer(process)
        self.assertRegex(timer, r"clockid: 0\n")
        self.assertRegex(timer, r"settime flags: 03\n")
        self.stop(process)

    @complaint(
        "https://github.com/rra/kstart/issues/14",
        "Gets a new ticket at each wake-up, although the old one is valid for hours",
        "A fresh token isn't refreshed at the start, and the next wake-up is 10 minutes before its expiry")
    def test_a_valid_token(self):
        self.sign_in()
        process = self.watch()
        self.assertAlmostEqual(self.timer(process)[1], 3000, delta=PATIENCE)
        self.wait_for_sleep(process)
        self.stop(process)
        self.assertEqual(self.provider.redeemed, 1)

    @complaint(
        "https://github.com/AxaFrance/oidc-client/issues/1265",
        "After the sign-in has ended on the server, the client floods the token endpoint with the rejected refresh token",
        "One request, one line, and silence until the user has signed in")
    def test_a_rejected_refresh_token(self):
        self.sign_in(lifetime=2)
        self.provider.is_revoked = True
        process = self.watch()
        requests = len(self.provider.forms)
        self.lines_until(process, "sign in again")
        self.wait_for_sleep(process)
        self.assertNotIn("sign in again", self.stop(process))
        self.assertEqual(len(self.provider.forms), requests + 1)

    @complaint(
        "https://github.com/manfredsteyer/angular-oauth2-oidc/issues/1368",
        "If a response makes the token no younger, another refresh follows each second",
        "At least a minute between two refreshes, and twice as long each time without a later expiry")
    def test_a_token_that_expires_at_once(self):
        self.sign_in(lifetime=1)
        process = self.watch()
        wait_until(lambda: self.provider.redeemed == 2, PATIENCE, "it doesn't refresh")
        self.timer(process, least=30)
        self.stop(process)
        self.assertEqual(self.provider.redeemed, 2)

    @complaint(
        "https://github.com/lobehub/lobehub/pull/14928",
        "A refresh that is interrupted after the server has redeemed the token signs the user out",
        "SIGTERM waits for the response of a refresh that is under way, and the new refresh token is cached")
    def test_an_interrupted_refresh(self):
        self.sign_in(lifetime=2)
        self.provider.hold()
        process = self.watch()
        wait_until(lambda: self.provider.redeemed == 2, PATIENCE, "it doesn't refresh")
        process.send_signal(signal.SIGTERM)
        self.lines_until(process, "Finishing")
        self.provider.let_go()
        self.assertEqual(super().end(process)[0], 0)
        self.refresh()
        self.assertFalse(self.provider.is_revoked)

    @complaint(
        "https://github.com/indigo-dc/oidc-agent/issues/641",
        "With one expired refresh token, the agent responds to nobody for minutes",
        "The other accounts are refreshed as usual")
    def test_another_account(self):
        file = self.workspace.path / "config/keyturn/config.json"
        self.sign_in(lifetime=2)
        first, profiles = self.provider, json.loads(file.read_text())["profiles"]
        second = self.closing(RotatingProvider(self.workspace.path))
        second.lifetime = 2
        profiles["second"] = {**profiles["test"], "authority": second.issuer}
        file.write_text(json.dumps({"defaultProfile": "second", "profiles": profiles}))
        self.succeed("sign-in", "--method", "device")
        first.is_revoked = True
        process = self.watch()
        lines = self.lines_until(process, "(second): refreshed")
        self.stop(process)
        self.assertRegex(lines, r"\(test\): sign in again\. Run 'keyturn sign-in --profile test'\.")

    @complaint(
        "https://github.com/synfinatic/aws-sso-cli/issues/644",
        "When a session has expired meanwhile, ten pages wait in the browser",
        "Opens no page; says once that the user must sign in")
    def test_no_page_opens(self):
        self.workspace.use_recording_browser()
        self.sign_in(lifetime=1)
        self.provider.is_revoked = True
        process = self.watch()
        self.lines_until(process, "sign in again")
        self.wait_for_sleep(process)
        self.assertNotIn("sign in again", self.stop(process))
        self.assertFalse((self.workspace.path / "opened").exists())

"""keyturn watch: a real process, with providers on this computer."""

import pathlib
import signal
import subprocess
import unittest

from support.clock import forget_ended_processes
from support.rotating_provider import RotatingProvider
from support.session_bus import SessionBus
from support.waiting import wait_until
from support.wake_ups import is_asleep
from support.workspace import KEYTURN
from test_doors import DoorJourney

# The program's clock runs this much faster than the provider's.
RATE = 60
FAKE_TIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
PATIENCE = 30


class WatchJourney(DoorJourney):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.log = self.workspace.path / "watch.log"

    def sign_in(self, lifetime):
        """With a token of this lifetime; those after it are valid for an hour."""
        self.provider.lifetime = lifetime
        signed_in = self.keyturn("sign-in", "--method", "device")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)
        self.provider.lifetime = 3600

    def watch(self, *arguments):
        with open(self.log, "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [KEYTURN, "watch", *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self.workspace.environment, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, text, times=1):
        wait_until(lambda: self.log.read_text().count(text) >= times, PATIENCE, lambda: f"no {text!r} in {self.log.read_text()!r}")

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 0, self.log.read_text())

    def test_it_refreshes_before_the_expiry(self):
        self.sign_in(lifetime=6)
        process = self.watch()
        self.wait_for("(test): refreshed, valid 59 min.")
        self.end(process)
        self.assertRegex(self.log.read_text(), r"^Watching 1 account\. Next check in under 1 min\.\n.* \(test\): refreshed, valid 59 min\.\n$")
        # From the cache.
        self.assertEqual(self.keyturn("token", "--no-interaction").stdout, "access-2\n")
        self.assertEqual(self.provider.redeemed, 2)

    def test_it_notices_sign_ins_and_sign_outs(self):
        process = self.watch()
        self.wait_for("Watching 0 accounts.\n")
        self.sign_in(lifetime=4)
        self.wait_for("refreshed")
        self.assertEqual(self.keyturn("remove", "--all").returncode, 0)
        wait_until(lambda: is_asleep(process.pid), PATIENCE, "it doesn't sleep")
        self.end(process)
        self.assertEqual(self.provider.redeemed, 2)

    def test_a_changed_configuration(self):
        self.sign_in(lifetime=3600)
        file = self.workspace.path / "config/keyturn/config.json"
        whole = file.read_text()
        process = self.watch()
        self.wait_for("Watching 1 account.")
        file.write_text("{")
        self.wait_for(f"{file}")
        file.write_text(whole.replace('"test"', '"other"'))
        self.sign_in(lifetime=4)
        self.wait_for("(other): refreshed")
        self.end(process)

    def test_a_command_tells_the_user_once(self):
        told = self.workspace.path / "told"
        self.sign_in(lifetime=4)
        self.provider.is_revoked = True
        process = self.watch("-q", "--notify", f'printf "%s|%s|%s\\n" "$KEYTURN_EVENT" "$KEYTURN_ACCOUNT" "$KEYTURN_MESSAGE" >> {told}')
        self.wait_for("sign in again")
        wait_until(told.exists, PATIENCE, "the command didn't run")
        wait_until(lambda: is_asleep(process.pid), PATIENCE, "it doesn't sleep")
        requests = len(self.provider.forms)
        event, account, message = told.read_text().strip().split("|")
        self.assertEqual(event, "sign-in-required")
        self.assertRegex(message, rf"^{account.replace('(', '[(]').replace(')', '[)]')}: not refreshed\. .*Run 'keyturn sign-in --profile test'\.")
        self.assertEqual(self.log.read_text(), f"{account}: sign in again. Run 'keyturn sign-in --profile test'.\n")
        # The user signs in.
        self.provider.is_revoked = False
        self.sign_in(lifetime=4)
        wait_until(lambda: self.provider.redeemed == 3, PATIENCE, "it doesn't refresh again")
        self.end(process)
        self.assertEqual(told.read_text().count("\n"), 1)
        self.assertGreater(len(self.provider.forms), requests)

    def test_a_command_that_fails(self):
        self.sign_in(lifetime=4)
        self.provider.is_revoked = True
        process = self.watch("--notify", "exit 3")
        self.wait_for("The command of --notify failed: it ended with status 3.\n")
        self.end(process)

    def test_a_notice_on_the_desktop(self):
        bus = SessionBus(self, has_broker=False, shows_notices=True)
        self.sign_in(lifetime=4)
        self.provider.is_revoked = True
        process = self.watch()
        (title, text), = wait_until(lambda: bus.notices, PATIENCE, "no notice came")
        self.assertEqual(title, "Sign-in needed")
        self.assertIn("Run 'keyturn sign-in --profile test'.", text)
        self.end(process)

    def test_advice_with_another_configuration(self):
        self.sign_in(lifetime=4)
        self.provider.is_revoked = True
        file = self.workspace.path / "config/keyturn/config.json"
        process = self.watch("--config", file)
        self.wait_for(f"Run 'keyturn sign-in --profile test --config {file}'.")
        self.end(process)

    def test_only_one_watches(self):
        self.sign_in(lifetime=3600)
        process = self.watch()
        self.wait_for("Watching")
        second = self.keyturn("watch")
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, rf"^keyturn: keyturn \(process {process.pid}\) already watches these accounts\.\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 130)

    @unittest.skipUnless(FAKE_TIME, "libfaketime is not installed")
    def test_a_fast_clock(self):
        """Tokens of 10 minutes, for half an hour."""
        self.provider.lifetime = 600
        self.sign_in(lifetime=600)
        self.provider.lifetime = 600
        forget_ended_processes()
        self.workspace.environment |= {"LD_PRELOAD": str(FAKE_TIME), "FAKETIME": f"+0 x{RATE}"}
        process = self.watch()
        # Each after half of the lifetime, so 5 s later.
        self.wait_for("refreshed", times=4)
        self.assertFalse(self.provider.is_revoked)
        self.end(process)
        self.assertLessEqual(self.provider.redeemed, 6)

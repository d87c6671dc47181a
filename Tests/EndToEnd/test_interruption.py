"""What a signal, a suspended process and parallel commands do to refresh tokens that are valid once."""

import contextlib
import json
import signal
import subprocess
import unittest
import urllib.parse
import urllib.request

from support.case import JourneyCase
from support.rotating_provider import RotatingProvider
from support.waiting import wait_until
from support.workspace import KEYTURN

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
FINISHING = "Finishing a token request"


class InterruptionJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)

    def command(self, *arguments, status=0):
        result = self.workspace.run(*arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def sign_in(self):
        self.command("sign-in", "--method", "device")

    def token(self, *options, status=0):
        return self.command("token", "--no-interaction", *options, status=status)

    def start(self, *arguments, before=()):
        """Starts a command. Its standard error is in a file, so that a test can look at it meanwhile."""
        errors = self.workspace.path / f"errors-{len(list(self.workspace.path.glob('errors-*')))}"
        with errors.open("w") as file:
            process = subprocess.Popen(
                [*before, str(KEYTURN), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file,
                text=True, env=self.workspace.environment)
        process.errors = errors.read_text

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def end_of(self, process, status):
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, process.errors())
        return output

    def wait_for(self, process, text):
        wait_until(lambda: text in process.errors(), 60, lambda: f"no {text!r} in {process.errors()!r}")

    @contextlib.contextmanager
    def held(self, *arguments, before=()):
        """A command whose code or refresh token is redeemed, but whose response is on its way until the end."""
        redeemed = self.provider.redeemed
        self.provider.hold()
        process = self.start(*arguments, before=before)
        wait_until(lambda: self.provider.redeemed > redeemed, 60, lambda: f"no token request: {process.errors()}")
        try:
            yield process
        finally:
            self.provider.let_go()

    def assert_signed_in(self):
        """The refresh token in the cache is the one that the provider issued last."""
        self.token()
        self.token("--force-refresh")
        self.assertFalse(self.provider.is_revoked)

    def test_a_signal_during_a_refresh(self):
        self.sign_in()
        for number in SIGNALS:
            with self.subTest(number.name):
                with self.held("token", "--force-refresh", "--no-interaction") as process:
                    process.send_signal(number)
                    self.wait_for(process, FINISHING)
                self.assertEqual(self.end_of(process, 128 + number), "")
                self.assertIn("They are cached", process.errors())
                self.assertNotIn("Run the command again", process.errors())
                redeemed = self.provider.redeemed
                self.assertEqual(self.token().stdout.strip(), f"access-{redeemed}")
                self.assertEqual(self.provider.redeemed, redeemed)
                self.assert_signed_in()

    def test_an_ignored_signal_stays_ignored(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction", before=("nohup",)) as process:
            process.send_signal(signal.SIGHUP)
        token = self.end_of(process, 0).strip()
        self.assertEqual(token, f"access-{self.provider.redeemed}")

    def test_timeout_during_a_refresh(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction", before=("timeout", "1")) as process:
            self.wait_for(process, FINISHING)
        self.end_of(process, 124)
        self.assert_signed_in()

    def test_a_signal_during_a_refresh_for_call(self):
        self.provider.lifetime = 1
        self.sign_in()
        self.provider.lifetime = 3600
        with self.held("call", f"{self.provider.issuer}/keys", "--no-interaction", "--scope", "email") as process:
            process.send_signal(signal.SIGTERM)
            self.wait_for(process, FINISHING)
        self.end_of(process, 143)
        self.assert_signed_in()

    def test_the_error_object_of_a_signal_during_a_refresh(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction", "-o", "json") as process:
            process.send_signal(signal.SIGTERM)
        self.end_of(process, 143)
        error = json.loads(process.errors())["error"]
        self.assertEqual(error["name"], "interrupted")
        self.assertIn("They are cached", error["description"])
        self.assertEqual(error["nextStep"], "")
        self.assert_signed_in()

    def test_a_signal_during_a_device_sign_in(self):
        for number in SIGNALS:
            with self.subTest(number.name):
                with self.held("sign-in", "--method", "device") as process:
                    process.send_signal(number)
                    self.wait_for(process, FINISHING)
                self.end_of(process, 128 + number)
                self.assertIn("the user is signed in", process.errors())
                self.assert_signed_in()
                self.command("sign-out", "ada")

    def test_a_signal_during_a_sign_in(self):
        """The code has been redeemed when the signal comes."""
        self.workspace.use_recording_browser()
        for number in SIGNALS:
            with self.subTest(number.name):
                self.workspace.forget_browser()
                self.provider.hold()
                redeemed = self.provider.redeemed
                process = self.start("sign-in", "--method", "browser")
                self.return_from(self.opened_address())
                wait_until(lambda: self.provider.redeemed > redeemed, 60, "the code is not redeemed")
                process.send_signal(number)
                self.wait_for(process, FINISHING)
                self.provider.let_go()
                self.end_of(process, 128 + number)
                self.assertIn("the user is signed in", process.errors())
                self.provider.nonce = None
                self.assert_signed_in()
                self.command("sign-out", "ada")

    def return_from(self, address):
        """The browser brings the response of the sign-in page."""
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        self.provider.nonce = parameters["nonce"]
        response = urllib.parse.urlencode({"code": "c", "state": parameters["state"]})
        urllib.request.urlopen(f"{parameters['redirect_uri']}?{response}").close()

    def test_a_second_signal_says_what_may_be_lost(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction") as process:
            process.send_signal(signal.SIGTERM)
            self.wait_for(process, FINISHING)

            def has_ended():
                # Signals shortly after the first count as the first.
                process.send_signal(signal.SIGTERM)
                return process.poll() is not None

            wait_until(has_ended, 9, "the second signal does not end the process")
        self.assertEqual(process.returncode, 143)
        self.assertIn("is lost", process.errors())
        self.assertIn("sign in again", process.errors())

    def test_a_response_that_never_comes_ends_the_wait(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction") as process:
            process.send_signal(signal.SIGINT)
            self.assertEqual(self.end_of(process, 130), "")
            self.assertIn("is lost", process.errors())

    def test_a_killed_process_loses_the_response(self):
        """Documented: nobody else has the new refresh token."""
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction") as process:
            process.kill()
            process.wait()
        self.token("--force-refresh", status=4)
        self.assertTrue(self.provider.is_revoked)

    def test_leaving_the_program_during_a_refresh(self):
        """The response is on its way."""
        self.sign_in()
        terminal = self.open_keyturn()
        self.wait_for_account(terminal, "ada")
        terminal.press("Enter")
        terminal.wait_for("Claims of")
        redeemed = self.provider.redeemed
        self.provider.hold()
        terminal.press("R")
        wait_until(lambda: self.provider.redeemed > redeemed, 60, "no token request")
        terminal.press("Escape")
        terminal.wait_for("Cancelled.")
        terminal.press("Escape")
        terminal.wait_for("USERNAME")
        terminal.press("q")
        self.provider.let_go()
        self.assertEqual(terminal.exit_status(), 0)
        self.assertEqual(self.token().stdout.strip(), f"access-{redeemed + 1}")
        self.assert_signed_in()

    def test_parallel_refreshes_are_one(self):
        self.sign_in()
        for options, lifetime in ((("--force-refresh",), 3600), ((), 60)):
            with self.subTest(lifetime=lifetime):
                self.provider.lifetime = lifetime
                self.token("--force-refresh")
                redeemed = self.provider.redeemed
                with self.held("token", "--no-interaction", *options) as first:
                    others = [self.start("token", "--no-interaction", *options) for _ in range(19)]
                    for process in others:
                        self.wait_for(process, f"Waiting for keyturn (process {first.pid}), which is refreshing")
                tokens = {self.end_of(process, 0) for process in [first, *others]}
                self.assertEqual(tokens, {f"access-{redeemed + 1}\n"})
                self.assertEqual(self.provider.redeemed, redeemed + 1)

    def test_a_suspended_refresh(self):
        self.sign_in()
        with self.held("token", "--force-refresh", "--no-interaction") as first:
            first.send_signal(signal.SIGSTOP)
            result = self.token("--force-refresh", status=6)
            self.assertIn(f"keyturn (process {first.pid}) is suspended while it refreshes", " ".join(result.stderr.split()))
            first.send_signal(signal.SIGCONT)
        self.end_of(first, 0)
        self.assert_signed_in()

    def test_a_suspended_sign_in(self):
        self.workspace.use_recording_browser()
        first = self.start("token")
        self.opened_address()
        first.send_signal(signal.SIGSTOP)
        second = self.start("token")
        self.end_of(second, 6)
        self.assertIn(f"Waiting for keyturn (process {first.pid}), which is signing in.\n", second.errors())
        self.assertIn(f"keyturn (process {first.pid}) is suspended while it signs in.", second.errors())
        self.assertIn("kill -CONT", second.errors())


if __name__ == "__main__":
    unittest.main()

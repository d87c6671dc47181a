"""The session's identity broker: a scripted one on a separate bus, with the quirks of real brokers."""

import json
import re
import signal
import subprocess
import unittest

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.session_bus import SessionBus
from support.waiting import wait_until
from support.workspace import KEYTURN


class BrokerJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = start_authority(self)

    def start_bus(self, *quirks, has_broker=True, **profile):
        self.configure_for_authority(self.authority, **{"method": "broker", **profile})
        bus = SessionBus(self, has_broker)
        bus.behave(*quirks)
        return bus

    def run_keyturn(self, *arguments, status=0):
        result = self.workspace.run(*arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def assert_printable(self, text):
        self.assertEqual([one for one in text if one != "\n" and not one.isprintable()], [])
        self.assertNotIn("eyJ", text)

    def test_from_sign_in_to_removal(self):
        bus = self.start_bus()
        result = self.run_keyturn("sign-in")
        self.assertTrue(result.stdout.startswith(person.ANN[0]), result.stdout)
        self.assert_printable(result.stderr)
        method, version, correlation, request = bus.calls[0]
        self.assertEqual((method, version), ("acquireTokenInteractively", "0.0"))
        self.assertRegex(correlation, r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(request["authParameters"]["authorizationType"], 6)

        # The cached token needs no broker; a new one does.
        token = self.run_keyturn("token").stdout
        self.assertEqual(bus.methods, ["acquireTokenInteractively"])
        renewed = self.run_keyturn("token", "--force-refresh").stdout
        self.assertNotEqual(renewed, token)
        self.assertEqual(bus.methods[1:], ["getAccounts", "acquireTokenSilently"])
        parameters = bus.calls[-1][3]["authParameters"]
        self.assertEqual(parameters["accessTokenToRenew"], token.strip())
        self.assertEqual(parameters["account"]["givenName"], "Ann")

        accounts = json.loads(self.run_keyturn("accounts", "-o", "json").stdout)
        self.assertEqual([one["username"] for one in accounts], [person.ANN[0]])
        self.run_keyturn("remove", person.ANN[0])
        self.assertEqual(bus.methods[-1], "removeAccount")
        self.assertEqual(json.loads(self.run_keyturn("accounts", "-o", "json").stdout), [])
        self.run_keyturn("token", "--no-interaction", status=4)
        self.assertNotIn("Introspect", bus.methods)

    def test_an_account_that_only_the_broker_has(self):
        bus = self.start_bus()
        self.run_keyturn("sign-in")
        for store in (self.workspace.path / "state").rglob("*.db*"):
            store.unlink()
        accounts = self.run_keyturn("accounts").stdout
        self.assertTrue(accounts.splitlines()[1].startswith(person.ANN[0]), accounts)
        self.run_keyturn("token", "--no-interaction")
        self.assertEqual(bus.methods[-1], "acquireTokenSilently")

    def test_quirks_of_responses(self):
        for quirks in (["counts-seconds"], ["omits-account"], ["lists"], ["counts-seconds", "omits-account", "lists"]):
            with self.subTest(quirks=quirks):
                self.setUp()
                self.start_bus(*quirks)
                self.run_keyturn("sign-in")
                self.run_keyturn("token", "--no-interaction")

    def test_a_restart_during_a_call(self):
        bus = self.start_bus()
        self.run_keyturn("sign-in")
        bus.behave("dies")
        self.run_keyturn("token", "--force-refresh")
        self.assertEqual(bus.methods[-3:], ["getAccounts", "getAccounts", "acquireTokenSilently"])

    def test_a_failing_broker_is_reported(self):
        self.workspace.use_recording_browser()
        for quirk, words in (
            ("breaks", "The identity broker failed. org.freedesktop.DBus.Error.Failed: no DISPLAY"),
            ("garbles", "The identity broker's response is invalid"),
            ("refuses", "AADSTS50078: the proof is too old"),
        ):
            with self.subTest(quirk=quirk):
                self.setUp()
                self.start_bus(quirk)
                result = self.workspace.run("sign-in")
                self.assertNotIn(result.returncode, (0, None))
                self.assertIn(words, " ".join(result.stderr.split()))
                self.assert_printable(result.stderr)
                self.assertIsNone(self.workspace.opened_address)

    def test_without_a_broker(self):
        """The other sign-in methods work, and one line says why."""
        self.start_bus(has_broker=False)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        result = self.run_keyturn("sign-in")
        self.assertEqual(result.stderr.count("No identity broker is on the session bus."), 1, result.stderr)
        self.assertIn("Trying the browser instead.", result.stderr)
        del self.workspace.environment["DBUS_SESSION_BUS_ADDRESS"]
        result = self.run_keyturn("sign-in")
        self.assertEqual(result.stderr.count("There is no session bus"), 1, result.stderr)

    def check(self):
        """The finding of `check` about the broker."""
        document = json.loads(self.workspace.run("check", "-o", "json").stdout)
        findings = [finding for section in document["sections"] for finding in section["findings"]]
        return next(finding for finding in findings if finding["subject"] == "Identity broker")

    def test_check_with_a_broker(self):
        bus = self.start_bus()
        self.assertEqual(self.check()["fact"], "Version 2.0.1, on the session bus.")
        self.assertEqual(bus.methods, ["getLinuxBrokerVersion"])
        bus.behave("breaks")
        finding = self.check()
        self.assertEqual(finding["verdict"], "warning")
        self.assertIn("The identity broker failed.", finding["fact"])
        self.assertIn("Restart or update the broker", finding["fix"])

    def test_check_without_a_broker(self):
        self.start_bus(has_broker=False)
        finding = self.check()
        self.assertEqual(finding["verdict"], "warning")
        self.assertEqual(finding["fact"], "None on the session bus, but the profile uses one.")
        del self.workspace.environment["DBUS_SESSION_BUS_ADDRESS"]
        self.assertIn("no session bus", self.check()["fact"])
        self.configure_for_authority(self.authority, method="browser")
        self.assertEqual(self.check()["verdict"], "passed")

    def test_a_chain_of_sign_in_methods(self):
        """Silent, broker, browser, device code: each failure is one line, and the last method succeeds."""
        self.start_bus("refuses", method=["broker", "browser", "device"])
        self.workspace.environment["BROWSER"] = "false"
        process = subprocess.Popen(
            [str(KEYTURN), "token"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        told = ""
        while not (page := re.search(r"http\S+/device\?user_code=\S+", told)):
            line = process.stderr.readline()
            self.assertTrue(line, told)
            told += line
        self.assertEqual(told.count("AADSTS50078"), 1, told)
        self.assertIn("Trying the browser instead.", told)
        self.assertIn("Trying a device code instead.", told)
        self.assertIn("Your device is signed in", person.enter_code(page.group(), *person.ANN))
        output, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(output.startswith("eyJ"))

    def test_cancelling_a_call_without_a_response(self):
        bus = self.start_bus("hangs")
        process = subprocess.Popen(
            [str(KEYTURN), "sign-in"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.workspace.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: bus.methods, 15, "the broker was not called")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=15), 130)
        self.assertEqual(bus.methods, ["acquireTokenInteractively", "cancelInteractiveFlow"])
        self.assertEqual(bus.calls[0][2], bus.calls[1][2])

    def test_on_the_screen(self):
        bus = self.start_bus()
        terminal = self.open_keyturn(size=(120, 40))
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0])
        self.assertIn("acquireTokenInteractively", bus.methods)
        self.quit(terminal)
        self.assert_no_secrets(terminal)


if __name__ == "__main__":
    unittest.main()

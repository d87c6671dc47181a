"""What the listener of a waiting sign-in knows and the user sees: who came, and what to do about it."""

import ssl
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.waiting import wait_until
from support.workspace import KEYTURN


class ListenerJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.use_recording_browser()
        self.authority = start_authority(self)
        self.configure_for_authority(self.authority, redirectUri="http://127.0.0.1")
        self.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.errors.close)

    def start_sign_in(self):
        """A waiting sign-in: the process, the URL it opened, and the redirect URI."""
        process = subprocess.Popen(
            [KEYTURN, "sign-in"], stdout=subprocess.PIPE, stderr=self.errors, text=True, env=self.workspace.environment)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        address = self.opened_address()
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        return process, address, query["redirect_uri"][0]

    @property
    def told(self):
        self.errors.seek(0)
        return self.errors.read()

    def wait_for(self, *words, seconds=10):
        wait_until(lambda: all(word in self.told for word in words), seconds, lambda: f"{words} not in {self.told}")

    def assert_signs_in(self, process, landing):
        urllib.request.urlopen(landing, timeout=10).close()
        output, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, self.told)
        self.assertTrue(output.startswith(person.ANN[0]), output)

    def test_a_browser_that_insists_on_https(self):
        """The user changes the address of the page that failed, and the response arrives."""
        process, address, _ = self.start_sign_in()
        landing = person.landing_of(address, *person.ANN)
        port = urllib.parse.urlsplit(landing).port
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain, self.assertRaises(ssl.SSLError):
            ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
        self.wait_for(f"A browser insists on https at 127.0.0.1:{port}", "change https:// to http://")
        self.assert_signs_in(process, landing)

    def test_cookies_of_many_programs(self):
        """256 KiB are read. A browser with more gets a page, and the terminal the reason; no redirect URI is to blame."""
        process, address, redirect = self.start_sign_in()
        began = self.told
        self.assertIn("register this one", began)
        landing = person.landing_of(address, *person.ANN)
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(self.with_cookies(landing, 700), timeout=10)
        with refusal.exception as page:
            self.assertEqual(page.code, 431)
            self.assertIn("<h1>Too many cookies</h1>", page.read().decode())
        self.wait_for("sends more than 256 KiB of cookies to 127.0.0.1")
        # After 15 s without a response.
        self.wait_for("No response yet, although a browser came to 127.0.0.1", seconds=30)
        self.assertEqual(self.told.count("register this one"), began.count("register this one"))
        self.assert_signs_in(process, self.with_cookies(landing, 250))

    def with_cookies(self, address, kilobytes):
        return urllib.request.Request(address, headers={"Cookie": "; ".join(["a=" + "b" * 1000] * kilobytes)})

    def test_nobody_comes(self):
        _, _, redirect = self.start_sign_in()
        port = urllib.parse.urlsplit(redirect).port
        self.wait_for(
            f"No response yet: no browser has come to 127.0.0.1:{port}. Open the URL in a browser on this computer.",
            seconds=30)
        self.assertEqual(self.told.count("register this one"), 2)


if __name__ == "__main__":
    unittest.main()
